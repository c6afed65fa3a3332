import type { LoamConfig } from '@loam/runtime'
import type { Finding } from './finding.js'

const ANSWER_WITHIN_MS = 5000

/** Whether the model endpoint answers and takes the key. Asks for the list of models, which costs nothing. */
export async function checkModelEndpoint({
  model,
}: Pick<LoamConfig, 'model'>): Promise<readonly Finding[]> {
  if (model.baseUrl === undefined) return []
  const name = 'model endpoint'
  try {
    const response = await fetch(`${model.baseUrl.replace(/\/+$/, '')}/models`, {
      headers: model.apiKey === undefined ? {} : { authorization: `Bearer ${model.apiKey}` },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    await response.body?.cancel()
    if (response.status === 401 || response.status === 403) {
      return [{ name, state: 'broken', detail: 'It refuses the key. Check LOAM_MODEL_API_KEY.' }]
    }
    if (response.status >= 500) {
      return [{ name, state: 'broken', detail: `It answers ${response.status}. Try again later.` }]
    }
    return [{ name, state: 'ok', detail: `It answers (${response.status}).` }]
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    return [
      {
        name,
        state: 'broken',
        detail: `It does not answer: ${reason}. Check LOAM_MODEL_BASE_URL.`,
      },
    ]
  }
}
