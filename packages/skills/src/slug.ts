import { createHash } from 'node:crypto'
import anyAscii from 'any-ascii'

/** Words of the slash commands, which no skill may be called. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'list-skills',
  'help',
  'use',
  'activate',
])

/** Longest slug: a folder's name on any file system, and the name in the Agent Skills format. */
export const MAX_SLUG_LENGTH = 64

/**
 * Whether a text can be the slug of a stored skill: lower-case letters, digits and hyphens, 2 to 64, no hyphen at an end. A
 * UUID is none, for wherever a skill is named by its slug it may be named by its id, too.
 */
export function isSlug(text: string): boolean {
  return (
    text.length <= MAX_SLUG_LENGTH &&
    SLUG.test(text) &&
    !RESERVED_SLUGS.has(text) &&
    !UUID.test(text)
  )
}

/**
 * Makes a slug of a name. Letters of other scripts are transliterated, and a name of which that leaves nothing gets a slug
 * from its hash, so that no two names meet at `skill`; the empty name alone is `skill`.
 *
 * @example
 * slugify('Code Review!') // 'code-review'
 * slugify('网页搜索') // 'wang-ye-sou-suo'
 */
export function slugify(name: string): string {
  if (name.trim() === '') return 'skill'
  const slug = hyphenated(spacedAscii(name))
  return isSlug(slug) ? slug : hashedSlug(name)
}

/** The slug of a name, with eight digits of its hash at the end; for a name whose slug belongs to another one. */
export function hashedSlug(name: string): string {
  const slug = hyphenated(spacedAscii(name))
  const hash = createHash('sha256').update(name.normalize('NFC')).digest('hex').slice(0, 8)
  const stem = slug === '' ? 'skill' : slug
  return `${stem.slice(0, MAX_SLUG_LENGTH - 9).replace(/-$/, '')}-${hash}`
}

function hyphenated(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Syllables of scripts without blanks are set apart, as words are. */
function spacedAscii(name: string): string {
  return Array.from(name.normalize('NFC').slice(0, 1_000), (character) => {
    const ascii = anyAscii(character)
    return ascii.length > 1 && UNSEGMENTED.test(character) ? ` ${ascii} ` : ascii
  }).join('')
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])$/
const UNSEGMENTED = /[\p{Script=Han}\p{Script=Hangul}]/u
