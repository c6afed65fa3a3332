import type { ApiClient } from '../api/api-client.js'
import { route, withQuery } from '../api/route.js'
import { counted, oneLine, type Output } from '../output.js'

/** Whom a command is about. */
export interface MeCommandOptions {
  readonly agent: string
  readonly user: string
}

interface Connected {
  readonly client: ApiClient
  readonly output: Output
}

type Holdings = Readonly<Record<string, number>>

interface Item {
  readonly kind: string
  readonly id: string
  readonly source: string
  readonly text: string
  readonly createdAt: string
}

/** Lists what is held about a user, newest first. */
export async function listMemory(
  { agent, user, kinds, limit }: MeCommandOptions & { kinds?: readonly string[]; limit: number },
  { client, output }: Connected,
): Promise<void> {
  const path = withQuery(route`/v1/agents/${agent}/users/${user}/memory`, {
    kinds: kinds?.join(','),
    limit,
  })
  const page = await client.get<{ readonly items: readonly Item[]; readonly nextCursor?: string }>(
    path,
  )
  output.result(page)
  if (page.items.length === 0) output.say(`Nothing is held about ${user}.`)
  for (const { kind, id, source, text, createdAt } of page.items) {
    const place = kind === 'message' ? `${source} #${id}` : source
    const when = createdAt.slice(0, 16).replace('T', ' ')
    output.say(`${when}  ${kind.padEnd(8)}  ${output.paint.bold(oneLine(place, 60))}`)
    output.say(`    ${oneLine(text)}`)
  }
  if (page.nextCursor !== undefined) output.note('There is more; --limit shows up to 200.')
}

/** Erases all that is held about a user, if it is said that this is meant. */
export async function eraseMemory(
  { agent, user }: MeCommandOptions,
  { client, output }: Connected,
): Promise<void> {
  const erased = await client.delete<Holdings>(route`/v1/agents/${agent}/users/${user}/memory`)
  output.result(erased)
  output.say(`Erased what was held about ${user}:`)
  sayHoldings(erased, output)
}

/** Says how much is held about a user. Returns whether it is nothing. */
export async function verifyMemory(
  { agent, user }: MeCommandOptions,
  { client, output }: Connected,
): Promise<boolean> {
  const answer = await client.post<{ readonly isEmpty: boolean; readonly held: Holdings }>(
    route`/v1/agents/${agent}/users/${user}/memory/verify`,
    {},
  )
  output.result(answer)
  if (answer.isEmpty) output.say(`Nothing is held about ${user}.`)
  else {
    output.say(`This is held about ${user}:`)
    sayHoldings(answer.held, output)
  }
  return answer.isEmpty
}

function sayHoldings(holdings: Holdings, output: Output): void {
  const some = Object.entries(holdings).filter(([, number]) => number > 0)
  if (some.length === 0) output.say('  nothing')
  for (const [kind, number] of some) output.say(`  ${counted(number, NAMES[kind] ?? kind)}`)
}

const NAMES: Readonly<Record<string, string>> = {
  contextFiles: 'context file',
  sessions: 'session',
  messages: 'message',
  runs: 'run',
  documents: 'document',
  episodes: 'episode',
  chunks: 'chunk',
  vectors: 'vector',
  postings: 'posting',
  events: 'event',
  deliveries: 'job',
  acquaintances: 'record of acquaintance',
  modelCalls: 'model call',
}
