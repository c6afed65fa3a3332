import { createHash } from 'node:crypto'
import { InvalidInputError, type InputIssue } from '@loam/core'
import type { ApiClient } from './api/api-client.js'
import { route } from './api/route.js'
import type { ImportedSession, ImportRecord } from './importers/import-record.js'
import { sendBatch, type BatchEntry } from './send-batch.js'

/** How records are sent to the API. */
export interface ImportOptions {
  /** Undefined: reads and checks without sending. */
  readonly client: ApiClient | undefined
  readonly agent: string
  /** Skips bad records and counts them. Default false: the first one ends the import. */
  readonly skipBad?: boolean | undefined
  /** Reports a run at the end of each session, so that episodes are made. Default true. */
  readonly runs?: boolean | undefined
  readonly onBatch?: ((summary: ImportSummary) => void) | undefined
}

/** A record that was not taken. */
export interface BadRecordReport {
  readonly place: string
  readonly problem: string
}

/** What an import has done so far. */
export interface ImportSummary {
  readonly sessions: number
  readonly messages: number
  readonly stored: number
  readonly duplicates: number
  readonly runs: number
  readonly badCount: number
  /** The first hundred. */
  readonly bad: readonly BadRecordReport[]
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

interface Batch {
  readonly session: ImportedSession
  entries: BatchEntry[]
  size: number
  lastId: string
  /** Whether the API has any message of it. */
  isStored: boolean
}

const BATCH_MESSAGES = 100
const BATCH_CHARACTERS = 1_000_000
/** Bounds memory when a file mixes lines of very many sessions. */
const MAX_OPEN_BATCHES = 200
const BAD_REPORTED = 100

/**
 * Sends records to the API in batches. Running it again with the same records changes nothing: ids are stable, and the
 * API stores a message and counts a run only once.
 *
 * @throws InvalidInputError at the first bad record, unless `skipBad`; its message says how much was stored before.
 */
export async function importConversations(
  records: AsyncIterable<ImportRecord>,
  options: ImportOptions,
): Promise<ImportSummary> {
  const { client, agent, skipBad = false, runs = true } = options
  const summary: Mutable<ImportSummary> & { bad: BadRecordReport[] } = {
    sessions: 0,
    messages: 0,
    stored: 0,
    duplicates: 0,
    runs: 0,
    badCount: 0,
    bad: [],
  }
  const batches = new Map<string, Batch>()

  const refuse = ({ place, problem }: BadRecordReport) => {
    if (!skipBad) throw stopped({ place, problem }, summary)
    summary.badCount += 1
    if (summary.bad.length < BAD_REPORTED) summary.bad.push({ place, problem })
  }

  const flush = async (batch: Batch) => {
    const entries = batch.entries
    batch.entries = []
    batch.size = 0
    if (entries.length === 0) return
    if (client !== undefined) {
      const onStored = (result: { readonly stored: number; readonly duplicates: number }) => {
        batch.isStored = true
        summary.stored += result.stored
        summary.duplicates += result.duplicates
      }
      await sendBatch({ client, agent, session: batch.session, onStored, refuse }, entries)
    }
    options.onBatch?.(summary)
  }

  const finish = async (key: string, batch: Batch) => {
    await flush(batch)
    batches.delete(key)
    if (!runs || client === undefined || !batch.isStored) return
    await client.post(route`/v1/agents/${agent}/sessions/${batch.session.key}/runs`, {
      userId: batch.session.userId,
      runId: runIdOf(batch),
      status: 'completed',
    })
    summary.runs += 1
  }

  const batchFor = async (session: ImportedSession) => {
    const key = keyOf(session)
    const known = batches.get(key)
    if (known !== undefined) return known
    const [oldest] = batches
    if (batches.size >= MAX_OPEN_BATCHES && oldest !== undefined) await finish(...oldest)
    const batch = { session, entries: [], size: 0, lastId: '', isStored: false }
    batches.set(key, batch)
    summary.sessions += 1
    return batch
  }

  for await (const record of records) {
    if (record.type === 'bad') refuse(record)
    else if (record.type === 'session-end') {
      const key = keyOf(record.session)
      const batch = batches.get(key)
      if (batch !== undefined) await finish(key, batch)
    } else {
      const { place, session, message } = record
      const batch = await batchFor(session)
      const size = JSON.stringify(message).length
      const isFull = batch.entries.length >= BATCH_MESSAGES || batch.size + size > BATCH_CHARACTERS
      if (isFull) await flush(batch)
      batch.entries.push({ place, message })
      batch.size += size
      batch.lastId = message.id ?? ''
      summary.messages += 1
    }
  }
  for (const [key, batch] of batches) await finish(key, batch)
  return summary
}

function keyOf({ key, userId }: ImportedSession): string {
  return JSON.stringify([userId, key])
}

/** The same for the same end of a session, so that importing again reports no new run. */
function runIdOf({ session, lastId }: Batch): string {
  const hash = createHash('sha256').update(JSON.stringify([session.userId, session.key, lastId]))
  return `import-${hash.digest('hex').slice(0, 24)}`
}

function stopped(report: BadRecordReport, summary: ImportSummary): InvalidInputError {
  const before =
    summary.stored + summary.duplicates > 0
      ? `What was stored before it (${summary.stored} new, ${summary.duplicates} already there) stays.`
      : 'Nothing was stored.'
  const issue: InputIssue = { path: report.place, message: report.problem }
  return new InvalidInputError({
    message: `The record at ${report.place} cannot be imported: ${report.problem.replace(/\.$/, '')}. ${before} Repair it and run the same command again, or pass --skip-bad.`,
    issues: [issue],
    details: { badRecord: issue },
  })
}
