import { Option, type Command } from 'commander'
import { command, connected, remote, type SharedOptions } from './command-line.js'
import type { CreateAgentOptions, SummonCommandOptions } from './commands/agent.js'
import type { FileCommandOptions, PutFileOptions } from './commands/files.js'
import type { PromptCommandOptions } from './commands/prompt.js'
import { createOutput } from './output.js'
import type { ProgramHooks } from './program.js'

/** Adds the commands about what agents are: `agent`, `files`, `prompt`. */
export function addAgentCommands(program: Command, hooks: ProgramHooks): void {
  addAgent(program, hooks)
  addFiles(program)
  addPrompt(program)
}

function addAgent(program: Command, hooks: ProgramHooks): void {
  const agent = program.command('agent').description('Make agents and look after them.')
  remote(
    command(agent, 'create', 'Make an agent.', [
      'loam agent create helper',
      'loam agent create reviewer --type predefined --description "A sarcastic Rust reviewer"',
    ]),
  )
    .argument('<key>', 'its name in URLs: letters, digits, ".", "_", "-"')
    .addOption(
      new Option(
        '--type <type>',
        'open: each user makes it their own; predefined: the same for all',
      )
        .choices(['open', 'predefined'])
        .default('open'),
    )
    .option('--name <name>', 'what people call it')
    .option(
      '--description <text>',
      'what it is; a model writes the files of a predefined agent from it',
    )
    .option('--no-summon', 'keep the templates, whatever the description')
    .option('--wait', 'wait until its files are written')
    .action(async (key: string, options: CreateAgentOptions & SharedOptions) => {
      const { createAgent } = await import('./commands/agent.js')
      const output = createOutput(options)
      await connected({ ...options, jobs: true }, async (connection) => {
        if (!(await createAgent(key, options, { ...connection, output }))) hooks.fail()
      })
    })
  remote(command(agent, 'list', 'List the agents by key.', ['loam agent list'])).action(
    async (options: SharedOptions) => {
      const { listAgents } = await import('./commands/agent.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true }, ({ client }) =>
        listAgents({ client, output }),
      )
    },
  )
  remote(command(agent, 'show', 'Show an agent with its files.', ['loam agent show helper']))
    .argument('<key>', 'which one')
    .action(async (key: string, options: SharedOptions) => {
      const { showAgent } = await import('./commands/agent.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true }, ({ client }) =>
        showAgent(key, { client, output }),
      )
    })
  remote(
    command(agent, 'summon', "Have a model write an agent's files, or change them.", [
      'loam agent summon reviewer',
      'loam agent summon reviewer --instruction "Be kinder to beginners"',
      'loam agent summon reviewer --cancel',
    ]),
  )
    .argument('<key>', 'which one')
    .option('--instruction <text>', 'what to change; the old texts are kept as versions')
    .option('--cancel', 'stop the writing that goes on')
    .option('--wait', 'wait for the end, and fail if it fails (default)')
    .option('--no-wait', 'do not wait for the end')
    .action(async (key: string, options: SummonCommandOptions & SharedOptions) => {
      const { summonAgent } = await import('./commands/agent.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true, jobs: true }, async (connection) => {
        if (!(await summonAgent(key, options, { ...connection, output }))) hooks.fail()
      })
    })
}

function addFiles(program: Command): void {
  const files = program
    .command('files')
    .description('Read and write context files: what an agent is, and what it knows of a user.')
  owned(
    command(files, 'list', 'List them, with their size and whose they are.', [
      'loam files list --agent helper --user ana',
    ]),
  ).action(async (options: FileCommandOptions & SharedOptions) => {
    const { listFiles } = await import('./commands/files.js')
    const output = createOutput(options)
    await connected({ ...options, mustExist: true }, ({ client }) =>
      listFiles(options, { client, output }),
    )
  })
  owned(command(files, 'get', 'Print one.', ['loam files get SOUL.md --agent reviewer > SOUL.md']))
    .argument('<name>', 'such as SOUL.md')
    .action(async (name: string, options: FileCommandOptions & SharedOptions) => {
      const { getFile } = await import('./commands/files.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true }, ({ client }) =>
        getFile(name, options, { client, output }),
      )
    })
  owned(
    command(files, 'put', 'Write one.', [
      'loam files put SOUL.md soul.md --agent reviewer',
      'cat USER.md | loam files put USER.md - --agent helper --user ana',
    ]),
  )
    .argument('<name>', 'such as SOUL.md')
    .argument('<source>', 'a file, or "-" for standard input')
    .option('--sender <id>', 'who writes it, when the user is a group')
    .action(async (name: string, source: string, options: PutFileOptions & SharedOptions) => {
      const { putFile } = await import('./commands/files.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true }, ({ client }) =>
        putFile(name, source, options, { client, output }),
      )
    })
  owned(
    command(files, 'edit', 'Open one in your editor ($VISUAL or $EDITOR), and write it back.', [
      'loam files edit SOUL.md --agent reviewer',
    ]),
  )
    .argument('<name>', 'such as SOUL.md')
    .action(async (name: string, options: FileCommandOptions & SharedOptions) => {
      const { editFile } = await import('./commands/files.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true }, ({ client }) =>
        editFile(name, options, { client, output }),
      )
    })
}

function owned(parent: Command): Command {
  return remote(parent)
    .requiredOption('--agent <key>', 'whose files')
    .option('--user <id>', "one user's files (default: the agent's own)")
}

function addPrompt(program: Command): void {
  remote(
    command(program, 'prompt', 'Print the system prompt that a user would have; changes nothing.', [
      'loam prompt --agent helper --user ana',
      'loam prompt --agent helper --user ana --sections',
    ]),
  )
    .requiredOption('--agent <key>', 'whose prompt')
    .option('--user <id>', 'for whom (default: nobody in particular)')
    .option('--session <key>', 'in which session; its key may tell its kind')
    .addOption(
      new Option('--mode <mode>', 'how much of it').choices(['full', 'task', 'minimal', 'none']),
    )
    .option('--sections', 'print a table of its sections with their sizes instead')
    .action(async (options: PromptCommandOptions & SharedOptions) => {
      const { printPrompt } = await import('./commands/prompt.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true }, ({ client }) =>
        printPrompt(options, { client, output }),
      )
    })
}
