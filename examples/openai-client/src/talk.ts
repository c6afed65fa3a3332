import OpenAI from 'openai'

/** Says one thing to an agent in a new conversation, and gives the answer. */
export async function talk(loam: {
  readonly url: string
  readonly apiKey: string
  readonly user: string
  readonly session: string
  readonly text: string
}): Promise<string> {
  const { url, apiKey, user, session, text } = loam
  const openai = new OpenAI({ apiKey, baseURL: `${url}/v1` }) // changed: Loam's address
  const answer = await openai.chat.completions.create(
    {
      model: 'loam:concierge', // changed: an agent in place of a model
      user,
      messages: [{ role: 'user', content: text }],
    },
    { headers: { 'X-Loam-Session-Id': session } },
  )
  return answer.choices[0]?.message.content ?? ''
}
