import { loamMiddleware, loamTools } from '@loam/ai-sdk'
import type { LoamClient } from '@loam/client'
import { generateText, stepCountIs, wrapLanguageModel } from 'ai'

/** Says one thing to a model in a new conversation, and gives the answer. The model runs in this process. */
export async function talk(
  loam: LoamClient,
  model: Parameters<typeof wrapLanguageModel>[0]['model'],
  said: { readonly userId: string; readonly session: string; readonly text: string },
): Promise<string> {
  const { userId, session, text: prompt } = said
  const conversation = { agent: 'concierge', userId, session }
  const { text } = await generateText({
    model: wrapLanguageModel({ model, middleware: loamMiddleware(loam, conversation) }),
    tools: await loamTools(loam, conversation),
    stopWhen: stepCountIs(5),
    prompt,
  })
  return text
}
