import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3TextPart,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider'
import type { components } from '@loam/client'

/** A message as it is stored. */
export type MessageInput = components['schemas']['NewMessage']
type MessagePart = Extract<MessageInput['content'], readonly unknown[]>[number]

/** Longest address of a picture or a file that is kept. */
const MAX_URL_LENGTH = 8_192

/** A message of a prompt as it is stored. One of tools bears several results, each of which is a message. */
export function toMessageInputs(
  message: LanguageModelV3Message,
  ownTools: ReadonlySet<string>,
): readonly MessageInput[] {
  if (message.role === 'user') return [{ role: 'user', content: toContent(message.content) }]
  if (message.role !== 'tool') return []
  return message.content
    .filter((part) => part.type === 'tool-result')
    .map((part) => toToolMessage(part, ownTools))
}

/** What a user says in words. */
export function spokenText(message: LanguageModelV3Message): string | undefined {
  if (message.role !== 'user') return undefined
  const texts = message.content.filter((part) => part.type === 'text').map(({ text }) => text)
  return texts.join('\n')
}

function toContent(
  parts: readonly (LanguageModelV3TextPart | LanguageModelV3FilePart)[],
): NonNullable<MessageInput['content']> {
  const [first] = parts
  if (parts.length === 1 && first?.type === 'text') return first.text
  return parts.map(toPart)
}

/** Pictures and files are kept as references; bytes are none, and are left out. */
function toPart(part: LanguageModelV3TextPart | LanguageModelV3FilePart): MessagePart {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { data, filename, mediaType } = part
  const address = data instanceof URL ? data.href : undefined
  const isReference = address !== undefined && /^https?:/.test(address)
  const url = isReference && address.length <= MAX_URL_LENGTH ? { url: address } : {}
  if (mediaType.startsWith('image/')) return { type: 'image', ...url }
  return { type: 'file', ...url, mediaType, ...(filename !== undefined && { name: filename }) }
}

/** What Loam's own tools say is remembered already, and is not learned again. */
function toToolMessage(
  { toolCallId, toolName, output }: LanguageModelV3ToolResultPart,
  ownTools: ReadonlySet<string>,
): MessageInput {
  return {
    role: 'tool',
    toolCallId,
    content: outputText(output),
    ...(ownTools.has(toolName) && { origin: 'injected' }),
  }
}

function outputText(output: LanguageModelV3ToolResultPart['output']): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value
  if (output.type === 'execution-denied') return output.reason ?? 'The user did not allow it.'
  if (output.type !== 'content') return JSON.stringify(output.value)
  return output.value
    .map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
    .join('\n')
}
