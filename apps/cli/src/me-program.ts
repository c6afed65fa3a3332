import { Option, type Command } from 'commander'
import { command, connected, remote, wholeNumber, type SharedOptions } from './command-line.js'
import type { MeCommandOptions } from './commands/me.js'
import { createOutput } from './output.js'
import type { ProgramHooks } from './program.js'

/** Adds the commands about what is known of a person: `me`. */
export function addMeCommands(program: Command, hooks: ProgramHooks): void {
  const me = program
    .command('me')
    .description('See what an agent holds about a person, and have it erased.')
  ofPerson(
    command(me, 'list', 'List everything that is held, newest first.', [
      'loam me list --agent helper --user ana',
      'loam me list --agent helper --user ana --kind document episode',
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
    .option('--limit <count>', 'how many at most (default: 50)', wholeNumber, 50)
    .action(
      async (
        options: MeCommandOptions & { kind?: readonly string[]; limit: number } & SharedOptions,
      ) => {
        const { listMemory } = await import('./commands/me.js')
        const output = createOutput(options)
        const { kind: kinds, ...rest } = options
        await connected({ ...options, mustExist: true }, ({ client }) =>
          listMemory({ ...rest, ...(kinds && { kinds }) }, { client, output }),
        )
      },
    )
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
