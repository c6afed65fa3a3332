const MASK = '****'
const SCHEME = /^[a-z][a-z\d+.-]*:/i
/** Where a name without a password is a name. Elsewhere, such as in `redis://secret@host`, it is often the secret itself. */
const NAMES_ALONE = /^postgres(?:ql)?:$/

/**
 * A URL as people may see it: without password, query and fragment. Of one that cannot be read only the scheme is left, since
 * nobody can tell where in it the password stands.
 *
 * @example
 * maskUrl('postgres://ana:secret@db/loam') // 'postgres://ana:****@db/loam'
 */
export function maskUrl(text: string): string {
  if (text.startsWith('pglite:')) return text
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || !URL.canParse(text)) {
    return `${SCHEME.exec(text)?.[0] ?? ''}${MASK} (no valid URL)`
  }
  const url = new URL(text)
  if (url.password !== '') url.password = MASK
  else if (url.username !== '' && !NAMES_ALONE.test(url.protocol)) url.username = MASK
  if (url.search !== '') url.search = `?${MASK}`
  url.hash = ''
  return url.href
}

/**
 * A text, such as somebody else's error message, with what could be the password of a URL in it masked, also where the URL is
 * malformed.
 */
export function hideUrlSecrets(text: string): string {
  return text.includes('@') ? text.replaceAll(/[^\s"'`<>()]+/g, hideLogin) : text
}

/** Up to the last `@` of the word, for a password may hold one too. */
function hideLogin(word: string): string {
  const end = word.lastIndexOf('@')
  if (end < 1 || end === word.length - 1) return word
  const scheme = SCHEME.exec(word)?.[0] ?? ''
  const isAddress = /^[a-z][a-z\d+.-]*:\/\//i.test(word)
  // In "ana:secret@db" the name looks like a scheme.
  const begin = isAddress ? scheme.length + 2 : KNOWN_SCHEME.test(scheme) ? scheme.length : 0
  const colon = word.indexOf(':', begin)
  if (colon !== -1 && colon < end) return `${word.slice(0, colon + 1)}${MASK}${word.slice(end)}`
  if (begin === 0 || NAMES_ALONE.test(scheme)) return word
  return `${word.slice(0, begin)}${MASK}${word.slice(end)}`
}

const KNOWN_SCHEME = /^(?:postgres(?:ql)?|rediss?|https?|mailto):$/i
