import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type ApiClient } from '@loam/cli'
import { Command, InvalidArgumentError } from 'commander'
import { evaluateLocomo } from './evaluate-locomo.js'
import { formatReport, makeReport } from './report.js'

interface LocomoOptions {
  readonly url?: string
  readonly apiKey?: string
  readonly agent: string
  readonly conversations?: number
  readonly k: readonly number[]
  readonly json?: boolean
}

const program = new Command('eval').description('Measures what Loam recalls.')

program
  .command('locomo')
  .description('Recall of the turns that hold the answers, in a LoCoMo file.')
  .argument('<path>', 'the file; it is read, never copied')
  .option('--url <url>', 'API to measure (default: a store in memory, in this process)')
  .option('--api-key <key>', 'key of the API')
  .option('--agent <key>', 'agent to import into; it should be new', 'locomo-eval')
  .option('--conversations <count>', 'only the first ones', wholeNumber)
  .option('--k <cut-offs>', 'where to cut', cutoffs, [1, 5, 10, 25, 50])
  .option('--json', 'print JSON only')
  .action(async (path: string, options: LocomoOptions) => {
    await withClient(options, async (client) => {
      const evaluation = await evaluateLocomo(path, {
        client,
        agent: options.agent,
        conversations: options.conversations,
        onProgress: (note) => {
          if (process.stderr.isTTY) process.stderr.write(`\r${note}   `)
        },
      })
      if (process.stderr.isTTY) process.stderr.write('\n')
      const report = makeReport(evaluation, options.k)
      console.log(options.json === true ? JSON.stringify(report) : formatReport(report))
    })
  })

await program.parseAsync()

async function withClient(
  { url, apiKey }: LocomoOptions,
  use: (client: ApiClient) => Promise<void>,
): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'loam-eval-'))
  const memory = { LOAM_HOME: home, LOAM_DATABASE_URL: 'pglite:memory' }
  // What is measured without a URL is Loam as it comes: no settings of this machine.
  const connection = await connect({ url, apiKey }, url === undefined ? memory : process.env)
  try {
    await use(connection.client)
  } finally {
    await connection.close()
    await rm(home, { recursive: true, force: true })
  }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function cutoffs(text: string): readonly number[] {
  return text.split(',').map((part) => wholeNumber(part.trim()))
}
