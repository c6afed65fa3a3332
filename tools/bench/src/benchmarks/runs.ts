import { compare, type Side } from '../comparison.js'
import { analyze } from '../databases.js'
import { runsToEpisodes } from '../measurements/runs.js'
import { startChild } from '../processes/child.js'
import { startLoam } from '../processes/loam.js'
import type { BareOptions } from '../processes/bare-job.js'
import { seedSessions, type SeededSession } from '../sessions.js'
import {
  connect,
  loamSettings,
  makeLoamDatabase,
  makeRedisPrefix,
  startApi,
  type World,
} from '../world.js'
import type { Benchmark } from './benchmark.js'

/** Jobs that one worker does at once, on every side. */
const CONCURRENCY = 8

/** Runs per second from report to episode, with one API and one worker, against the same work in bare SQL. */
export const runs: Benchmark = async ({ world, sizes, onProgress }) => {
  const { redisUrl, corpus } = world
  if (redisUrl === undefined) {
    throw new Error('Runs go through Redis: set LOAM_TEST_REDIS_URL, or leave this benchmark out.')
  }
  const databases: string[] = []
  const sessionsOf = async (databaseUrl: string) => {
    databases.push(databaseUrl)
    const count = sizes.runs * (sizes.rounds + 1)
    const sessions = await seedSessions(databaseUrl, { corpus, count })
    return (round: number) => sessions.slice(sizes.runs * round, sizes.runs * (round + 1))
  }
  onProgress('Runs: making the sessions')
  const ours = await loam(world, { redisUrl, sessionsOf })
  const theirs = await bare(world, { redisUrl, sessionsOf, complete: true })
  const fewest = await bare(world, { redisUrl, sessionsOf, complete: false })
  return [
    await compare({
      title: 'Runs from report to episode, one API, one worker',
      unit: 'runs/s',
      better: 'higher',
      target: 0.5,
      ours: [ours],
      theirs: [theirs],
      besides: [fewest],
      rounds: sizes.rounds,
      afterWarmUp: () => analyze(databases),
      onProgress,
    }),
  ]
}

interface SideOptions {
  readonly redisUrl: string
  readonly sessionsOf: (databaseUrl: string) => Promise<(round: number) => readonly SeededSession[]>
}

async function loam(world: World, { redisUrl, sessionsOf }: SideOptions): Promise<Side> {
  const { url: databaseUrl } = await makeLoamDatabase(world)
  const sessions = await sessionsOf(databaseUrl)
  const settings = {
    ...loamSettings(world, databaseUrl),
    LOAM_REDIS_URL: redisUrl,
    LOAM_QUEUE_PREFIX: makeRedisPrefix(world, redisUrl),
    LOAM_CHAT_MODEL: 'bench-chat',
    LOAM_WORKER_CONCURRENCY: String(CONCURRENCY),
  }
  const client = await startApi(world, settings)
  const { profileFolder } = world
  const worker = await startLoam('worker', { settings, profileFolder })
  world.stack.defer(() => worker.stop())
  return runsToEpisodes({ name: 'Loam', client, databaseUrl, sessions })
}

async function bare(
  world: World,
  { redisUrl, sessionsOf, complete }: SideOptions & { readonly complete: boolean },
): Promise<Side> {
  const { url: databaseUrl } = await makeLoamDatabase(world)
  const sessions = await sessionsOf(databaseUrl)
  const { modelUrl, dimensions } = world
  const options: BareOptions = {
    databaseUrl,
    redisUrl,
    prefix: makeRedisPrefix(world, redisUrl),
    modelUrl,
    dimensions,
    concurrency: CONCURRENCY,
    complete,
  }
  const api = startChild('bare-api')
  world.stack.defer(() => api.stop())
  const client = connect(world, await api.call<string>('listen', options))
  const worker = startChild('bare-worker')
  world.stack.defer(() => worker.stop())
  await worker.call('start', options)
  const name = complete ? 'bare SQL, the same transactions' : 'bare SQL, the fewest writes'
  return runsToEpisodes({ name, client, databaseUrl, sessions })
}
