import { Option, type Command } from 'commander'
import { addAgentCommands } from './agent-program.js'
import {
  command,
  concurrency,
  connected,
  decimal,
  port,
  remote,
  wholeNumber,
  type SharedOptions,
} from './command-line.js'
import { IMPORT_FORMATS } from './importers/read-conversations.js'
import { createOutput } from './output.js'
import type { ImportCommandOptions } from './commands/import.js'
import type { SearchCommandOptions } from './commands/search.js'
import type { ReplayCommandOptions } from './commands/dlq.js'
import type { ServeCommandOptions } from './commands/serve.js'
import type { WorkerCommandOptions } from './commands/worker.js'
import { addMcpCommand } from './mcp-program.js'
import { addMeCommands } from './me-program.js'
import { addSkillCommands } from './skill-program.js'

/** What a command tells its program. */
export interface ProgramHooks {
  /** The command ran, and what it looked for is not as it should be. */
  fail(): void
}

/** Adds every command of `loam` to a program. What a command needs is loaded when it runs, so that help is quick. */
export function addCommands(program: Command, hooks: ProgramHooks): void {
  addServe(program)
  addWorker(program)
  addMigrate(program, hooks)
  addImport(program)
  addSearch(program)
  addAgentCommands(program, hooks)
  addSkillCommands(program, hooks)
  addMeCommands(program, hooks)
  addMcpCommand(program)
  addDoctor(program, hooks)
  addDeadLetters(program, hooks)
  addKeys(program)
  addSpaces(program)
  addDemo(program, hooks)
}

function addServe(program: Command): void {
  command(program, 'serve', 'Serve the API and run its jobs in one process.', [
    'loam serve',
    'loam serve --port 0 --json',
  ])
    .option('--host <host>', 'address to listen on (default: LOAM_HOST or 127.0.0.1)')
    .option('--port <port>', 'port to listen on; 0 picks one (default: LOAM_PORT or 7420)', port)
    .action(async (options: ServeCommandOptions & SharedOptions) => {
      const { runServe } = await import('./commands/serve.js')
      await runServe(options, createOutput(options))
    })
}

function addWorker(program: Command): void {
  command(program, 'worker', 'Do the jobs of an API, beside any number of others.', [
    'loam worker',
    'loam worker --concurrency 8 --port 7421',
  ])
    .option(
      '--concurrency <count>',
      'jobs of each kind at once (default: LOAM_WORKER_CONCURRENCY or 4)',
      concurrency,
    )
    .option('--host <host>', 'address of the health checks (default: LOAM_HOST or 127.0.0.1)')
    .option('--port <port>', 'their port; 0 picks one (default: LOAM_WORKER_PORT or 0)', port)
    .action(async (options: WorkerCommandOptions & SharedOptions) => {
      const { runWorkerCommand } = await import('./commands/worker.js')
      await runWorkerCommand(options, createOutput(options))
    })
}

function addDeadLetters(program: Command, hooks: ProgramHooks): void {
  const dlq = program
    .command('dlq')
    .description('Look after the dead letters: jobs that were given up after repeated failures.')
  remote(
    command(dlq, 'list', 'List them, newest first.', ['loam dlq list', 'loam dlq list --json']),
  )
    .option('--limit <count>', 'how many at most (default: 50)', wholeNumber, 50)
    .action(async (options: { readonly limit: number } & SharedOptions) => {
      const { listDeadLetters } = await import('./commands/dlq.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true }, async ({ client }) => {
        await listDeadLetters(options, { client, output })
      })
    })
  remote(
    command(dlq, 'replay', 'Have them tried again.', [
      'loam dlq replay 0198c5a0-0000-7000-8000-000000000000',
      'loam dlq replay --consumer run.completed.episodic',
      'loam dlq replay --all',
    ]),
  )
    .argument('[id...]', 'which ones')
    .option('--all', 'all of them')
    .option('--consumer <name>', 'all of one consumer')
    .action(async (ids: readonly string[], options: ReplayCommandOptions & SharedOptions) => {
      const ways = [ids.length > 0, options.all === true, options.consumer !== undefined]
      if (ways.filter(Boolean).length !== 1) {
        dlq.error('error: give ids, or --consumer, or --all', { exitCode: 2, code: 'usage' })
      }
      const { replayDeadLetters } = await import('./commands/dlq.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true, jobs: true }, async ({ client, settle }) => {
        if (!(await replayDeadLetters(ids, options, { client, output }))) hooks.fail()
        await settle()
      })
    })
}

function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('Look after the keys that open the API, as the operator of the database.')
  remote(command(keys, 'list', 'List them by name.', ['loam keys list'])).action(
    async (options: SharedOptions) => {
      const { hasOwnStore, listKeys, listUserKeys } = await import('./commands/keys.js')
      const output = createOutput(options)
      if (!hasOwnStore(options)) await listKeys(output)
      else await connected(options, ({ client }) => listUserKeys({ client, output }))
    },
  )
  remote(
    command(keys, 'add', 'Make a key for one user; or have the key in LOAM_API_KEY accepted.', [
      'loam keys add ana-phone --user ana',
      'loam keys add next',
    ]),
  )
    .argument('<name>', 'what to call it')
    .option('--user <id>', 'the one user that it is to act for; the key is printed once')
    .action(async (name: string, options: SharedOptions & { readonly user?: string }) => {
      const { addKey, addUserKey } = await import('./commands/keys.js')
      const output = createOutput(options)
      const { user: userId } = options
      if (userId === undefined) await addKey(name, output)
      else
        await connected(options, ({ client }) => addUserKey({ name, userId }, { client, output }))
    })
  remote(command(keys, 'revoke', 'End a key.', ['loam keys revoke ana-phone']))
    .argument('<name>', 'which one')
    .action(async (name: string, options: SharedOptions) => {
      const { hasOwnStore, revokeKey, revokeUserKey } = await import('./commands/keys.js')
      const output = createOutput(options)
      if (!hasOwnStore(options)) await revokeKey(name, output)
      else await connected(options, ({ client }) => revokeUserKey(name, { client, output }))
    })
}

