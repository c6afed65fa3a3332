import { NotFoundError } from '@loam/core'
import { createRuntime, type LoamConfig, type Runtime } from '@loam/runtime'
import { DEFAULT_TENANT_ID, type EmbeddingSpace } from '@loam/storage'
import { openStorage, type PostgresStorage } from '@loam/storage-postgres'
import { loadConfiguration } from '../configuration.js'
import { createLogger } from '../logger.js'
import { counted, duration, type Output } from '../output.js'

/** Lists the embedding spaces, and marks the one that is searched at present. */
export async function listSpaces(output: Output): Promise<void> {
  await withStore(async ({ runtime, spaces }) => {
    const items = spaces.map((space) => ({ ...space, isActive: isActive(space, runtime) }))
    output.result({ items })
    if (items.length === 0)
      output.say('There is no embedding space yet; the first vector makes one.')
    for (const { id, provider, model, dimensions, isActive: active } of items) {
      output.say(
        `${id}  ${provider}/${model}  ${dimensions} dimensions${active ? '  (active)' : ''}`,
      )
    }
  })
}

/** Builds the vector index of a space. Worth it from some tens of thousands of vectors; below, exact search is as fast. */
export async function indexSpace(spaceId: number | undefined, output: Output): Promise<void> {
  await withStore(async ({ runtime, storage, spaces }) => {
    const space = spaces.find(
      (candidate) => candidate.id === spaceId || (!spaceId && isActive(candidate, runtime)),
    )
    if (space === undefined) {
      throw new NotFoundError({
        message:
          spaceId === undefined
            ? 'The present model has no embedding space yet. Store something first.'
            : `There is no embedding space ${spaceId}. "loam spaces list" shows them.`,
      })
    }
    output.note(`Building the index of space ${space.id} (${space.provider}/${space.model}) …`)
    const started = performance.now()
    await storage.createVectorIndex(space.id)
    const milliseconds = Math.round(performance.now() - started)
    output.result({ spaceId: space.id, milliseconds })
    output.say(`The index of space ${space.id} is there (${duration(milliseconds)}).`)
  })
}

/** Gives vectors of the present model to everything that lacks one, as after a change of model. */
export async function fillSpace(output: Output): Promise<void> {
  await withStore(async ({ runtime, storage }) => {
    const tenants = await storage.system.tenants.list()
    output.note(`Embedding what ${runtime.models.embeddings.model} has not seen …`)
    let vectors = 0
    for (const { id } of tenants) {
      vectors += await runtime.memory.embedMissing({ tenantId: id, everyUser: true })
    }
    output.result({ vectors })
    output.say(vectors === 0 ? 'Nothing lacked a vector.' : `${counted(vectors, 'vector')} made.`)
  })
}

interface OpenStore {
  readonly runtime: Runtime
  readonly storage: PostgresStorage
  readonly spaces: readonly EmbeddingSpace[]
}

/** Building indexes is the owner's work and no part of the API, so this opens the store itself. */
async function withStore(use: (store: OpenStore) => Promise<void>): Promise<void> {
  const config = loadConfiguration(process.env, { needsKey: false })
  const logger = createLogger('warn')
  await using storage = await openStorage(config.databaseUrl, {
    logger,
    migrationUrl: config.migrationDatabaseUrl,
  })
  await using runtime = await createRuntime(withoutQueue(config), {
    storage,
    logger,
    acceptsKey: false,
  })
  const spaces = await storage.transaction(
    { tenantId: DEFAULT_TENANT_ID, everyUser: true },
    async (stores) => await stores.embeddingSpaces.list(),
  )
  await use({ runtime, storage, spaces })
}

/** No job is run here, so none is needed. */
function withoutQueue(config: LoamConfig): LoamConfig {
  return { ...config, redisUrl: undefined }
}

function isActive(space: EmbeddingSpace, { models: { embeddings } }: Runtime): boolean {
  return (
    space.provider === embeddings.provider &&
    space.model === embeddings.model &&
    space.dimensions === embeddings.dimensions
  )
}
