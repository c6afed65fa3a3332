import { Option, type Command } from 'commander'
import { command, connected, positiveNumber, remote, type SharedOptions } from './command-line.js'
import type { MeCommandOptions } from './commands/me.js'
import { createOutput } from './output.js'
import type { ProgramHooks } from './program.js'

/** Adds the commands about what is known of a person: `me`. */
export function addMeCommands(program: Command, hooks: ProgramHooks): void {
  const me = program
    .command('me')
    .description('See, correct and forget what an agent holds about a person.')
  ofPerson(
    command(me, 'list', 'List everything that is held, newest first.', [
      'loam me list --agent helper --user ana',
      'loam me list --agent helper --user ana --kind document episode',
      'loam me list --agent helper --user ana --containing Porto --limit 1000',
    ]),
  )
    .addOption(
      new Option('--kind <kind...>', 'what to list (default: everything)').choices([
        'message',
        'document',
        'episode',
        'file',
      ]),
    )
    .option('--containing <text>', 'only what has this text in it, whatever the case')
    .addOption(
      new Option('--limit <count>', 'how many at most').default(50).argParser(positiveNumber),
    )
    .action(
      async (
        options: MeCommandOptions & {
          kind?: readonly string[]
          containing?: string
          limit: number
        } & SharedOptions,
      ) => {
        const { listMemory } = await import('./commands/me.js')
        const output = createOutput(options)
        const { kind: kinds, ...rest } = options
        await connected({ ...options, mustExist: true }, ({ client }) =>
          listMemory({ ...rest, ...(kinds && { kinds }) }, { client, output }),
        )
      },
    )
  const forget = ofPerson(
    command(me, 'forget', 'Forget some of it for good, with all that was made of it.', [
      'loam me forget --agent helper --user ana document:0193a5b0-7000-7000-8000-000000000001',
      'loam me forget --agent helper --user ana --containing Porto',
      'loam me forget --agent helper --user ana --containing Porto --yes',
    ]),
  )
    .argument('[ids...]', 'what to forget, as "loam me list" shows it')
    .option(
      '--containing <text>',
      'all that has this text in it; shown first, forgotten with --yes',
    )
    .option('--yes', 'say that all of it is meant')
  forget.action(
    async (
      ids: readonly string[],
      options: MeCommandOptions & { containing?: string; yes?: boolean } & SharedOptions,
    ) => {
      const { containing, yes: isMeant = false } = options
      if ((containing === undefined) === (ids.length === 0)) {
        forget.error('error: give either the ids of items or --containing', {
          exitCode: 2,
          code: 'usage',
        })
      }
      const { forgetContaining, forgetItems } = await import('./commands/me.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true }, ({ client }) =>
        containing === undefined
          ? forgetItems({ ...options, ids }, { client, output })
          : forgetContaining({ ...options, containing, isMeant }, { client, output }),
      )
    },
  )
  ofPerson(
    command(me, 'correct', 'Replace what a document, an episode or a file says.', [
      'loam me correct --agent helper --user ana document:0193a5b0-7000-7000-8000-000000000001 "Ana lives in Porto."',
      'loam me correct --agent helper --user ana file:USER.md -- "- **Name:** Ana"',
    ]),
  )
    .argument('<id>', 'which item, as "loam me list" shows it')
    .argument('<text>', 'all that it is to say instead; one that begins with "-" stands after "--"')
    .action(async (id: string, text: string, options: MeCommandOptions & SharedOptions) => {
      const { correctItem } = await import('./commands/me.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true }, ({ client }) =>
        correctItem({ ...options, id, text }, { client, output }),
      )
    })
  const erase = ofPerson(
    command(me, 'erase', 'Erase everything that is held, for good.', [
      'loam me erase --agent helper --user ana --yes',
    ]),
  ).option('--yes', 'say that this is meant; there is no way back')
  erase.action(async (options: MeCommandOptions & { yes?: boolean } & SharedOptions) => {
    if (options.yes !== true) {
      erase.error('error: this cannot be taken back; say that it is meant with --yes', {
        exitCode: 2,
        code: 'usage',
      })
    }
    const { eraseMemory } = await import('./commands/me.js')
    const output = createOutput(options)
    await connected({ ...options, mustExist: true }, ({ client }) =>
      eraseMemory(options, { client, output }),
    )
  })
  ofPerson(
    command(me, 'verify', 'Say how much is held; fails when it is anything.', [
      'loam me verify --agent helper --user ana',
    ]),
  ).action(async (options: MeCommandOptions & SharedOptions) => {
    const { verifyMemory } = await import('./commands/me.js')
    const output = createOutput(options)
    await connected({ ...options, mustExist: true }, async ({ client }) => {
      if (!(await verifyMemory(options, { client, output }))) hooks.fail()
    })
  })
}

function ofPerson(parent: Command): Command {
  return remote(parent)
    .requiredOption('--agent <key>', 'which agent holds it')
    .requiredOption('--user <id>', 'about whom')
}
