import { dynamicTool, jsonSchema, type ToolSet } from 'ai'
import type { Conversation, ConversationClient } from './conversation.js'
import { OWN_TOOL } from './own-tools.js'

/**
 * The tools that an agent has for a user, for `tools` of `generateText` and `streamText`: memory, skills and files.
 *
 * What a tool could not do reaches the model as the tool's error. Give `stopWhen: stepCountIs(n)` as well, so that the model may
 * answer after it has called one.
 *
 * @throws ApiError when there is no such agent, or the key may not act for the user.
 */
export async function loamTools(
  client: Pick<ConversationClient, 'callTool' | 'listTools'>,
  { agent, userId }: Omit<Conversation, 'session'>,
): Promise<ToolSet> {
  const { items } = await client.listTools({ agent, userId })
  return Object.fromEntries(
    items.map(({ name, title, description, inputSchema }) => [
      name,
      dynamicTool({
        description,
        ...(title !== undefined && { title }),
        inputSchema: jsonSchema(inputSchema),
        providerOptions: OWN_TOOL,
        async execute(input, { abortSignal }) {
          const call = { agent, userId, tool: name, arguments: input as Record<string, unknown> }
          const { content, isError } = await client.callTool(call, { signal: abortSignal })
          if (isError) throw new Error(content)
          return content
        },
      }),
    ]),
  )
}
