import {
  InvalidInputError,
  NotFoundError,
  toStorableText,
  type AbortableOptions,
  type Clock,
  type Scope,
} from '@loam/core'
import type { Memory } from '@loam/memory'
import type { Episode, Storage } from '@loam/storage'
import { MAX_SUMMARY_LENGTH, fromText } from './summarise.js'

/** See `Consolidation.correctEpisode`. */
export async function correctEpisode(
  options: {
    readonly storage: Pick<Storage, 'transaction'>
    readonly memory: Pick<Memory, 'prepareEpisode'>
    readonly clock: Clock
  },
  scope: Scope,
  { episodeId, summary }: { readonly episodeId: string; readonly summary: string },
  { signal }: AbortableOptions = {},
): Promise<Episode> {
  const { storage, memory, clock } = options
  const { tenantId, agentId, userId } = scope
  const access = { tenantId, userId }
  const text = fromText(toStorableText(summary).trim(), 'correction')
  if (text.summary === '' || text.summary.length > MAX_SUMMARY_LENGTH) {
    const message = `must have 1 to ${MAX_SUMMARY_LENGTH} characters`
    throw new InvalidInputError({
      message: `The summary ${message}. To have an episode no longer, forget it.`,
      issues: [{ path: 'text', message }],
    })
  }
  const present = await storage.transaction(
    access,
    ({ episodes }) => episodes.find(episodeId, clock.now()),
    { signal, readOnly: true },
  )
  if (present?.agentId !== agentId || present.userId !== userId) throw missing()
  const { sessionKey: _sessionKey, ...episode } = present
  const index = await memory.prepareEpisode(scope, { ...episode, ...text }, { signal })
  return await storage.transaction(
    access,
    async (stores) => {
      const rewritten = await stores.episodes.rewrite(episodeId, text)
      // Withdrawn while its vectors were made.
      if (!rewritten) throw missing()
      await stores.chunks.deleteOf({ source: 'episodes', episodeId })
      await index.write(stores)
      return rewritten
    },
    { signal },
  )
}

function missing(): NotFoundError {
  return new NotFoundError({ message: 'There is no such episode of this user.' })
}
