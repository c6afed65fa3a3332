import type { MessageInput } from './message-input.js'

type Part = Extract<MessageInput['content'], readonly unknown[]>[number]
type Call = NonNullable<MessageInput['toolCalls']>[number]

/** Most text of one message with its calls, in UTF-16 code units: what Loam takes, less what joins its parts. */
const MAX_LENGTH = 1_000_000
/** Most parts of one message, and most calls. */
const MAX_PARTS = 1_000
const MAX_ID_LENGTH = 500
const MAX_FILE_NAME_LENGTH = 1_000
const MAX_MEDIA_TYPE_LENGTH = 255

/**
 * The message as Loam takes it, and gives it back. What a model wrote nobody can put right any more, so nothing is refused: what
 * is too long is divided among several messages, in order, and what cannot be divided is cut.
 */
export function toStorable(message: MessageInput): readonly MessageInput[] {
  const whole = clean(message)
  if (fits(whole)) return [whole]
  return divide(whole).map((piece, index) =>
    index === 0 ? piece : { ...piece, id: `${piece.id}/${index}` },
  )
}

function clean({ content, toolCalls, toolCallId = '', ...rest }: MessageInput): MessageInput {
  const callId = cut(toolCallId, MAX_ID_LENGTH)
  return {
    ...rest,
    content: Array.isArray(content) ? content.map(cleanPart) : content && cleanText(content),
    ...(toolCalls !== undefined && { toolCalls: toolCalls.map(cleanCall) }),
    ...(callId !== '' && { toolCallId: callId }),
  }
}

function cleanPart(part: Part): Part {
  if (part.type === 'text') return { ...part, text: cleanText(part.text) }
  if (part.type === 'image') return part
  const { name, mediaType } = part
  return {
    ...part,
    ...(name !== undefined && { name: cut(name, MAX_FILE_NAME_LENGTH) }),
    ...(mediaType !== undefined && { mediaType: cut(mediaType, MAX_MEDIA_TYPE_LENGTH) }),
  }
}

function cleanCall(call: Call): Call {
  return {
    id: cut(call.id, MAX_ID_LENGTH),
    name: cut(call.name, MAX_ID_LENGTH),
    arguments: cut(call.arguments, MAX_LENGTH),
  }
}

function cut(text: string, length: number): string {
  return cleanText(text.slice(0, length))
}

/** What Loam makes of a text before it stores it; compared with what is stored, it must be the same. */
function cleanText(text: string): string {
  return text
    .replaceAll('\0', '')
    .replace(/^\uFEFF+/, '')
    .replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD')
}

function fits({ content, toolCalls = [] }: MessageInput): boolean {
  const parts = partsOf(content)
  const texts = [...parts.map(textOf), ...toolCalls.map((call) => call.arguments)]
  return (
    Math.max(parts.length, toolCalls.length) <= MAX_PARTS &&
    texts.reduce((sum, { length }) => sum + length, 0) <= MAX_LENGTH
  )
}

/** Makes each stretch of text, each other part and each call a message. */
function divide({ content, toolCalls = [], ...rest }: MessageInput): readonly MessageInput[] {
  const said = partsOf(content).flatMap((part): MessageInput['content'][] => {
    if (part.type !== 'text') return [[part]]
    return typeof content === 'string'
      ? slices(part.text)
      : slices(part.text).map((text) => [{ type: 'text', text }])
  })
  return [
    ...said.map((piece) => ({ ...rest, content: piece })),
    ...toolCalls.map((call) => ({ ...rest, content: null, toolCalls: [call] })),
  ]
}

function partsOf(content: MessageInput['content']): readonly Part[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
}

function textOf(part: Part): string {
  return part.type === 'text' ? part.text : ''
}

function slices(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length; from += pieces.at(-1)?.length ?? 0) {
    const to = from + MAX_LENGTH
    // Apart, the halves of a pair are none.
    const isPair = /^[\uD800-\uDBFF]/.test(text.charAt(to - 1))
    pieces.push(text.slice(from, isPair ? to - 1 : to))
  }
  return pieces
}
