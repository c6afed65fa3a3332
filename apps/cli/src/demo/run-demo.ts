import type { Connection } from '../api/connect.js'
import { ensureAgent } from '../api/ensure-agent.js'
import { route, withQuery } from '../api/route.js'
import type { EpisodeItem, FoundItem, FoundItems } from '../api/shapes.js'
import { importConversations, type ImportSummary } from '../import-conversations.js'
import type { ImportRecord } from '../importers/import-record.js'
import { readLocomoSamples } from '../importers/locomo-questions.js'
import { readConversations } from '../importers/read-conversations.js'
import type { Output } from '../output.js'
import { createProgress } from '../progress.js'
import { chooseQuestions } from './choose-questions.js'
import type { DemoMessage, DemoQuestion } from './demo-question.js'
import { DEMO_USER, EXAMPLE_FILE, EXAMPLE_QUESTIONS } from './example.js'

const AGENT = 'demo'
const QUESTIONS = 3
const RESULTS = 3
/** From more messages than these no questions are chosen, so that memory stays bounded. */
const MESSAGES_REMEMBERED = 20_000

/** How a question was answered. */
export interface DemoAnswer {
  readonly question: string
  readonly results: readonly FoundItem[]
  readonly milliseconds: number
  /** Whether what should be recalled was among the results; without an expectation, whether anything was. */
  readonly isRecalled: boolean
}

/** Everything that a demo did. */
export interface DemoReport {
  readonly file: string
  readonly format: string
  readonly stored: ImportSummary
  readonly episodes: readonly EpisodeItem[]
  readonly answers: readonly DemoAnswer[]
  readonly timingsMs: { readonly store: number; readonly episodes: number }
  /** Whether all of it happened: something stored, an episode, and every question answered. */
  readonly isComplete: boolean
}

/** Runs the whole loop on a file, or on the example: store, make episodes, recall. */
export async function runDemo(
  file: string | undefined,
  { connection, output }: { readonly connection: Connection; readonly output: Output },
): Promise<DemoReport> {
  const { client } = connection
  const path = file ?? EXAMPLE_FILE
  await ensureAgent(client, AGENT)

  const storeStarted = performance.now()
  const remembered: DemoMessage[] = []
  let bytesRead = 0
  const { format } = await readConversations(path)
  const conversations = await readConversations(path, {
    userId: format === 'locomo' ? undefined : DEMO_USER,
    onProgress: (bytes) => {
      bytesRead = bytes
    },
  })
  const progress = createProgress(conversations.size, output)
  const stored = await importConversations(remember(conversations.records(), remembered), {
    client,
    agent: AGENT,
    skipBad: true,
    onBatch: ({ stored: count }) => progress.update(bytesRead, `${count} stored`),
  }).finally(() => progress.stop())

  const episodesStarted = performance.now()
  await connection.settle()
  const answersStarted = performance.now()
  const { items: episodes } = await client.get<{ readonly items: readonly EpisodeItem[] }>(
    withQuery(route`/v1/agents/${AGENT}/episodic`, { allUsers: 'true', limit: 200 }),
  )
  const questions =
    file === undefined
      ? EXAMPLE_QUESTIONS
      : format === 'locomo'
        ? await locomoQuestions(file)
        : chooseQuestions(remembered, QUESTIONS)
  const answers: DemoAnswer[] = []
  for (const question of questions) answers.push(await ask(connection, question))

  return {
    file: path,
    format,
    stored,
    episodes,
    answers,
    timingsMs: {
      store: episodesStarted - storeStarted,
      episodes: answersStarted - episodesStarted,
    },
    isComplete:
      stored.stored > 0 &&
      episodes.length > 0 &&
      answers.length > 0 &&
      answers.every(({ isRecalled }) => isRecalled),
  }
}

async function* remember(
  records: AsyncIterable<ImportRecord>,
  remembered: DemoMessage[],
): AsyncGenerator<ImportRecord> {
  for await (const record of records) {
    yield record
    if (record.type !== 'message' || remembered.length >= MESSAGES_REMEMBERED) continue
    const { role, content, origin } = record.message
    if (origin === 'system' || role === 'tool') continue
    const text =
      typeof content === 'string'
        ? content
        : (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join(' ')
    remembered.push({ userId: record.session.userId ?? '', role, text })
  }
}

/** One question of each of the three largest kinds that name their evidence. */
async function locomoQuestions(path: string): Promise<readonly DemoQuestion[]> {
  for await (const { userId, turnIds, questions } of readLocomoSamples(path)) {
    const answerable = questions.filter(
      ({ evidence }) => evidence.length > 0 && evidence.every((id) => turnIds.has(id)),
    )
    const byCategory = [4, 2, 1].flatMap(
      (category) => answerable.find((question) => question.category === category) ?? [],
    )
    const chosen = [...byCategory, ...answerable.filter((item) => !byCategory.includes(item))]
    return chosen.slice(0, QUESTIONS).map(({ text }) => ({ text, userId }))
  }
  return []
}

async function ask(
  { client }: Connection,
  { text, userId, expected }: DemoQuestion,
): Promise<DemoAnswer> {
  const started = performance.now()
  const { results } = await client.post<FoundItems>(route`/v1/agents/${AGENT}/memory/search`, {
    query: text,
    userId,
    maxResults: RESULTS,
    sources: ['messages'],
    explain: true,
  })
  const milliseconds = performance.now() - started
  const isRecalled =
    expected === undefined
      ? results.length > 0
      : results.some(({ messageId }) => messageId !== undefined && expected.includes(messageId))
  return { question: text, results, milliseconds, isRecalled }
}
