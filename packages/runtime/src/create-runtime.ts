import { setTimeout as delay } from 'node:timers/promises'
import { SUMMON_CONSUMER, createContextFiles } from '@loam/bootstrap'
import { createConsolidation, type EventHandler } from '@loam/consolidation'
import {
  InvalidInputError,
  SHARED_USER_ID,
  generateId as generateUuid,
  silentLogger,
  systemClock,
  type Clock,
  type EventBus,
  type GenerateId,
  type Logger,
} from '@loam/core'
import { EMBEDDING_CONSUMER, createMemory, type Memory } from '@loam/memory'
import { createSkillCatalog, createSkills } from '@loam/skills'
import type { Storage } from '@loam/storage'
import { openStorage } from '@loam/storage-postgres'
import { createAgentTools } from './agent-tools.js'
import { ensureAccess, ensureTenant, hashSecret } from './api-key.js'
import { buildContext } from './build-context.js'
import { createChat } from './chat/create-chat.js'
import { composeModels, type GivenModels } from './compose-models.js'
import type { LoamConfig } from './config.js'
import { createAgents } from './create-agents.js'
import { createBus } from './create-bus.js'
import { createDeliveryHandler } from './delivery-handler.js'
import { checkHealth } from './health.js'
import { makeHome } from './home-folder.js'
import { isEmbedded } from './load-config.js'
import { createRelay } from './relay.js'
import { storeRun } from './report-run.js'
import type { Runtime } from './runtime.js'
import { createSharedLookup } from './shared-lookup.js'
import { describeStatus } from './status.js'
import { prepareTurnSkills, readTurnSkillsState } from './turn-skills.js'
import { startUpkeep, type Upkeep } from './upkeep.js'
import { createUserMemory } from './user-memory.js'

/** What may be given in place of what the configuration names. */
export interface RuntimeOverrides extends GivenModels {
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined
  /** Default: UUID version 7. */
  readonly generateId?: GenerateId | undefined
  /** Default: silent. */
  readonly logger?: Logger | undefined
  /** Whether to bring the schema up to date first. Default: embedded yes, with a server no. */
  readonly migrate?: boolean | undefined
  /** A store that is open and migrated; `close` leaves it open. Default: the one that the configuration names. */
  readonly storage?: Storage | undefined
  /** Carries deliveries; `close` closes it. Default: Redis if the configuration names one, else this process. */
  readonly bus?: EventBus | undefined
  /** Whether `start` handles deliveries here too; false: it only hands them to the bus, for workers. Default true. */
  readonly handlers?: boolean | undefined
  /**
   * Whether the API is to be opened by the configuration's key, which is stored if the database has none yet. Default true;
   * false in a process that serves no API: it leaves the keys alone, and needs none.
   */
  readonly acceptsKey?: boolean | undefined
  /** Longest time between two looks for due deliveries. Default 1 s, or a third of a shorter lease. */
  readonly pollMs?: number | undefined
}

const MAX_SECRET_LENGTH = 1_000
const MAX_POLL_MS = 1_000

/** How a relay feeds a queue, which takes everything at once, where the bus of one process takes what it can handle. */
const QUEUE_FEED = { batchSize: 100, maxOut: 200, lookGapMs: 250 }

/**
 * Composes a Loam from a configuration: store, models, memory, consolidation, bus. An embedded store is migrated; a
 * server must have been. Nothing runs in the background before `start`.
 *
 * `config.apiKey` of the result is the key that is accepted, also when it was generated.
 *
 * @throws ConfigurationError when the configuration does not fit what is found, such as a home folder that cannot be written,
 * or a key that the database server does not know.
 * @throws StoreInUseError when another process has the embedded store open.
 * @example
 * await using loam = await createRuntime(loadConfig(process.env, { cwd: process.cwd() }))
 * await loam.start()
 */
export async function createRuntime(
  config: LoamConfig,
  overrides: RuntimeOverrides = {},
): Promise<Runtime> {
  const embedded = isEmbedded(config.databaseUrl)
  const logger = overrides.logger ?? silentLogger
  if (embedded) await makeHome(config.home)
  const storage =
    overrides.storage ??
    (await openStorage(config.databaseUrl, {
      migrate: overrides.migrate,
      migrationUrl: config.migrationDatabaseUrl,
      searchCacheBytes: config.searchCacheMb * 2 ** 20,
      logger,
    }))
  try {
    return await compose(config, storage, { ...overrides, logger })
  } catch (error) {
    if (!overrides.storage) await storage.close()
    throw error
  }
}

