import { z } from '@hono/zod-openapi'
import type { Problem } from './problem.js'

/** The shape of errors that clients of OpenAI's API know. */
export const openAiErrorSchema = z
  .strictObject({
    error: z.strictObject({
      message: z.string(),
      type: z.string().openapi({ example: 'invalid_request_error' }),
      param: z.string().nullable().openapi({ description: 'Which field is wrong.' }),
      code: z.string().openapi({ example: 'invalid_input' }),
    }),
  })
  .openapi('OpenAiError')

/** See `openAiErrorSchema`. */
export type OpenAiError = z.infer<typeof openAiErrorSchema>

/** The error answers of a route in OpenAI's shape, for its description. */
export const openAiErrorResponses = {
  default: {
    description: 'What went wrong.',
    content: { 'application/json': { schema: openAiErrorSchema } },
  },
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
}

/** What OpenAI's API has below `/v1`, and whose clients expect its errors, whether Loam has it or not. */
const OPENAI_ROUTE =
  /^(?:\/v1)?\/(?:assistants|audio|batches|chat|completions|conversations|embeddings|files|fine_tuning|images|models|moderations|realtime|responses|threads|uploads|vector_stores|videos)(?:\/|$)/

/** Whether a path belongs to the routes that speak as OpenAI's API does. */
export function isOpenAiPath(path: string): boolean {
  return OPENAI_ROUTE.test(path)
}

/** The same problem as OpenAI's clients know it. */
export function toOpenAiError({ status, code, detail, issues = [] }: Problem): OpenAiError {
  const [first] = issues
  return {
    error: {
      message:
        first === undefined || detail.includes(first.message)
          ? detail
          : `${detail} ${first.message}`,
      type: TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error'),
      param: first === undefined || first.path === '' ? null : first.path,
      code,
    },
  }
}
