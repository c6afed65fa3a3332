import type { InputIssue } from '@loam/core'

/** What the API says to its callers, and what a command says in its place. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/ POST \/v1\/agents makes one\./, ' Make one with "loam agent create <key>".'],
  [/ PUT makes one\./, ' Write one with "loam files put".'],
  [/ POST …\/summon begins it\./, ' Begin it with "loam agent summon <key>".'],
  [/, and send its new ETag as If-Match\./, ', and edit that.'],
  [
    /, and If-Match names one\. Leave If-Match out to make it\./,
    '. Write one with "loam files put".',
  ],
  [/^The body is larger than/, 'What was to be sent is larger than'],
  // A sentence about a request that has no command.
  [/ (?:GET|POST|PUT|PATCH|DELETE) (?:\/|…)[^ ]*[^.]*\.$/, ''],
  [/\(senderId\)/g, '(--sender)'],
  [/\bsenderId\b/g, '--sender'],
  [/\buserId\b/g, '--user'],
]

/** Fields of requests, by the option or argument that they come from. */
const FIELDS: Readonly<Record<string, string>> = {
  agent: '--agent',
  description: '--description',
  displayName: '--name',
  instruction: '--instruction',
  key: '<key>',
  limit: '--limit',
  maxResults: '--max-results',
  minScore: '--min-score',
  mode: '--mode',
  query: '<query>',
  senderId: '--sender',
  session: '--session',
  user: '--user',
  userId: '--user',
}

/** A message of the API in the words of the command line: options and commands, where it speaks of fields and requests. */
export function inCommandWords(message: string): string {
  const named = message.replace(/^(\w+): /, (whole, field: string) =>
    Object.hasOwn(FIELDS, field) ? `${FIELDS[field]}: ` : whole,
  )
  return PHRASES.reduce((text, [pattern, words]) => text.replace(pattern, words), named)
}

/** An issue as it is printed. */
export function issueInCommandWords({ path, message }: InputIssue): string {
  const words = inCommandWords(message)
  if (path === '') return words
  return `${Object.hasOwn(FIELDS, path) ? FIELDS[path] : path}: ${words}`
}