async function compose(
  given: LoamConfig,
  storage: Storage,
  overrides: RuntimeOverrides & { readonly logger: Logger },
): Promise<Runtime> {
  const {
    clock = systemClock,
    generateId = generateUuid,
    logger,
    handlers: handlesDeliveries = true,
    acceptsKey = true,
    pollMs = Math.min(MAX_POLL_MS, given.leaseMs / 3),
  } = overrides
  const isShared = storage.engine !== 'pglite' || !isEmbedded(given.databaseUrl)
  if (!acceptsKey) await ensureTenant(storage)
  const apiKey = acceptsKey
    ? await ensureAccess(storage, { ...given, generateId, isShared, logger })
    : given.apiKey
  const config = Object.freeze({ ...given, apiKey })
  const models = await composeModels(config.model, overrides, {
    storage,
    clock,
    generateId,
    logger,
  })
  const memory = createMemory({
    storage,
    embeddings: models.embeddings,
    clock,
    generateId,
    logger,
  })
  const consolidation = createConsolidation({
    storage,
    memory,
    chat: models.chat,
    clock,
    generateId,
    logger,
  })
  const contextFiles = createContextFiles({ storage, clock, logger })
  const { handler: summonHandler, ...agents } = createAgents({
    storage,
    chat: models.chat,
    clock,
    generateId,
    logger,
    onPublished: (consumer) => relay.nudge(consumer),
  })
  const userMemory = createUserMemory({
    storage,
    memory,
    consolidation,
    contextFiles,
    clock,
    generateId,
    onPublished: (consumer) => relay.nudge(consumer),
  })
  const { workspace, personal, global, copies, slashCommands } = config.skills
  const catalog = createSkillCatalog({ workspace, personal, global, logger })
  const skills = createSkills({
    storage,
    catalog,
    embeddings: models.embeddings,
    copiesFolder: copies,
    generateId,
    logger,
  })
  const handlers: Readonly<Record<string, EventHandler>> = {
    ...consolidation.handlers,
    [EMBEDDING_CONSUMER]: embeddingHandler(memory),
    [SUMMON_CONSUMER]: summonHandler,
  }
  const consumers = Object.keys(handlers)
  const { leaseMs, drainMs } = config
  const bus = overrides.bus ?? (await createBus(config, logger))
  const hasQueue = config.redisUrl !== undefined || overrides.bus !== undefined
  // The lock of an embedded store means that every earlier process has ended, and that no other works.
  const exclusive = storage.engine === 'pglite'
  const relay = createRelay({
    storage,
    bus,
    consumers,
    exclusive,
    clock,
    logger,
    leaseMs,
    pollMs,
    ...(hasQueue && QUEUE_FEED),
  })
  const handleDelivery = createDeliveryHandler({
    storage,
    handlers,
    onSettled: (consumer) => relay.nudge(consumer),
    clock,
    logger,
    leaseMs,
  })

  const findKey = createSharedLookup((hash) => storage.system.apiKeys.findByHash(hash))
  const findAgent = createSharedLookup((question) => {
    const [tenantId, keyOrId] = JSON.parse(question) as [string, string]
    return storage.transaction(
      { tenantId, userId: SHARED_USER_ID },
      (stores) => stores.agents.find(keyOrId),
      { readOnly: true },
    )
  })
  const queue = hasQueue ? { bus, required: handlesDeliveries } : undefined
  const parts = { storage, models, queue, config, clock }

  let started: Promise<void> | undefined
  let closed: Promise<void> | undefined
  let upkeep: Upkeep | undefined

  async function start(): Promise<void> {
    await catalog.watch()
    if (handlesDeliveries) {
      for (const consumer of consumers) {
        await bus.subscribe(consumer, handleDelivery, { concurrency: config.workerConcurrency })
      }
    }
    relay.start()
    if (!handlesDeliveries) return
    // After a change of model everything lacks vectors. With a server that is `loam spaces fill`, so that it is done once.
    upkeep = startUpkeep({
      storage,
      memory,
      consolidation,
      skills,
      clock,
      logger,
      embedsMissing: exclusive,
    })
  }

  async function settle(): Promise<void> {
    if (!started) throw new Error('Deliveries wait until start() is called, so nothing settles.')
    await started
    for (;;) {
      relay.nudge()
      if (await storage.system.deliveries.areSettled(consumers, clock.now())) return
      await delay(SETTLE_LOOK_MS)
    }
  }

  async function close(): Promise<void> {
    await started?.catch(() => {})
    await catalog.close()
    await upkeep?.stop()
    // First nothing new is handed over, then what is in hand ends, and only then the store may go.
    await relay.close()
    await bus.close({ drainMs })
    if (!overrides.storage) await storage.close()
  }

  const reportRun: Runtime['reportRun'] = async (scope, sessionKey, report) => {
    const {
      runId,
      eventId,
      consumers: woken,
    } = await storeRun({ storage, clock, generateId }, scope, sessionKey, report)
    for (const consumer of woken) relay.nudge(consumer)
    return { runId, eventId }
  }
  const buildTurn: Runtime['buildContext'] = (request) =>
    buildContext({ storage, contextFiles, skills, slashCommands, clock, generateId }, request)
  const createTools: Runtime['createTools'] = (request) =>
    createAgentTools({ memory, contextFiles, skills }, request)
  const chat = createChat({
    storage,
    memory,
    completion: models.completion,
    buildContext: buildTurn,
    createTools,
    reportRun,
    generateId,
    logger,
  })

  return {
    config,
    storage,
    memory,
    contextFiles,
    agents,
    skills,
    userMemory,
    models,
    clock,
    generateId,
    logger,
    async authenticate(secret) {
      if (secret === '' || secret.length > MAX_SECRET_LENGTH) return undefined
      return await findKey(hashSecret(secret))
    },
    findAgent: (tenantId, keyOrId) => findAgent(JSON.stringify([tenantId, keyOrId])),
    reportRun,
    buildContext: buildTurn,
    prepareSkills: (request) =>
      prepareTurnSkills(
        { skills, slashCommands },
        request,
        storage.transaction(
          { tenantId: request.tenantId, userId: request.userId },
          readTurnSkillsState,
          { readOnly: true },
        ),
      ),
    createTools,
    chat,
    start: () => (started ??= start()),
    settle,
    ready: () => checkHealth(parts),
    status: (tenantId) => describeStatus(parts, tenantId),
    close: () => (closed ??= close()),
    [Symbol.asyncDispose]: () => (closed ??= close()),
  }
}

const SETTLE_LOOK_MS = 20

function embeddingHandler(memory: Memory): EventHandler {
  return async (event, { signal }) => {
    if (event.type !== 'chunks.unembedded') {
      throw new InvalidInputError({
        message: `Vectors are made for chunks.unembedded events, and event ${event.id} is a ${event.type}.`,
      })
    }
    const { tenantId, userId, payload } = event
    await memory.embedMissing({ tenantId, userId }, payload, { signal })
  }
}
