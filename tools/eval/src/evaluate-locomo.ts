import {
  ensureAgent,
  importConversations,
  readConversations,
  readLocomoSamples,
  route,
  type ApiClient,
  type FoundItems,
  type ImportRecord,
  type ImportSummary,
  type LocomoSample,
} from '@loam/cli'
import type { RankedQuestion } from './recall.js'

/** Most results that a search gives. */
const MAX_RESULTS = 50

/** How to evaluate. */
export interface EvaluateLocomoOptions {
  readonly client: ApiClient
  readonly agent: string
  /** Only the first ones. Default: all. */
  readonly conversations?: number | undefined
  readonly onProgress?: ((note: string) => void) | undefined
}

/** A question with its conversation. */
export interface AnsweredQuestion extends RankedQuestion {
  readonly sample: LocomoSample
  readonly text: string
  readonly milliseconds: number
}

/** What was asked and found. */
export interface LocomoEvaluation {
  readonly imported: ImportSummary
  readonly importMs: number
  readonly questions: readonly AnsweredQuestion[]
}

/** Imports a LoCoMo file through the API, then asks each question in its own conversation. */
export async function evaluateLocomo(
  path: string,
  options: EvaluateLocomoOptions,
): Promise<LocomoEvaluation> {
  const { client, agent, conversations: limit = Infinity, onProgress = () => {} } = options
  const samples: LocomoSample[] = []
  for await (const sample of readLocomoSamples(path)) {
    if (samples.length >= limit) break
    samples.push(sample)
  }
  await ensureAgent(client, agent)
  const started = performance.now()
  const users = new Set(samples.map(({ userId }) => userId))
  const { records } = await readConversations(path, { format: 'locomo' })
  const imported = await importConversations(ofUsers(records(), users), {
    client,
    agent,
    runs: false,
    onBatch: ({ stored }) => onProgress(`${stored} turns stored`),
  })
  const importMs = performance.now() - started

  const questions: AnsweredQuestion[] = []
  for (const sample of samples) {
    for (const { text, category, evidence } of sample.questions) {
      const searched = performance.now()
      const { results } = await client.post<FoundItems>(route`/v1/agents/${agent}/memory/search`, {
        query: text,
        userId: sample.userId,
        sources: ['messages'],
        maxResults: MAX_RESULTS,
      })
      const milliseconds = performance.now() - searched
      const retrieved = results.flatMap(({ messageId }) => messageId ?? [])
      questions.push({ sample, text, category, evidence, retrieved, milliseconds })
    }
    onProgress(`${questions.length} questions asked`)
  }
  return { imported, importMs, questions }
}

async function* ofUsers(
  records: AsyncIterable<ImportRecord>,
  users: ReadonlySet<string>,
): AsyncGenerator<ImportRecord> {
  for await (const record of records) {
    if (record.type === 'bad' || users.has(record.session.userId ?? '')) yield record
  }
}
