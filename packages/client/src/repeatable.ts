/**
 * Gives an input the name that the server knows a repetition by, where it has none yet, so that a request whose answer
 * was lost can be sent again without doing anything twice.
 */
export function nameForRepetition(
  operation: string,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  switch (operation) {
    case 'storeMessages': {
      const { messages } = input
      if (!Array.isArray(messages)) return input
      return { ...input, messages: messages.map((message: object) => named(message, 'id')) }
    }
    case 'reportRun':
      return named(input, 'runId')
    case 'buildContext':
      return named(input, 'turnId')
    default:
      return input
  }
}

/** A field that is there without a value counts as none, since JSON does not send it. */
function named(input: object, field: string): Readonly<Record<string, unknown>> {
  const given: Readonly<Record<string, unknown>> = { ...input }
  return given[field] === undefined ? { ...given, [field]: newId() } : given
}

/** An id that nothing else has. */
export function newId(): string {
  return crypto.randomUUID()
}

/** Operations that do their work once more when they are sent once more, or answer differently then. */
const UNREPEATABLE = new Set([
  'createAgent',
  'createUserKey',
  'summonAgent',
  'resummonAgent',
  'regenerateAgent',
  'callTool',
  'forgetUserMemory',
  'replayDeadLetters',
])

/** Whether a request may be sent again after its answer was lost. */
export function isRepeatable(operation: string): boolean {
  return !UNREPEATABLE.has(operation)
}
