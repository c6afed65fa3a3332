import { ConflictError, InvalidInputError } from '@loam/core'
import type { Agent, Stores, Summon, SummonKind } from '@loam/storage'
import { seedAgentFiles } from './seed-agent-files.js'

/** The consumer that does the work of a summon; also the name of its queue. */
export const SUMMON_CONSUMER = 'agent.summoned.write'

/** After this long a summon that never ended no longer keeps another from beginning. */
const STALE_MS = 15 * 60_000

/** What a model is to write. */
export interface SummonRequest {
  readonly agent: Agent
  readonly kind: SummonKind
  /** What to change, for `regenerate`. The others write from the agent's description. */
  readonly instruction?: string | undefined
  readonly now: Date
}

/**
 * Begins the writing of an agent's files by a model: templates first, so that the agent can be talked to whatever happens,
 * and the record of the job. The caller publishes it in the same transaction.
 *
 * @throws InvalidInputError for an open agent, whose files are each user's, and without a description or instruction.
 * @throws ConflictError while another is running.
 */
export async function startSummon(
  stores: Pick<Stores, 'agents' | 'contextFiles' | 'summons'>,
  { agent, kind, instruction, now }: SummonRequest,
): Promise<Summon> {
  if (agent.type === 'open') {
    throw new InvalidInputError({
      message: `The agent "${agent.key}" is open: each user makes its files in conversation. Make it predefined to have them written.`,
    })
  }
  const wanted = (kind === 'regenerate' ? instruction : agent.description)?.trim() ?? ''
  if (wanted === '') {
    const path = kind === 'regenerate' ? 'instruction' : 'description'
    throw new InvalidInputError({
      message: `There is nothing to write from: give the agent a description, or say what to change (${path}).`,
      issues: [{ path, message: 'Is required' }],
    })
  }
  // Held first by all who change an agent and its files, so that none of them waits for another in a circle.
  await stores.agents.lock(agent.id)
  await seedAgentFiles(stores, agent)
  const staleBefore = new Date(now.getTime() - STALE_MS)
  const job = { agentId: agent.id, kind, instruction: wanted, startedAt: now }
  const summon = await stores.summons.start(job, staleBefore)
  if (!summon) {
    throw new ConflictError({
      message: `The files of "${agent.key}" are being written at this moment. Wait for it, or cancel it.`,
    })
  }
  if (kind !== 'regenerate') await stores.agents.update(agent.id, { status: 'summoning' })
  return summon
}

/** @throws ConflictError when none is running. */
export async function cancelSummon(
  stores: Pick<Stores, 'agents' | 'summons'>,
  { agent, now }: { readonly agent: Agent; readonly now: Date },
): Promise<void> {
  await stores.agents.lock(agent.id)
  if (!(await stores.summons.cancel(agent.id, now))) {
    throw new ConflictError({ message: `No files of "${agent.key}" are being written.` })
  }
  await stores.agents.update(agent.id, { status: 'active' })
}

/**
 * Whether an agent may become of another type. The files of one that becomes open are each user's, so that a model which
 * writes them at this moment would do so for nothing.
 *
 * @param agent held by this unit of work.
 * @throws ConflictError while its files are being written.
 */
export async function checkTypeChange(
  stores: Pick<Stores, 'summons'>,
  { agent, type, now }: { readonly agent: Agent; readonly type: Agent['type']; readonly now: Date },
): Promise<void> {
  if (agent.type === type || type !== 'open') return
  const summon = await stores.summons.find(agent.id)
  if (summon?.state !== 'running') return
  if (summon.startedAt.getTime() < now.getTime() - STALE_MS) {
    await stores.summons.cancel(agent.id, now)
    return
  }
  throw new ConflictError({
    message: `"${agent.key}" cannot become open at this moment: a model is writing its files. Wait for it, or cancel it.`,
  })
}
