import { z } from '@hono/zod-openapi'

const finishReasonSchema = z
  .string()
  .openapi({ description: 'Why it ended: stop, length, tool_calls or content_filter.' })

const toolCallFields = {
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string(),
    arguments: z.string().openapi({ description: 'JSON, as the model wrote it.' }),
  }),
}

const usageSchema = z
  .strictObject({
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int(),
  })
  .openapi('ChatUsage', { description: 'Of all requests to the model that the answer took.' })

const headFields = {
  id: z.string(),
  created: z.int().openapi({ description: 'Seconds since 1970.' }),
  model: z.string(),
}
const warningsField = z
  .array(z.string())
  .optional()
  .openapi({ description: 'What the agent had to do without.' })

/** A whole answer (spec of OpenAI's API, `CreateChatCompletionResponse`). */
export const completionSchema = z
  .strictObject({
    ...headFields,
    object: z.literal('chat.completion'),
    choices: z.array(
      z.strictObject({
        index: z.int(),
        message: z.strictObject({
          role: z.literal('assistant'),
          content: z.string().nullable(),
          refusal: z.null(),
          tool_calls: z.array(z.strictObject(toolCallFields)).optional(),
        }),
        finish_reason: finishReasonSchema,
        logprobs: z.null(),
      }),
    ),
    usage: usageSchema.optional(),
    warnings: warningsField,
  })
  .openapi('ChatCompletion')

/** A piece of an answer on its way (spec of OpenAI's API, `CreateChatCompletionStreamResponse`). */
export const completionChunkSchema = z
  .strictObject({
    ...headFields,
    object: z.literal('chat.completion.chunk'),
    choices: z.array(
      z.strictObject({
        index: z.int(),
        delta: z.strictObject({
          role: z.literal('assistant').optional(),
          content: z.string().optional(),
          tool_calls: z.array(z.strictObject({ index: z.int(), ...toolCallFields })).optional(),
        }),
        finish_reason: finishReasonSchema.nullable(),
        logprobs: z.null(),
      }),
    ),
    usage: usageSchema.nullish(),
    warnings: warningsField,
  })
  .openapi('ChatCompletionChunk')
