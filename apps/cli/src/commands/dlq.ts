import type { ApiClient } from '../api/api-client.js'
import { withQuery } from '../api/route.js'
import { counted, oneLine, type Output } from '../output.js'

interface DeadLetter {
  readonly id: string
  readonly consumer: string
  readonly tries: number
  readonly lastError?: string
  readonly event: {
    readonly type: string
    readonly agentId: string
    readonly agent?: string
    readonly userId: string
    readonly session?: string
    readonly occurredAt: string
  }
}

interface DeadLetterPage {
  readonly items: readonly DeadLetter[]
  readonly nextCursor?: string
}

interface Connected {
  readonly client: ApiClient
  readonly output: Output
}

/** Lists the work that was given up, newest first. */
export async function listDeadLetters(
  { limit }: { readonly limit: number },
  { client, output }: Connected,
): Promise<void> {
  const items: DeadLetter[] = []
  let cursor: string | undefined
  do {
    const page = await client.get<DeadLetterPage>(
      withQuery('/v1/dead-letters', { limit: Math.min(limit - items.length, 200), cursor }),
    )
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined && items.length < limit)
  output.result({ items, hasMore: cursor !== undefined })
  if (items.length === 0) output.say('Nothing was given up.')
  for (const { id, consumer, tries, lastError = '', event } of items) {
    const when = event.occurredAt.slice(0, 16).replace('T', ' ')
    output.say(`${output.paint.bold(id)}  ${consumer}  ${when}  ${counted(tries, 'try', 'tries')}`)
    output.say(`    ${describeWhose(event)}`)
    output.say(output.paint.dim(`    ${oneLine(lastError, MAX_REASON)}`))
  }
  if (cursor !== undefined) output.note(`There are more; raise --limit to see them.`)
}

/** What is stored of a reason, so that all of it is shown. */
const MAX_REASON = 500

function describeWhose({ agent, agentId, userId, session }: DeadLetter['event']): string {
  const parts = [
    `agent ${agent ?? `${agentId} (deleted)`}`,
    userId === '' ? 'shared by all users' : `user ${userId}`,
    ...(session === undefined ? [] : [`session ${session}`]),
  ]
  return oneLine(parts.join(', '), MAX_REASON)
}

/** Which of it to replay. */
export interface ReplayCommandOptions {
  readonly all?: boolean | undefined
  readonly consumer?: string | undefined
}

/** Has given-up work tried again: that which is named, or a consumer's, or all. Returns false when named work is not there. */
export async function replayDeadLetters(
  ids: readonly string[],
  { consumer }: ReplayCommandOptions,
  { client, output }: Connected,
): Promise<boolean> {
  // What is no id at all names nothing either.
  const known = ids.filter((id) => UUID.test(id))
  const { replayed } =
    ids.length > 0 && known.length === 0
      ? { replayed: 0 }
      : await client.post<{ readonly replayed: number }>('/v1/dead-letters/replay', {
          ...(ids.length > 0 && { ids: known }),
          ...(consumer !== undefined && { consumer }),
        })
  const missing = Math.max(0, new Set(ids).size - replayed)
  output.result({ replayed, ...(missing > 0 && { missing }) })
  if (replayed > 0) {
    output.say(`${counted(replayed, 'delivery', 'deliveries')} will be tried again.`)
  } else if (ids.length === 0) output.say('Nothing was there to replay.')
  if (missing === 0) return true
  const which = ids.length === 1 ? `${oneLine(ids[0] ?? '')} is` : `${missing} of these are`
  output.note(`${which} not among the dead letters; see "loam dlq list".`)
  return false
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
