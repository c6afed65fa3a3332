import { setTimeout as delay } from 'node:timers/promises'
import type { ApiClient } from '../api/api-client.js'
import { ApiError } from '../api/api-error.js'
import { route, withQuery } from '../api/route.js'
import { counted, oneLine, type Output } from '../output.js'
import { describeFiles, type FileItem } from './files.js'

interface AgentItem {
  readonly key: string
  readonly type: string
  readonly status: string
  readonly displayName?: string
  readonly description?: string
  readonly expertise?: string
}

interface AgentPage {
  readonly items: readonly AgentItem[]
  readonly nextCursor?: string
}

interface SummonItem {
  readonly generation: number
  readonly state: 'running' | 'completed' | 'partial' | 'failed' | 'cancelled'
  readonly files: readonly {
    readonly name: string
    readonly outcome: string
    readonly reason?: string
  }[]
  readonly error?: { readonly code: string; readonly message: string }
}

interface Connected {
  readonly client: ApiClient
  readonly output: Output
}

/** Where jobs may have to be done by this command itself. */
interface Working extends Connected {
  readonly settle: () => Promise<void>
}

/** What `loam agent create` is given. */
export interface CreateAgentOptions {
  readonly type: string
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly summon: boolean
  readonly wait?: boolean | undefined
}

/** Makes an agent. Returns false when its files were waited for and not written. */
export async function createAgent(
  key: string,
  { type, name, description, summon, wait = false }: CreateAgentOptions,
  { client, output, settle }: Working,
): Promise<boolean> {
  const { warnings = [], ...agent } = await client.post<
    AgentItem & { readonly warnings?: readonly string[] }
  >('/v1/agents', {
    key,
    type,
    ...(name !== undefined && { displayName: name }),
    ...(description !== undefined && { description }),
    ...(!summon && { summon }),
  })
  output.say(`Made the ${agent.type} agent ${output.paint.bold(agent.key)}.`)
  for (const warning of warnings) output.note(warning)
  if (agent.status === 'summoning') {
    output.say('A model writes its files; it has its templates meanwhile.')
    await settle()
    if (wait) {
      const ended = await waitForSummon(client, key)
      output.result({ agent: await client.get(route`/v1/agents/${key}`), summon: ended })
      describeSummon(ended, output)
      return hasWritten(ended)
    }
    sayWhereToLook(key, output)
  }
  output.result({ agent, ...(warnings.length > 0 && { warnings }) })
  return true
}

/** Lists the agents. */
export async function listAgents({ client, output }: Connected): Promise<void> {
  const items: AgentItem[] = []
  let cursor: string | undefined
  do {
    const page = await client.get<AgentPage>(withQuery('/v1/agents', { limit: 200, cursor }))
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  output.result({ items })
  if (items.length === 0)
    output.say('There are no agents. Make one with "loam agent create <key>".')
  for (const { key, type, status, displayName, expertise, description } of items) {
    const facts = [type, ...(status === 'active' ? [] : [status])].join(', ')
    const about = expertise ?? description ?? ''
    output.say(
      `${output.paint.bold(key)}  ${displayName ? `${oneLine(displayName, 60)}  ` : ''}${facts}`,
    )
    if (about !== '') output.say(output.paint.dim(`    ${oneLine(about)}`))
  }
}

/** Shows an agent, its files, and how the newest writing of them went. */
export async function showAgent(key: string, { client, output }: Connected): Promise<void> {
  const agent = await client.get<AgentItem>(route`/v1/agents/${key}`)
  const { items } = await client.get<{ readonly items: readonly FileItem[] }>(
    `${route`/v1/agents/${key}`}/files?userId=`,
  )
  const summon = await findSummon(client, key)
  output.result({ agent, files: items, ...(summon && { summon }) })
  output.say(`${output.paint.bold(agent.key)}  ${agent.type}, ${agent.status}`)
  if (agent.displayName !== undefined) output.say(`name         ${oneLine(agent.displayName)}`)
  if (agent.description !== undefined) output.say(`description  ${oneLine(agent.description)}`)
  if (agent.expertise !== undefined) output.say(`expertise    ${oneLine(agent.expertise)}`)
  output.say()
  describeFiles(items, output, 'It has no files of its own; each user makes theirs.')
  if (!summon) return
  output.say()
  describeSummon(summon, output)
}

/** What `loam agent summon` is given. */
export interface SummonCommandOptions {
  readonly instruction?: string | undefined
  readonly cancel?: boolean | undefined
  /** Default true. */
  readonly wait?: boolean | undefined
}

/** Has the files of an agent written or changed by a model, or stops it. Returns false when they were waited for and not written. */
export async function summonAgent(
  key: string,
  { instruction, cancel = false, wait = true }: SummonCommandOptions,
  { client, output, settle }: Working,
): Promise<boolean> {
  if (cancel) {
    const summon = await client.post<SummonItem>(route`/v1/agents/${key}/cancel-summon`, {})
    output.result({ summon })
    describeSummon(summon, output)
    return true
  }
  const begun =
    instruction === undefined
      ? await client.post<SummonItem>(route`/v1/agents/${key}/summon`, {})
      : await client.post<SummonItem>(route`/v1/agents/${key}/regenerate`, { instruction })
  if (!wait) {
    output.result({ summon: begun })
    output.say('A model writes the files in the background.')
    sayWhereToLook(key, output)
    return true
  }
  output.note('A model writes the files …')
  await settle()
  const ended = await waitForSummon(client, key)
  output.result({ summon: ended })
  describeSummon(ended, output)
  if (hasWritten(ended)) return true
  output.note(
    `See "loam agent show ${key}" for its files, and try again with "loam agent summon ${key}".`,
  )
  return false
}

function hasWritten({ state }: SummonItem): boolean {
  return state === 'completed' || state === 'partial'
}

function sayWhereToLook(key: string, output: Output): void {
  output.say(`"loam agent show ${key}" tells how it stands.`)
}

const LOOK_MS = 500

async function waitForSummon(client: ApiClient, key: string): Promise<SummonItem> {
  for (;;) {
    const summon = await client.get<SummonItem>(route`/v1/agents/${key}/summon`)
    if (summon.state !== 'running') return summon
    await delay(LOOK_MS)
  }
}

async function findSummon(client: ApiClient, key: string): Promise<SummonItem | undefined> {
  try {
    return await client.get<SummonItem>(route`/v1/agents/${key}/summon`)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

const NOTHING_TO_WRITE =
  'There was nothing to write: every file has a text of its own. Say what to change with --instruction.'

function describeSummon({ state, files, error }: SummonItem, output: Output): void {
  const written = files.filter(({ outcome }) => outcome === 'written')
  const said = {
    running: 'A model is writing its files.',
    completed: `A model wrote ${counted(written.length, 'file')}.`,
    partial: `A model wrote ${counted(written.length, 'file')}; the others stay as they were.`,
    failed: 'The model wrote no files; the agent works with what it has.',
    cancelled: 'The writing of its files was cancelled.',
  }
  const isIdle = state === 'completed' && written.length === 0
  output.say(isIdle ? NOTHING_TO_WRITE : said[state])
  for (const { name, outcome, reason } of files) {
    output.say(`  ${name}  ${outcome}${reason === undefined ? '' : `: ${oneLine(reason)}`}`)
  }
  if (error) output.say(output.paint.yellow(`  ${error.code}: ${oneLine(error.message, 500)}`))
}
