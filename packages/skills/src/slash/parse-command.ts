/** What a message asks for, before a skill is looked for. */
export type ParsedCommand =
  | { readonly verb: 'list' }
  /** `text` names a skill, and may go on behind its name. */
  | { readonly verb: 'help' | 'use'; readonly text: string }

/** Verb, names and suggestions are all found within so many characters. */
const MAX_LOOKED_AT = 1_000

/**
 * Reads a message as a command: the prefix with a word directly behind it. A mention in front, as groups have it, is passed
 * over. What looks like a path is none.
 */
export function parseCommand(message: string, prefix: string): ParsedCommand | undefined {
  const trimmed = message.trimStart()
  const start = trimmed.slice(0, MAX_LOOKED_AT)
  const mention = start.startsWith(prefix) ? '' : (MENTION.exec(start)?.[0] ?? '')
  if (!start.startsWith(prefix, mention.length)) return undefined
  const rest = trimmed.slice(mention.length + prefix.length)
  const verb = /^\S+/.exec(rest.slice(0, MAX_LOOKED_AT))?.[0]
  if (verb === undefined || verb.startsWith(prefix) || PATH.test(verb)) return undefined
  const behind = rest.slice(verb.length).trimStart()
  switch (verb.toLowerCase()) {
    case 'list-skills':
      return { verb: 'list' }
    case 'help':
      return behind === '' ? undefined : { verb: 'help', text: behind }
    case 'use':
    case 'activate':
      return behind === '' ? undefined : { verb: 'use', text: behind }
    default:
      return { verb: 'use', text: rest }
  }
}

const MENTION = /^@[^\s@/]{1,100}[,:]?\s+/
const PATH = /[/\\.]/
