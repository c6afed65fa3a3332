import { checkFileName, type ContextFiles } from '@loam/bootstrap'
import { deliveriesFor, readConsolidationSettings, type Consolidation } from '@loam/consolidation'
import {
  InvalidInputError,
  NotFoundError,
  type Clock,
  type EventOf,
  type GenerateId,
  type Scope,
} from '@loam/core'
import type { Memory } from '@loam/memory'
import {
  begun,
  parseUserDataId,
  type ForgottenUserData,
  type Page,
  type Storage,
  type UserDataItem,
  type UserDataStore,
  type UserHoldings,
  type WithdrawnStretch,
} from '@loam/storage'

/** What an agent holds about one person: seen, corrected, forgotten. The scope's user is that person. */
export interface UserMemory {
  /** Newest first. */
  list(scope: Scope, request: Parameters<UserDataStore['list']>[2]): Promise<Page<UserDataItem>>
  /**
   * Forgets these items, or none of them, with all that was made of them. Where an episode was made with a forgotten message, a
   * new one is made of what remains.
   *
   * @throws InvalidInputError for an id that is none. @throws NotFoundError when one of them is not held.
   */
  forget(scope: Scope, ids: readonly string[]): Promise<ForgottenUserData>
  /**
   * Replaces the text of a document, an episode or a file, and what it is found by. A file is written by the rules for the agent's own tool.
   *
   * @throws InvalidInputError for a message, which stays as it was said or is forgotten. @throws NotFoundError when the item is not held.
   */
  correct(scope: Scope, id: string, text: string): Promise<UserDataItem>
  /** How much is held. */
  holdings(scope: Scope): Promise<UserHoldings>
  /** Erases all of it, wherever it went. Returns how much that was. */
  erase(scope: Scope): Promise<UserHoldings>
}

/** What the memory about users works with. */
export interface UserMemoryOptions {
  readonly storage: Pick<Storage, 'transaction' | 'lastErasure'>
  readonly memory: Pick<Memory, 'putDocument'>
  readonly consolidation: Pick<Consolidation, 'correctEpisode'>
  readonly contextFiles: Pick<ContextFiles, 'write'>
  readonly clock: Clock
  readonly generateId: GenerateId
  /** Told which consumer has work to do now. */
  readonly onPublished: (consumer: string) => void
}

/** Composes what an agent holds about its users. */
export function createUserMemory(options: UserMemoryOptions): UserMemory {
  const { storage, memory, consolidation, contextFiles, clock, generateId, onPublished } = options
  const readOnly = { readOnly: true } as const

  const find = ({ tenantId, agentId, userId }: Scope, id: string) =>
    storage.transaction(
      { tenantId, userId },
      ({ userData, agents }) =>
        Promise.all([userData.find(agentId, userId, id), agents.find(agentId)]),
      readOnly,
    )

  return {
    list: ({ tenantId, agentId, userId }, request) =>
      storage.transaction(
        { tenantId, userId },
        ({ userData }) => userData.list(agentId, userId, request),
        readOnly,
      ),
    holdings: ({ tenantId, agentId, userId }) =>
      storage.transaction(
        { tenantId, userId },
        ({ userData }) => userData.holdings(agentId, userId),
        readOnly,
      ),
    erase: ({ tenantId, agentId, userId }) =>
      storage.transaction({ tenantId, userId }, ({ userData }) => userData.erase(agentId, userId)),
    async forget(scope, ids) {
      const { tenantId, agentId, userId } = scope
      const now = clock.now()
      const done = await storage.transaction({ tenantId, userId }, async (stores) => {
        if (ids.includes('file:BOOTSTRAP.md')) {
          // A first meeting that is forgotten has ended, or its file would be written again.
          await stores.agentUsers.ensure(agentId, userId)
          await stores.agentUsers.completeOnboarding(agentId, userId, now)
        }
        const forgotten = await stores.userData.forget(agentId, userId, ids)
        const agent = await stores.agents.find(agentId)
        const { settings } = readConsolidationSettings(agent?.settings ?? {})
        const consumers = new Set<string>()
        for (const stretch of forgotten.withdrawn) {
          const event = episodeWithdrawn(scope, stretch)
          const deliveries = deliveriesFor(event, { settings }, { now, generateId })
          await stores.outbox.publish(event, deliveries)
          for (const { consumer } of deliveries) consumers.add(consumer)
        }
        return { forgotten, consumers }
      })
      for (const consumer of done.consumers) onPublished(consumer)
      return done.forgotten
    },
    async correct(given, id, text) {
      const scope = begun(given, storage)
      const name = parseUserDataId(id)
      const [item, agent] = await find(scope, id)
      if (name === undefined || item === undefined || agent === undefined) throw missing(id)
      switch (name.kind) {
        case 'message': {
          const message = 'is a message: what was said stays as it was said; forget it instead'
          throw new InvalidInputError({
            message: `${id} ${message}.`,
            issues: [{ path: 'id', message }],
          })
        }
        case 'document':
          await memory.putDocument(scope, { path: item.source, content: text })
          break
        case 'episode':
          await consolidation.correctEpisode(scope, { episodeId: name.id, summary: text })
          break
        case 'file':
          await contextFiles.write({
            tenantId: scope.tenantId,
            agent,
            userId: scope.userId,
            sinceErasure: scope.sinceErasure,
            name: checkFileName(name.name),
            content: text,
          })
          break
      }
      const [corrected] = await find(scope, id)
      if (corrected === undefined) throw missing(id)
      return corrected
    },
  }

  function episodeWithdrawn(scope: Scope, payload: WithdrawnStretch): EventOf<'episode.withdrawn'> {
    return {
      type: 'episode.withdrawn',
      id: generateId(),
      ...scope,
      occurredAt: clock.now(),
      payload: { ...payload },
    }
  }
}

function missing(id: string): NotFoundError {
  return new NotFoundError({
    message: `Nothing with the id ${JSON.stringify(id)} is held about this user.`,
  })
}
