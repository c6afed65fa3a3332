import { InvalidInputError } from '@loam/core'
import { isObject } from './import-record.js'
import { jsonValues } from './json-stream.js'
import type { TextFile } from './text-file.js'

/** What a file can be; `-one` is a single conversation outside an array. */
export type DetectedFormat =
  | 'jsonl'
  | 'openai'
  | 'openai-one'
  | 'chatgpt'
  | 'chatgpt-one'
  | 'locomo'
  | 'locomo-one'

const LINES_LOOKED_AT = 20

/**
 * Tells from a file's content what it is; its name plays no part.
 *
 * @throws InvalidInputError when it is nothing that can be imported.
 */
export async function detectFormat(file: TextFile): Promise<DetectedFormat> {
  const format = file.head.trimStart().startsWith('[')
    ? await detectArray(file)
    : ((await detectLines(file)) ?? (await detectObject(file)))
  if (format !== undefined) return format
  throw new InvalidInputError({
    message: `"${file.path}" is in no format that can be imported. Known are JSON Lines of messages, an OpenAI messages array, a ChatGPT conversations.json, and a LoCoMo file.`,
  })
}

async function detectArray(file: TextFile): Promise<DetectedFormat | undefined> {
  for await (const { value } of jsonValues(file.chunks(), ['$.*'])) {
    if (!isObject(value)) return undefined
    if (isObject(value['mapping'])) return 'chatgpt'
    if (isObject(value['conversation'])) return 'locomo'
    if ('role' in value || Array.isArray(value['messages'])) return 'openai'
    return undefined
  }
  throw new InvalidInputError({ message: `"${file.path}" holds an empty array.` })
}

async function detectLines({ head, size }: TextFile): Promise<DetectedFormat | undefined> {
  const lines = head.split('\n').filter((line) => line.trim() !== '')
  if (lines[0]?.trim() === '{') return undefined
  // The last line of the head may be cut.
  const isWhole = Buffer.byteLength(head) >= size - 3
  const looked = (isWhole ? lines : lines.slice(0, -1)).slice(0, LINES_LOOKED_AT)
  // Indented lines belong to a document that spans lines.
  const first = looked
    .filter((line) => line.startsWith('{'))
    .map(parseObject)
    .find((value) => value !== undefined)
  if (first === undefined) return undefined
  if (isWhole && lines.length === 1) return detectKeys(first)
  return 'jsonl'
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

async function detectObject(file: TextFile): Promise<DetectedFormat | undefined> {
  if (!file.head.trimStart().startsWith('{')) return undefined
  const paths = ['$.messages.*', '$.mapping', '$.conversation', '$.role']
  for await (const { key, value } of jsonValues(file.chunks(), paths)) {
    return detectKeys(typeof key === 'number' ? { messages: [] } : { [String(key)]: value })
  }
  return undefined
}

function detectKeys(value: Record<string, unknown>): DetectedFormat | undefined {
  if (Array.isArray(value['messages'])) return 'openai-one'
  if (isObject(value['mapping'])) return 'chatgpt-one'
  if (isObject(value['conversation'])) return 'locomo-one'
  return 'role' in value ? 'jsonl' : undefined
}
