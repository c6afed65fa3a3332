import { describeThrown } from '@loam/core'
import type { LoamConfig } from '@loam/runtime'
import { z } from 'zod'
import type { Finding } from './finding.js'

const ANSWER_WITHIN_MS = 5000

const modelListSchema = z.object({ data: z.array(z.object({ id: z.string() })) })

/**
 * Whether the model endpoint answers, takes the key, and has the models. Asks for the list of models, which costs nothing; not
 * every endpoint has one.
 */
export async function checkModelEndpoint({
  model,
}: Pick<LoamConfig, 'model'>): Promise<readonly Finding[]> {
  if (model.baseUrl === undefined) return []
  try {
    const response = await fetch(`${model.baseUrl.replace(/\/+$/, '')}/models`, {
      headers: model.apiKey === undefined ? {} : { authorization: `Bearer ${model.apiKey}` },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    const { status } = response
    if (status === 401 || status === 403) {
      await response.body?.cancel()
      const cure = model.apiKey === undefined ? 'Set' : 'Check'
      return [finding('broken', `It refuses the key (${status}). ${cure} LOAM_MODEL_API_KEY.`)]
    }
    if (status >= 500) {
      await response.body?.cancel()
      return [finding('broken', `It answers ${status}. Try again later.`)]
    }
    const list = modelListSchema.safeParse(await response.json().catch(() => undefined))
    if (!list.success) return [finding('ok', `It answers (${status}), and lists no models.`)]
    const names = list.data.data.map(({ id }) => id)
    return [
      finding('ok', `It answers (${status}).`),
      ...unlisted('LOAM_CHAT_MODEL', model.chatModel, names),
      ...unlisted('LOAM_EMBEDDING_MODEL', model.embeddingModel, names),
    ]
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = describeThrown(cause).replace(/^(?:Error: )?/, '')
    return [finding('broken', `It does not answer: ${reason}. Check LOAM_MODEL_BASE_URL.`)]
  }
}

/** A model that is not in the list may still be there under another name, as with Ollama's tags. */
function unlisted(
  setting: string,
  name: string | undefined,
  names: readonly string[],
): readonly Finding[] {
  if (name === undefined || names.length === 0) return []
  const isListed = names.some((listed) => listed === name || listed.startsWith(`${name}:`))
  return isListed
    ? []
    : [finding('warning', `It does not list the model "${name}". Check ${setting}.`)]
}

function finding(state: Finding['state'], detail: string): Finding {
  return { area: 'Models', name: 'model endpoint', state, detail }
}
