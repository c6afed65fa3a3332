import { findPrivateKeys } from './private-keys.js'
import { isIban, isPaymentNumber } from './check-digits.js'

/** A stretch of text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Finds one type of secret. */
export interface RedactionRule {
  readonly type: string
  /** What a text must have somewhere for the rule to find anything. Most texts lack it, and looking for it costs little. */
  readonly sign?: RegExp | undefined
  /** Stretches to take out, in order. */
  find(text: string): Iterable<Span>
}

// All patterns are linear: repetitions are bounded, or start only where the character before cannot continue them.

const SCHEME = '(?:basic|bearer|token|digest|negotiate|apikey)\\s{1,8}'
/** What an `Authorization` header carries, with or without a scheme; and `Bearer …` wherever it stands. */
const AUTHORIZATION = new RegExp(
  `(?<=\\bauthorization["'\`]?\\s{0,8}[:=]\\s{0,8}["'\`]?(?:${SCHEME})?)(?!${SCHEME})[^\\s"'\`,;]{4,}`,
  'gi',
)
const BEARER = /(?<=\bbearer\s{1,8})(?=[\w.~+/=-]{0,512}\d|[\w.~+/=-]{20})[\w.~+/=-]{6,}/gi

const COOKIE =
  /(?<=\b(?:set-)?cookie["'`]?[ \t]{0,8}[:=][ \t]{0,8}["'`]?)(?=[^\s=;"'`]{1,128}=)[^\r\n"'`]+/gi

/** key = value, key: value, "key": "value"; the key and the quotes stay. */
const SECRET_KEY =
  '(?:api[ _-]?keys?|apikey|secret[ _-]?access[ _-]?key|(?:access|secret|private|signing|encryption|account)[ _-]?key|(?:client|app|shared)[ _-]?secret|secrets?|token|passwords?|passwd|passphrase|passcode|pwd|credentials?)'
const ASSIGNED = '\\\\{0,4}["\'`]?[ \\t]{0,8}(?:=>|:=|[:=])[ \\t]{0,8}'
const QUOTED = [
  // JSON inside a string: the quotes themselves are escaped.
  `(?<=${SECRET_KEY}${ASSIGNED}\\\\{1,4}["'])[^"'\\\\\\n]+`,
  `(?<=${SECRET_KEY}${ASSIGNED}")[^"\\\\\\n]*(?:\\\\.[^"\\\\\\n]*){0,5000}(?=")`,
  `(?<=${SECRET_KEY}${ASSIGNED}')[^'\\\\\\n]*(?:\\\\.[^'\\\\\\n]*){0,5000}(?=')`,
  `(?<=${SECRET_KEY}${ASSIGNED}\`)[^\`\\n]+(?=\`)`,
]
// A closing bracket or a comma belongs to the text around the value.
const UNQUOTED = `(?<=${SECRET_KEY}${ASSIGNED}["'\`]?)(?!(?:true|false|null|undefined|none)\\b|(?:bearer|basic)\\s)[^\\s"'\`<>&\\\\]*[^\\s"'\`<>&\\\\,;.)\\]}]`
const SECRET = new RegExp([...QUOTED, UNQUOTED].join('|'), 'gi')

/** Tokens that are known by their shape. */
const TOKEN_SHAPES = [
  'eyJ[\\w-]{6,}\\.[\\w-]{6,}(?:\\.[\\w-]*){1,3}', // JSON web tokens, signed or encrypted
  'sk-(?=[\\w-]{0,64}\\d)[\\w-]{8,}',
  '(?:sk|pk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}',
  'gh[a-z]_[A-Za-z0-9]{16,}',
  'github_pat_\\w{16,}',
  'gl[a-z]{2,6}-[\\w-]{16,}',
  'xox[a-z]-[A-Za-z0-9-]{8,}',
  'xapp-[A-Za-z0-9-]{8,}',
  '(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9])',
  'AIza[\\w-]{30,}',
  'ya29\\.[\\w-]{16,}',
  'npm_[A-Za-z0-9]{30,}',
  'hf_[A-Za-z0-9]{20,}',
  'pypi-[\\w-]{20,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  '\\d{8,10}:AA[\\w-]{33}',
]
const TOKEN = new RegExp(`(?<![A-Za-z0-9_-])(?:${TOKEN_SHAPES.join('|')})`, 'g')
const WEBHOOK = /\bhttps:\/\/(?:hooks\.slack\.com|discord(?:app)?\.com\/api\/webhooks)\/[\w/-]{8,}/g

const CONNECTION_STRING =
  /(?<![a-z0-9])(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|oracle|clickhouse|cockroachdb|neo4j|bolt|nats|kafka|ldaps?|smtps?)(?:\+[a-z0-9]{1,16})?:\/\/[^\s"'`<>]+/gi
/** Any other address that carries a user and a password. */
const CREDENTIAL_URL =
  /(?<![a-z0-9])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@"'<>]{0,256}:[^\s/@"'<>]{1,512}@[^\s"'`<>]+/gi

const IBAN =
  /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ \u00A0-]?[A-Z0-9]{4}){2,7}(?:[ \u00A0-]?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g

/** 13 to 19 digits in one run, or in the groups that are printed on cards; other groupings are dates and order numbers. */
const PAYMENT =
  /(?<![\w.:#-]|\d )(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{4,5})(?![\w:]|[ .-]\d)/g

/** +49 30 1234567, +1 (555) 123-4567. */
const INTERNATIONAL_PHONE =
  /(?<![\w+:.#-]|\d )(?:\+|00(?=[1-9]))\d(?:[ ./()\u00A0-]{0,3}\d){6,14}(?![\w:]|[-.]\d)/g
/** (555) 123-4567, 555-123-4567, 1-555-123-4567. */
const NORTH_AMERICAN_PHONE =
  /(?<![\w+:.#-]|\d )(?:1[ .-])?(?:\(\d{3}\)[ .-]?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w:]|[ .-]\d)/g
/** 030 1234567, 06 12 34 56 78, 020-7946-0958. */
const NATIONAL_PHONE =
  /(?<![\w+:.#-]|\d )\(?0\d{1,4}\)?(?:[ /\u00A0-]\d{2,8}){1,5}(?![\w:]|[ .-]\d)/g
/** Any run of digits that is called a telephone number. */
const LABELLED_PHONE =
  /(?<=(?:\b(?:phone|tel|telephone|mobile|cell|fax|whatsapp|telefon|handy|téléphone|teléfono)(?: number| no| nr)?|电话|手机|電話|携帯|전화)\.?[ \t]{0,4}[:：=]?[ \t]{0,4})\+?\(?\d(?:[ ./()\u00A0-]{0,3}\d){6,14}(?!\d)/giu

/** What all numbers of people have in common: seven digits, close to each other. */
const MANY_DIGITS = /\d(?:\D{0,3}\d){6}/

const EMAIL =
  /(?<![\p{L}\p{N}_%+])[\p{L}\p{N}_%+][\p{L}\p{N}._%+'-]{0,253}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu

/** The built-in rules, in their order: whole blocks, then labelled values, then shapes that are known, then numbers. */
export const redactionRules: readonly RedactionRule[] = [
  { type: 'private_key', find: findPrivateKeys },
  rule('token', AUTHORIZATION, { sign: /authorization/i }),
  rule('token', BEARER, { sign: /bearer/i }),
  rule('cookie', COOKIE, { sign: /cookie/i }),
  rule('secret', SECRET, { sign: /key|secret|token|pass|pwd|credential/i }),
  rule('token', TOKEN),
  rule('token', WEBHOOK, { sign: /https:\/\// }),
  rule('connection_string', CONNECTION_STRING, { sign: /:\/\// }),
  rule('connection_string', CREDENTIAL_URL, { sign: /:\/\// }),
  { type: 'iban', sign: /[A-Z]\d\d/, find: findIbans },
  rule('payment', PAYMENT, { sign: MANY_DIGITS, accepts: isPaymentNumber }),
  rule('phone', INTERNATIONAL_PHONE, { sign: MANY_DIGITS, accepts: hasDigits(8, 15) }),
  rule('phone', NORTH_AMERICAN_PHONE, { sign: MANY_DIGITS }),
  rule('phone', NATIONAL_PHONE, { sign: MANY_DIGITS, accepts: hasDigits(9, 15) }),
  rule('phone', LABELLED_PHONE, { sign: MANY_DIGITS }),
  rule('email', EMAIL, { sign: /@/ }),
]

function rule(
  type: string,
  pattern: RegExp,
  {
    sign,
    accepts = () => true,
  }: { readonly sign?: RegExp; readonly accepts?: (match: string) => boolean } = {},
): RedactionRule {
  return { type, sign, find: (text) => findMatches(text, pattern, accepts) }
}

function* findMatches(
  text: string,
  pattern: RegExp,
  accepts: (match: string) => boolean,
): Generator<Span> {
  for (const { index, 0: match } of text.matchAll(pattern)) {
    if (accepts(match)) yield { start: index, end: index + match.length }
  }
}

/** The pattern may run on into the next capital words; groups are given back until the check digits are right. */
function* findIbans(text: string): Generator<Span> {
  for (const { index, 0: match } of text.matchAll(IBAN)) {
    let candidate = match
    while (candidate !== '' && !isIban(candidate)) {
      candidate = candidate.replace(/(?:^|[ \u00A0-])[A-Z0-9]*$/, '')
    }
    if (candidate !== '') yield { start: index, end: index + candidate.length }
  }
}

function hasDigits(minimum: number, maximum: number): (match: string) => boolean {
  return (match) => {
    const count = match.replaceAll(/\D/g, '').length
    return count >= minimum && count <= maximum
  }
}
