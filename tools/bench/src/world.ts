import { randomBytes } from 'node:crypto'
import { createCorpus, type Corpus } from './corpus.js'
import { createDatabase, createLoamDatabase, type OwnDatabase } from './databases.js'
import { createJsonClient, type JsonClient } from './json-client.js'
import { installMem0 } from './peers/install-mem0.js'
import { startMem0, type Mem0Process } from './peers/mem0.js'
import { startChild } from './processes/child.js'
import { startLoam } from './processes/loam.js'
import type { Pace } from './processes/speech.js'
import { removeKeys } from './redis-keys.js'
import { createStack, type Stack } from './stack.js'

/** The key of the API that is measured. */
export const API_KEY = 'a-key-for-benchmarks-only'

/** What every measurement works with. All that it starts and makes goes with it. */
export interface World {
  readonly databaseUrl: string
  readonly redisUrl: string | undefined
  readonly modelUrl: string
  readonly dimensions: number
  readonly corpus: Corpus
  readonly profileFolder: string | undefined
  readonly stack: Stack
  /** Puts off each answer of the model server from now on. */
  delayModels(milliseconds: number): Promise<void>
  /** How the talking model talks from now on. */
  setPace(pace: Pace): Promise<void>
}

/** What a world is made with. */
export interface WorldOptions {
  readonly databaseUrl: string
  readonly redisUrl?: string | undefined
  readonly dimensions: number
  /** Folder for CPU profiles of Loam's processes. Default: none are made. */
  readonly profileFolder?: string | undefined
}

/** Starts the model server that both sides share. */
export async function createWorld(options: WorldOptions): Promise<World & AsyncDisposable> {
  const { databaseUrl, redisUrl, dimensions, profileFolder } = options
  const stack = createStack()
  const models = startChild('model-server')
  stack.defer(() => models.stop())
  const modelUrl = await models.call<string>('listen', { dimensions })
  return {
    databaseUrl,
    redisUrl,
    modelUrl,
    dimensions,
    corpus: createCorpus(),
    profileFolder,
    stack,
    delayModels: (milliseconds) => models.call('delay', milliseconds),
    setPace: (pace) => models.call('pace', pace),
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  }
}

/** A database with Loam's tables that goes with the world. */
export async function makeLoamDatabase(world: World): Promise<OwnDatabase> {
  const database = await createLoamDatabase(world.databaseUrl)
  world.stack.defer(() => database.drop())
  return database
}

/** A prefix of keys in Redis that go with the world. */
export function makeRedisPrefix({ stack }: World, redisUrl: string): string {
  const prefix = `bench-${randomBytes(4).toString('hex')}`
  stack.defer(() => removeKeys(redisUrl, prefix))
  return prefix
}

/** What Loam's processes are started with: with local embeddings, and without a model. */
export function localSettings(databaseUrl: string): Readonly<Record<string, string>> {
  return { LOAM_DATABASE_URL: databaseUrl, LOAM_API_KEY: API_KEY }
}

/** What they are started with to have their embeddings from the model server. */
export function loamSettings(
  { modelUrl, dimensions }: World,
  databaseUrl: string,
): Readonly<Record<string, string>> {
  return {
    ...localSettings(databaseUrl),
    LOAM_MODEL_BASE_URL: modelUrl,
    LOAM_EMBEDDING_MODEL: 'bench-embeddings',
    LOAM_EMBEDDING_DIMENSIONS: String(dimensions),
  }
}

/** Starts Loam's API with these settings. */
export async function startApi(
  world: World,
  settings: Readonly<Record<string, string>>,
): Promise<JsonClient> {
  const { stack, profileFolder } = world
  const api = await startLoam('api', { settings, profileFolder })
  stack.defer(() => api.stop())
  return connect(world, api.url)
}

/** A client that goes with the world. */
export function connect({ stack }: World, url: string): JsonClient {
  const client = createJsonClient(url, API_KEY)
  stack.defer(() => client.close())
  return client
}

/** Makes an agent. */
export async function createAgent(client: JsonClient, key: string): Promise<string> {
  await client.post('/v1/agents', { key })
  return key
}

/** mem0 with a database of its own, to open collections in. */
export interface Mem0World {
  readonly mem0: Mem0Process
  readonly databaseUrl: string
  open(collection: string, options: { readonly hnsw: boolean }): Promise<string>
}

/** Installs mem0 if it is not there, and starts it. */
export async function startPeer(world: World, peersFolder: string): Promise<Mem0World> {
  const { stack, modelUrl, dimensions } = world
  const entry = await installMem0(peersFolder)
  const database = await createDatabase(world.databaseUrl, 'mem0')
  stack.defer(() => database.drop())
  const mem0 = await startMem0()
  stack.defer(() => mem0.stop())
  return {
    mem0,
    databaseUrl: database.url,
    async open(collection, { hnsw }) {
      await mem0.open({ entry, databaseUrl: database.url, modelUrl, dimensions, collection, hnsw })
      return collection
    },
  }
}
