import type { SystemPromptInput } from '../src/index.js'

/** Every member, at every depth, is required and not undefined; every list has an entry. */
type Everything<Value> = Value extends string | number | boolean | Date
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly [Everything<Item>, ...Everything<Item>[]]
    : { readonly [Key in keyof Value]-?: Everything<Exclude<Value[Key], undefined>> }

/**
 * An input with every field that there is: a new one in `SystemPromptInput` does not compile until it stands here, and from
 * here it gets into the tests of what interpolated text may do.
 */
export const everything = {
  mode: 'full',
  order: 'cache',
  agent: { key: 'helper', displayName: 'Helper', type: 'predefined' },
  channel: { platform: 'telegram', chatId: 'chat-7', kind: 'group', title: 'Book club' },
  user: { id: 'ann', displayName: 'Ann Example' },
  owners: ['olga'],
  time: { now: new Date('2026-03-14T23:30:00Z'), timezone: 'Europe/Berlin' },
  tools: [
    { name: 'write_file', description: 'Writes a file' },
    { name: 'memory_search', description: 'Searches memory' },
  ],
  skills: {
    mode: 'inline',
    available: [
      {
        slug: 'pdf',
        name: 'PDF forms',
        description: 'Fills in forms',
        location: '/skills/pdf',
        body: 'Steps of PDF',
      },
    ],
    pinned: [
      {
        slug: 'style',
        name: 'House style',
        description: 'How we write',
        location: '/skills/style',
        body: 'Steps of style',
      },
    ],
  },
  workspace: { path: '/srv/work', notes: 'Drafts go to drafts/' },
  sandbox: { notes: 'No network' },
  contextFiles: [
    { name: 'AGENTS.md', content: 'Work with care', origin: 'agent', truncated: true },
    { name: 'USER.md', content: 'Ann likes tea', origin: 'user', truncated: false },
  ],
  unavailableFiles: ['IDENTITY.md'],
  virtualFiles: [{ name: 'TEAM.md', content: 'The team is Ann and Bob' }],
  memories: [{ text: 'Ann flew to Lisbon', source: 'memory/travel.md' }],
  extraPrompt: 'The topic is travel',
  sessionKind: 'group',
  messaging: { notes: 'Replies are short here' },
  silentToken: 'NOTHING_TO_SAY',
  canSpawn: true,
  runtime: { model: 'model-x', version: '1.2.3', host: 'host-9' },
  sections: {
    stablePrefix: 'Provider prefix',
    dynamicSuffix: 'Provider suffix',
    overrides: { '12': 'Stay silent with NOTHING_TO_SAY' },
  },
} as const satisfies Everything<SystemPromptInput>

/** Members with a fixed set of values: another value is refused, and so never reaches a prompt. */
const CHOICES = new Set([
  'mode',
  'order',
  'sessionKind',
  'agent.type',
  'channel.kind',
  'skills.mode',
  'contextFiles.0.origin',
  'contextFiles.1.origin',
])

/** The paths of all texts in `everything` that are free to choose, such as `agent.displayName`. */
export const TEXT_FIELDS: readonly string[] = textFieldsOf(everything, '')

function textFieldsOf(value: unknown, path: string): string[] {
  if (typeof value === 'string') return CHOICES.has(path) ? [] : [path]
  if (typeof value !== 'object' || value === null || value instanceof Date) return []
  return Object.entries(value).flatMap(([key, member]) =>
    textFieldsOf(member, path === '' ? key : `${path}.${key}`),
  )
}

/** The text in `input` at a path. */
export function textAt(input: SystemPromptInput, path: string): string {
  let value: unknown = input
  for (const key of path.split('.')) value = Reflect.get(Object(value), key)
  return String(value)
}

/** `input` with another text at a path. */
export function withText(input: SystemPromptInput, path: string, text: string): SystemPromptInput {
  return replaced(input, path.split('.'), text)
}

function replaced<Value>(value: Value, [key, ...rest]: readonly string[], text: string): Value
function replaced(value: unknown, [key, ...rest]: readonly string[], text: string): unknown {
  if (key === undefined) return text
  const member = replaced(Reflect.get(Object(value), key), rest, text)
  if (Array.isArray(value)) return value.with(Number(key), member)
  return { ...Object(value), [key]: member }
}
