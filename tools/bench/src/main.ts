import { join } from 'node:path'
import { Argument, Command, InvalidArgumentError } from 'commander'
import { BENCHMARKS } from './benchmarks/index.js'
import type { Comparison } from './comparison.js'
import { currentLoad, describeMachine } from './machine.js'
import { repositoryRoot } from './processes/code.js'
import { formatReport } from './report.js'
import { FULL_SIZES, QUICK_SIZES, type Sizes } from './sizes.js'
import { createWorld } from './world.js'

interface BenchOptions extends Partial<Sizes> {
  readonly quick?: boolean
  readonly peers: boolean
  readonly profile?: string
  readonly json?: boolean
}

/** Exit code of a process that was interrupted, by convention 128 and the number of SIGINT. */
const INTERRUPTED = 130

const names = Object.keys(BENCHMARKS)

await new Command('bench')
  .description('Measures Loam beside what it can be compared with, side by side in one run.')
  .addArgument(new Argument('[benchmarks...]', 'which (default: all)').choices(names))
  .option('--quick', 'small sizes, to see that everything works')
  .option('--rounds <count>', 'rounds that count, after one that warms up', wholeNumber)
  .option('--messages <count>', 'messages that each side stores in a round', wholeNumber)
  .option('--searched-messages <count>', 'messages that are searched', wholeNumber)
  .option('--questions <count>', 'questions that each side is asked in a round', wholeNumber)
  .option('--runs <count>', 'runs that are reported in a round', wholeNumber)
  .option('--dimensions <count>', 'length of the vectors', wholeNumber)
  .option(
    '--no-peers',
    'without the packages that are measured beside Loam, which are installed from npm when they are first needed',
  )
  .option('--profile <folder>', 'write CPU profiles of Loam’s processes there')
  .option('--json', 'print JSON only')
  .action(run)
  .parseAsync()

async function run(chosen: readonly string[], options: BenchOptions): Promise<void> {
  const { quick, peers, profile, json, ...given } = options
  const sizes: Sizes = { ...(quick === true ? QUICK_SIZES : FULL_SIZES), ...given }
  const { databaseUrl, redisUrl } = servers()
  const machine = await describeMachine({ databaseUrl, redisUrl })
  const comparisons: Comparison[] = []
  for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    await using world = await createWorld({
      databaseUrl,
      redisUrl,
      dimensions: sizes.dimensions,
      profileFolder: profile,
    })
    using _cleaning = closedWhenStopped(world)
    comparisons.push(
      ...(await benchmark({
        world,
        sizes,
        peersFolder: peers ? join(repositoryRoot, '.cache/bench/peers') : undefined,
        onProgress: (note) => process.stderr.write(`${note}\n`),
      })),
    )
  }
  const report = { machine, loadAtEnd: currentLoad(), comparisons }
  console.log(json === true ? JSON.stringify(report, null, 2) : formatReport(report))
}

/** Told to stop, the process still removes its databases and ends its children; told twice, it ends at once. */
function closedWhenStopped(world: AsyncDisposable): Disposable {
  const stop = () => {
    process.once('SIGINT', exitInterrupted)
    world[Symbol.asyncDispose]().then(exitInterrupted, exitInterrupted)
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, stop)
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, stop)
    },
  }
}

function exitInterrupted(): never {
  process.exit(INTERRUPTED)
}

function servers() {
  const { LOAM_TEST_DATABASE_URL: databaseUrl, LOAM_TEST_REDIS_URL: redisUrl } = process.env
  if (databaseUrl) return { databaseUrl, redisUrl: redisUrl || undefined }
  throw new Error(
    'LOAM_TEST_DATABASE_URL is not set. Start the benchmarks with npm run bench, which finds or starts the servers.',
  )
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}