function addMigrate(program: Command, hooks: ProgramHooks): void {
  command(program, 'migrate', 'Bring the database to the newest schema.', [
    'loam migrate',
    'loam migrate --status',
  ])
    .option('--status', 'only say which schema the database has; exits with 1 if not the newest')
    .action(async (options: { readonly status?: boolean } & SharedOptions) => {
      const { runMigrate } = await import('./commands/migrate.js')
      if (!(await runMigrate(options, createOutput(options)))) hooks.fail()
    })
}

function addImport(program: Command): void {
  const formats = new Option('--format <format>', 'what the file is').choices([...IMPORT_FORMATS])
  remote(
    command(program, 'import', 'Store conversations from a file.', [
      'loam import conversations.json --agent assistant --user me',
      'loam import talk.jsonl --agent assistant --user me --session monday --dry-run',
      'loam import locomo10.json --agent eval',
    ]),
  )
    .argument('<file>', 'JSON Lines, OpenAI messages, ChatGPT conversations.json, or LoCoMo')
    .requiredOption('--agent <key>', 'whose memory it becomes; made if there is none')
    .option('--user <id>', 'whose conversations they are; a LoCoMo file names its own users')
    .addOption(formats.default('auto'))
    .option('--session <key>', 'session of messages that name none (default: from the file name)')
    .option('--skip-bad', 'skip bad records, and list them at the end')
    .option('--dry-run', 'read and check, store nothing')
    .option('--no-runs', 'report no run at the end of a session, so that no episodes are made')
    .action(async (file: string, options: ImportCommandOptions & SharedOptions) => {
      const { runImport } = await import('./commands/import.js')
      const output = createOutput(options)
      const nothing = { client: undefined, output, settle: async () => {} }
      if (options.dryRun === true) await runImport(file, options, nothing)
      else {
        await connected({ ...options, jobs: true }, async ({ client, settle }) => {
          await runImport(file, options, { client, output, settle })
        })
      }
    })
}

function addSearch(program: Command): void {
  const sources = new Option('--source <source...>', 'what to search (default: everything)')
  remote(
    command(program, 'search', 'Find what was said or written.', [
      'loam search "where did Ana move" --agent assistant --user me',
      'loam search Porto --agent assistant --user me --source messages --max-results 3 --explain',
    ]),
  )
    .argument('<query>', 'a question or some words')
    .requiredOption('--agent <key>', 'whose memory to search')
    .option('--user <id>', 'whose part of it; "" is what all users share')
    .option('--max-results <count>', '1 to 50 (default: 6)', wholeNumber)
    .option(
      '--min-score <score>',
      'leave out results below this share of the best result, 0 to 1',
      decimal,
    )
    .addOption(sources.choices(['documents', 'messages', 'episodes']))
    .option('--explain', 'say how each score came about')
    .action(async (query: string, options: SearchCommandOptions & SharedOptions) => {
      const { runSearch } = await import('./commands/search.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true }, async ({ client }) => {
        await runSearch(query, options, { client, output })
      })
    })
}

function addDoctor(program: Command, hooks: ProgramHooks): void {
  remote(
    command(program, 'doctor', 'Say what is configured, reachable, indexed and stale.', [
      'loam doctor',
      'loam doctor --json',
    ]),
  ).action(async (options: SharedOptions) => {
    const { runDoctor } = await import('./commands/doctor.js')
    if (!(await runDoctor(options, createOutput(options)))) hooks.fail()
  })
}

function addSpaces(program: Command): void {
  const spaces = program
    .command('spaces')
    .description('Look after embedding spaces: where the vectors of each model live.')
  command(spaces, 'list', 'List the embedding spaces.', ['loam spaces list']).action(
    async (options: SharedOptions) => {
      const { listSpaces } = await import('./commands/spaces.js')
      await listSpaces(createOutput(options))
    },
  )
  command(
    spaces,
    'fill',
    'Embed what the present model has not seen, as after a change of model.',
    ['loam spaces fill'],
  ).action(async (options: SharedOptions) => {
    const { fillSpace } = await import('./commands/spaces.js')
    await fillSpace(createOutput(options))
  })
  command(spaces, 'index', 'Build the vector index of a space, as the owner of the database.', [
    'loam spaces index',
    'loam spaces index --space 2',
  ])
    .option('--space <id>', 'which one (default: that of the present model)', wholeNumber)
    .action(async (options: { readonly space?: number } & SharedOptions) => {
      const { indexSpace } = await import('./commands/spaces.js')
      await indexSpace(options.space, createOutput(options))
    })
}

function addDemo(program: Command, hooks: ProgramHooks): void {
  command(program, 'demo', 'Show the whole loop on a conversation, in a temporary store.', [
    'loam demo',
    'loam demo ~/Downloads/conversations.json',
  ])
    .argument('[file]', 'any file that can be imported (default: an example)')
    .action(async (file: string | undefined, options: SharedOptions) => {
      const { runDemoCommand } = await import('./commands/demo.js')
      if (!(await runDemoCommand(file, createOutput(options)))) hooks.fail()
    })
}
