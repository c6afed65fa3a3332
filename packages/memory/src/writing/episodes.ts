import type { AbortableOptions, Scope } from '@loam/core'
import type { NewEpisode } from '@loam/storage'
import { accessOf } from '../access.js'
import { episodeChunks } from '../indexing/episode-chunks.js'
import {
  prepareVectors,
  preparedState,
  writeIndex,
  type IndexingDependencies,
} from '../indexing/prepared-index.js'
import type { PreparedIndex } from '../memory.js'

/** See `Memory.prepareEpisode`. */
export async function prepareEpisode(
  dependencies: IndexingDependencies,
  scope: Scope,
  episode: NewEpisode,
  { signal }: AbortableOptions = {},
): Promise<PreparedIndex> {
  accessOf(scope)
  const chunks = episodeChunks(episode, dependencies.generateId)
  const context = { scope, task: 'memory.episode.index', signal }
  const vectors = await prepareVectors(
    chunks.map(({ text }) => text),
    context,
    dependencies,
  )
  const spaceId = vectors === undefined ? undefined : await dependencies.spaces.idFor(scope)
  const { agentId, userId, id: groupId } = episode
  return {
    state: preparedState(vectors),
    write: (stores) =>
      writeIndex(
        stores,
        { tenantId: scope.tenantId, agentId, userId, groupId, chunks, vectors, spaceId },
        dependencies,
      ),
  }
}
