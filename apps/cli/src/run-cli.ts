import { Command, CommanderError } from 'commander'
import { addCommands } from './program.js'
import { readVersion } from './read-version.js'
import { createOutput } from './output.js'
import { reportError } from './report-error.js'

/** How the command ends: 0 when all went well, 1 when it failed, 2 when it was called wrongly. */
export type ExitCode = 0 | 1 | 2

/** Runs `loam` with arguments, without the names of program and script. Errors are printed, not thrown. */
export async function runCli(args: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = 0
  const isJson = args.includes('--json')
  const program = new Command('loam')
    .description('The context and memory layer for language-model agents.')
    .version(readVersion(), '--version', 'print the version')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({ outputError: isJson ? () => {} : writeUsageError })
  addCommands(program, {
    fail: () => {
      exitCode = 1
    },
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return endOfUsage(error, isJson)
    reportError(error, createOutput({ json: isJson }))
    return 1
  }
}

function writeUsageError(text: string): void {
  process.stderr.write(text)
}

function endOfUsage({ code, message, exitCode }: CommanderError, isJson: boolean): ExitCode {
  if (exitCode === 0) return 0
  if (isJson) {
    const error = { code: 'usage', message: message.replace(/^error: /, ''), issues: [] }
    createOutput({ json: true }).result({ error })
  }
  // Without a command, the help was printed; that is no failure of the caller's words.
  return code === 'commander.help' ? 0 : 2
}
