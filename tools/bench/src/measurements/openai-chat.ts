import OpenAI from 'openai'

/** What is said to a model, or to an agent in its place. */
export interface Question {
  readonly messages: OpenAI.ChatCompletionMessageParam[]
  /** Of an agent: whose memory it is. */
  readonly userId?: string | undefined
  readonly session?: string | undefined
}

/** Asks through the `openai` package, as users do. */
export interface OpenAiChat {
  /** Resolves, after the whole answer, with the milliseconds to its first text. */
  firstText(question: Question): Promise<number>
  /** @throws Error when the answer says nothing. */
  answer(question: Question): Promise<void>
}

/** Makes what asks that model at that address. */
export function createOpenAiChat(options: {
  readonly baseUrl: string
  readonly apiKey: string
  readonly model: string
}): OpenAiChat {
  const { baseUrl: baseURL, apiKey, model } = options
  const openai = new OpenAI({ baseURL, apiKey, maxRetries: 0 })
  const body = ({ messages, userId }: Question) => ({
    model,
    messages,
    ...(userId !== undefined && { user: userId }),
  })
  return {
    async firstText(question) {
      const started = performance.now()
      const stream = await openai.chat.completions.create(
        { ...body(question), stream: true },
        headersOf(question),
      )
      let took: number | undefined
      for await (const { choices } of stream) {
        if (choices[0]?.delta.content) took ??= performance.now() - started
      }
      if (took === undefined) throw new Error(`${model} said nothing.`)
      return took
    },
    async answer(question) {
      const { choices } = await openai.chat.completions.create(body(question), headersOf(question))
      if (!choices[0]?.message.content) throw new Error(`${model} said nothing.`)
    },
  }
}

function headersOf({ session }: Question) {
  return { headers: session === undefined ? {} : { 'x-loam-session-id': session } }
}
