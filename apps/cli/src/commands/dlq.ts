import type { ApiClient } from '../api/api-client.js'
import { withQuery } from '../api/route.js'
import { counted, oneLine, type Output } from '../output.js'

interface DeadLetter {
  readonly id: string
  readonly consumer: string
  readonly tries: number
  readonly lastError?: string
  readonly event: { readonly type: string; readonly userId: string; readonly occurredAt: string }
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
    output.say(output.paint.dim(`    ${oneLine(lastError)}`))
  }
  if (cursor !== undefined) output.note(`There are more; raise --limit to see them.`)
}

/** Which of it to replay. */
export interface ReplayCommandOptions {
  readonly all?: boolean | undefined
  readonly consumer?: string | undefined
}

/** Has given-up work tried again: that which is named, or a consumer's, or all. */
export async function replayDeadLetters(
  ids: readonly string[],
  { consumer }: ReplayCommandOptions,
  { client, output }: Connected,
): Promise<void> {
  const { replayed } = await client.post<{ readonly replayed: number }>('/v1/dead-letters/replay', {
    ...(ids.length > 0 && { ids }),
    ...(consumer !== undefined && { consumer }),
  })
  output.result({ replayed })
  const missing = ids.length - replayed
  if (missing > 0) output.note(`${missing} of these are no dead letters.`)
  output.say(
    replayed === 0
      ? 'Nothing was there to replay.'
      : `${counted(replayed, 'delivery', 'deliveries')} will be tried again.`,
  )
}
