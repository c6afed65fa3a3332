import {
  SUMMON_CONSUMER,
  cancelSummon,
  seedAgentFiles,
  startSummon,
  summonAgent,
} from '@loam/bootstrap'
import type { EventHandler } from '@loam/consolidation'
import {
  InvalidInputError,
  NotFoundError,
  SHARED_USER_ID,
  type ChatModel,
  type Clock,
  type EventOf,
  type GenerateId,
  type Logger,
} from '@loam/core'
import type { Access, Agent, NewAgent, Storage, Stores, Summon, SummonKind } from '@loam/storage'

/** What is given to make an agent. */
export type AgentInput = Omit<NewAgent, 'id' | 'status'> & {
  /** Whether a model writes its files from its description. Default: if it is predefined, has one, and there is a model. */
  readonly summon?: boolean | undefined
}

/** What a model is to do with an agent's files. */
export interface SummonInput {
  readonly kind: SummonKind
  /** What to change; for `regenerate`. */
  readonly instruction?: string | undefined
}

/** Makes agents, and has their files written by a model. */
export interface Agents {
  /** Makes an agent with its templates; a model may write its files afterwards. @throws ConflictError when the key is taken. */
  create(tenantId: string, input: AgentInput): Promise<Agent>
  /** Has the files written in the background. @throws ConflictError while it is being done. */
  summon(tenantId: string, keyOrId: string, input: SummonInput): Promise<Summon>
  /** Ends the writing; what the model still answers is not stored. @throws ConflictError when none is running. */
  cancelSummon(tenantId: string, keyOrId: string): Promise<void>
  /** How the newest writing stands; undefined when there was none. */
  findSummon(tenantId: string, keyOrId: string): Promise<Summon | undefined>
}

export interface CreateAgentsOptions {
  readonly storage: Storage
  readonly chat: ChatModel | undefined
  readonly clock: Clock
  readonly generateId: GenerateId
  readonly logger: Logger
  /** Told of a consumer that has work to do. */
  readonly onPublished: (consumer: string) => void
}

/** Composes `Agents`, and the handler that does the writing. */
export function createAgents(
  options: CreateAgentsOptions,
): Agents & { readonly handler: EventHandler } {
  const { storage, chat, clock, generateId, logger, onPublished } = options

  async function start(stores: Stores, tenantId: string, agent: Agent, input: SummonInput) {
    const summon = await startSummon(stores, { agent, ...input, now: clock.now() })
    const event: EventOf<'agent.summoned'> = {
      type: 'agent.summoned',
      id: generateId(),
      tenantId,
      agentId: agent.id,
      userId: '',
      occurredAt: summon.startedAt,
      payload: { generation: summon.generation },
    }
    const delivery = { id: generateId(), consumer: SUMMON_CONSUMER, orderingKey: agent.id }
    await stores.outbox.publish(event, [delivery])
    return summon
  }

  return {
    async create(tenantId, { summon, ...input }) {
      const wanted =
        summon ??
        (input.type === 'predefined' && chat !== undefined && Boolean(input.description?.trim()))
      const agent = await storage.transaction(shared(tenantId), async (stores) => {
        const made = await stores.agents.create({ ...input, id: generateId() })
        await seedAgentFiles(stores, made)
        if (!wanted) return made
        await start(stores, tenantId, made, { kind: 'create' })
        return (await stores.agents.find(made.id)) ?? made
      })
      if (wanted) onPublished(SUMMON_CONSUMER)
      return agent
    },
    async summon(tenantId, keyOrId, input) {
      const summon = await storage.transaction(shared(tenantId), async (stores) =>
        start(stores, tenantId, await agentOf(stores, keyOrId), input),
      )
      onPublished(SUMMON_CONSUMER)
      return summon
    },
    async cancelSummon(tenantId, keyOrId) {
      await storage.transaction(shared(tenantId), async (stores) =>
        cancelSummon(stores, { agent: await agentOf(stores, keyOrId), now: clock.now() }),
      )
    },
    findSummon: (tenantId, keyOrId) =>
      storage.transaction(
        shared(tenantId),
        async (stores) => stores.summons.find((await agentOf(stores, keyOrId)).id),
        { readOnly: true },
      ),
    async handler(event, { signal, jobId }) {
      if (event.type !== 'agent.summoned') {
        throw new InvalidInputError({
          message: `Files are written for agent.summoned events, and event ${event.id} is a ${event.type}.`,
        })
      }
      const { tenantId, agentId, payload } = event
      const job = { tenantId, agentId, generation: payload.generation }
      await summonAgent({ storage, chat, clock, logger }, job, { signal, jobId })
    },
  }
}

function shared(tenantId: string): Access {
  return { tenantId, userId: SHARED_USER_ID }
}

async function agentOf(stores: Pick<Stores, 'agents'>, keyOrId: string): Promise<Agent> {
  const agent = await stores.agents.find(keyOrId)
  if (agent) return agent
  throw new NotFoundError({ message: `There is no agent "${keyOrId}".` })
}
