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

/** What to list of it. */
interface Filter {
  readonly kinds?: readonly string[]
  readonly containing?: string
}

/** Lists what is held about a user, newest first. */
export async function listMemory(
  { limit, ...options }: MeCommandOptions & Filter & { limit: number },
  { client, output }: Connected,
): Promise<void> {
  const page = await readItems(options, limit, client)
  output.result(page)
  if (page.items.length === 0) output.say(nothing(options))
  sayItems(page.items, output)
  if (page.nextCursor !== undefined) output.note(`There is more; --limit shows more of it.`)
}

/** Forgets the items of these ids. */
export async function forgetItems(
  { agent, user, ids }: MeCommandOptions & { ids: readonly string[] },
  { client, output }: Connected,
): Promise<void> {
  const total: Record<string, number> = {}
  for (let from = 0; from < ids.length; from += PAGE_SIZE) {
    const counts = await client.post<Holdings>(
      route`/v1/agents/${agent}/users/${user}/memory/forget`,
      {
        ids: ids.slice(from, from + PAGE_SIZE),
      },
    )
    for (const [kind, number] of Object.entries(counts)) total[kind] = (total[kind] ?? 0) + number
  }
  const { episodesToRewrite = 0, ...forgotten } = total
  output.result(total)
  output.say(`Forgotten about ${user}:`)
  sayHoldings(forgotten, output)
  if (episodesToRewrite > 0) {
    output.say(
      `${counted(episodesToRewrite, 'episode')} will be written again, if enough remains to write of.`,
    )
  }
}

/** Forgets all items with a text in them, if it is said that this is meant; else shows them. Returns whether they were forgotten. */
export async function forgetContaining(
  options: MeCommandOptions & { containing: string; isMeant: boolean },
  { client, output }: Connected,
): Promise<void> {
  const { items } = await readItems(options, Number.POSITIVE_INFINITY, client)
  if (items.length > 0 && options.isMeant) {
    await forgetItems({ ...options, ids: items.map(({ id }) => id) }, { client, output })
    return
  }
  output.result({ items })
  if (items.length === 0) output.say(nothing(options))
  sayItems(items, output)
  if (items.length > 0) {
    output.note(
      `Nothing is forgotten yet. Say with --yes that ${items.length === 1 ? 'this is' : 'these are'} meant.`,
    )
  }
}

/** Replaces what an item says. */
export async function correctItem(
  { agent, user, id, text }: MeCommandOptions & { id: string; text: string },
  { client, output }: Connected,
): Promise<void> {
  const item = await client.put<Item>(route`/v1/agents/${agent}/users/${user}/memory/items/${id}`, {
    text,
  })
  output.result(item)
  output.say('It says now:')
  sayItems([item], output)
}

const PAGE_SIZE = 200

async function readItems(
  { agent, user, kinds, containing }: MeCommandOptions & Filter,
  limit: number,
  client: ApiClient,
): Promise<{ readonly items: readonly Item[]; readonly nextCursor?: string }> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const path = withQuery(route`/v1/agents/${agent}/users/${user}/memory`, {
      kinds: kinds?.join(','),
      containing,
      limit: Math.min(PAGE_SIZE, limit - items.length),
      cursor,
    })
    const page = await client.get<{
      readonly items: readonly Item[]
      readonly nextCursor?: string
    }>(path)
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined && items.length < limit)
  return { items, ...(cursor !== undefined && { nextCursor: cursor }) }
}

function nothing({ user, kinds = [], containing }: MeCommandOptions & Filter): string {
  const what = kinds.length === 0 ? 'Nothing' : `No ${kinds.join(' or ')}`
  const which = containing === undefined ? '' : ` with ${JSON.stringify(containing)} in it`
  return `${what}${which} is held about ${user}.`
}

function sayItems(items: readonly Item[], output: Output): void {
  for (const { kind, id, source, text, createdAt } of items) {
    const place = kind === 'message' ? `${source} #${id.split(':').at(-1)}` : source
    const when = createdAt.slice(0, 16).replace('T', ' ')
    output.say(`${when}  ${kind.padEnd(8)}  ${output.paint.bold(oneLine(place, 60))}`)
    output.say(`    ${oneLine(text)}`)
    output.say(`    ${output.paint.dim(oneLine(id))}`)
  }
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
