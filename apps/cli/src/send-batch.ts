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

/**
 * Sends messages of one session. Those that the API refuses are given to `refuse` by their place, and the rest is sent
 * without them, unless `refuse` throws.
 */
export async function sendBatch(
  client: ApiClient,
  agent: string,
  session: ImportedSession,
  entries: readonly BatchEntry[],
  refuse: (report: { readonly place: string; readonly problem: string }) => void,
): Promise<{ readonly stored: number; readonly duplicates: number }> {
  if (entries.length === 0) return { stored: 0, duplicates: 0 }
  const { key, userId, title } = session
  try {
    return await client.post(route`/v1/agents/${agent}/sessions/${key}/messages`, {
      userId,
      ...(title !== undefined && { session: { title: title.slice(0, MAX_TITLE_LENGTH) } }),
      messages: entries.map(({ message }) => message),
    })
  } catch (error) {
    const faults = faultsOf(error, entries)
    if (faults.size === 0) throw error
    for (const [{ place }, problem] of faults) refuse({ place, problem })
    const rest = entries.filter((entry) => !faults.has(entry))
    return await sendBatch(client, agent, session, rest, refuse)
  }
}

const MAX_TITLE_LENGTH = 1000

/** The entries that the API refused, by the issues that name them as `messages.<index>`. */
function faultsOf(error: unknown, entries: readonly BatchEntry[]): ReadonlyMap<BatchEntry, string> {
  const faults = new Map<BatchEntry, string>()
  if (!(error instanceof ApiError) || error.status !== 400) return faults
  for (const { path, message } of error.issues) {
    const [, index, field] = /^messages\.(\d+)(?:\.(.+))?$/.exec(path) ?? []
    const entry = index === undefined ? undefined : entries[Number(index)]
    if (entry === undefined) continue
    const problem = field === undefined ? message : `${field}: ${message}`
    const before = faults.get(entry)
    faults.set(entry, before === undefined ? problem : `${before}; ${problem}`)
  }
  return faults
}
