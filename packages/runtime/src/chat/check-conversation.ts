import { InvalidInputError, type CompletionMessage, type InputIssue } from '@loam/core'

const INSTRUCTION_ROLES: readonly string[] = ['system', 'developer']
const ROLES: readonly string[] = [...INSTRUCTION_ROLES, 'user', 'assistant', 'tool']

/** Whether a message tells the model what to do, rather than being part of the conversation. */
export function isInstruction({ role }: CompletionMessage): boolean {
  return INSTRUCTION_ROLES.includes(role)
}

/**
 * Checks what models refuse of a conversation: each call of a tool is followed by its result, and each result follows its call.
 *
 * @throws InvalidInputError naming every fault.
 */
export function checkConversation(messages: readonly CompletionMessage[]): void {
  const issues = [...unknownRoles(messages), ...brokenPairs(messages)]
  const [first] = issues
  if (first === undefined) return
  throw new InvalidInputError({ message: `${first.path}: ${first.message}.`, issues })
}

function unknownRoles(messages: readonly CompletionMessage[]): readonly InputIssue[] {
  return messages.flatMap(({ role }, index) =>
    ROLES.includes(role)
      ? []
      : [{ path: `messages.${index}.role`, message: `Must be one of ${ROLES.join(', ')}` }],
  )
}

function brokenPairs(messages: readonly CompletionMessage[]): readonly InputIssue[] {
  const issues: InputIssue[] = []
  let calling = -1
  let awaited: readonly string[] = []
  let known: readonly string[] = []
  const endCalls = (): void => {
    const [missing] = awaited
    if (missing === undefined) return
    issues.push({
      path: `messages.${calling}.tool_calls`,
      message: `The result of the call "${missing}" must follow, as a message of the role "tool"`,
    })
  }
  for (const [index, message] of messages.entries()) {
    if (isInstruction(message)) continue
    if (message.role !== 'tool') {
      endCalls()
      calling = index
      known = awaited = message.role === 'assistant' ? callIds(message) : []
      continue
    }
    const id = String(message.tool_call_id)
    if (!known.includes(id)) {
      issues.push({
        path: `messages.${index}.tool_call_id`,
        message: `"${id}" is no call of the message before. Send the assistant's message with its "tool_calls" first`,
      })
    }
    awaited = awaited.filter((each) => each !== id)
  }
  endCalls()
  return issues
}

/** The ids of the calls of tools in a message. */
export function callIds({ tool_calls: calls }: CompletionMessage): readonly string[] {
  if (!Array.isArray(calls)) return []
  return (calls as readonly ({ readonly id?: unknown } | null)[]).flatMap((call) =>
    typeof call?.id === 'string' ? [call.id] : [],
  )
}
