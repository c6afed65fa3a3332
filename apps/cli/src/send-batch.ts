import { headOf } from '@loam/text'
import type { ApiClient } from './api/api-client.js'
import { ApiError } from './api/api-error.js'
import { route } from './api/route.js'
import type { ImportedMessage, ImportedSession } from './importers/import-record.js'

/** A message on its way to the API. */
export interface BatchEntry {
  /** Where it stands in the file. */
  readonly place: string
  readonly message: ImportedMessage
}

/** Where messages go, and who is told what became of them. */
export interface BatchTarget {
  readonly client: ApiClient
  readonly agent: string
  readonly session: ImportedSession
  readonly onStored: (result: { readonly stored: number; readonly duplicates: number }) => void
  /** May throw, which ends the sending. */
  readonly refuse: (report: { readonly place: string; readonly problem: string }) => void
}

/**
 * Sends messages of one session, in order. When the API refuses a batch, the messages that its issues name are refused; if
 * they name none, the batch is sent in halves until the single messages are found, with less than two requests a message.
 */
export async function sendBatch(
  target: BatchTarget,
  entries: readonly BatchEntry[],
): Promise<void> {
  if (entries.length === 0) return
  let refusal: ApiError
  try {
    target.onStored(await post(target, entries))
    return
  } catch (error) {
    if (!isRefusal(error)) throw error
    refusal = error
  }
  const faults = await faultsOf(refusal, target, entries)
  if (faults.size > 0) {
    for (const [{ place }, problem] of faults) target.refuse({ place, problem })
    const rest = entries.filter((entry) => !faults.has(entry))
    await sendBatch(target, rest)
    return
  }
  const middle = Math.ceil(entries.length / 2)
  await sendBatch(target, entries.slice(0, middle))
  await sendBatch(target, entries.slice(middle))
}

/** Longest title of a session, as the API has it. */
const MAX_TITLE_LENGTH = 500

async function post(
  { client, agent, session: { key, userId, title } }: BatchTarget,
  entries: readonly BatchEntry[],
): Promise<{ readonly stored: number; readonly duplicates: number }> {
  return await client.post(route`/v1/agents/${agent}/sessions/${key}/messages`, {
    userId,
    ...(title !== undefined && { newSession: { title: headOf(title, MAX_TITLE_LENGTH) } }),
    messages: entries.map(({ message }) => message),
  })
}

/** Answers about what was sent; others are about the key, its rights, or the server. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 409, 413, 422])

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && REFUSALS.has(error.status)
}

/**
 * The messages known to be at fault, each with its problem; none when it takes smaller batches to tell.
 *
 * @throws ApiError when no message is at fault.
 */
async function faultsOf(
  refusal: ApiError,
  { client, agent, session }: BatchTarget,
  entries: readonly BatchEntry[],
): Promise<ReadonlyMap<BatchEntry, string>> {
  const named = namedFaults(refusal, entries)
  if (named.size > 0) return named
  // With an agent that exists, what was not found is a session of this user. Without one, this throws.
  if (refusal.status === 404) await client.get(route`/v1/agents/${agent}`)
  const { issues } = refusal
  if (session.userId === undefined && issues.some(({ path }) => path === 'userId')) throw refusal
  const isOfSession =
    refusal.status === 404 ||
    (issues.length > 0 && issues.every(({ path }) => /^(userId|session)\b/.test(path)))
  return new Map(
    isOfSession || entries.length === 1 ? entries.map((entry) => [entry, refusal.message]) : [],
  )
}

/** The messages that the issues of an answer name, as `messages.<index>`. */
function namedFaults(
  { issues }: ApiError,
  entries: readonly BatchEntry[],
): ReadonlyMap<BatchEntry, string> {
  const faults = new Map<BatchEntry, string>()
  for (const { path, message } of issues) {
    const [, index, field] = /^messages\.(\d+)(?:\.(.+))?$/.exec(path) ?? []
    const entry = index === undefined ? undefined : entries[Number(index)]
    if (entry === undefined) continue
    const problem = field === undefined ? message : `${field}: ${message}`
    const before = faults.get(entry)
    faults.set(entry, before === undefined ? problem : `${before}; ${problem}`)
  }
  return faults
}
