import { Option, type Command } from 'commander'
import { command, connected, remote, wholeNumber, type SharedOptions } from './command-line.js'
import type { SkillCommandOptions } from './commands/skills.js'
import { createOutput } from './output.js'
import type { ProgramHooks } from './program.js'

/** Adds the commands about what agents can do: `skills`. */
export function addSkillCommands(program: Command, hooks: ProgramHooks): void {
  const skills = program
    .command('skills')
    .description('Look after skills: what agents can do, and who may use it.')
  addReading(skills)
  addValidate(skills, hooks)
  addStoring(skills)
  addGrants(skills)
}

function addReading(skills: Command): void {
  forCaller(
    command(skills, 'list', 'List those that an agent and a user may use.', [
      'loam skills list --agent helper --user ana',
    ]),
  ).action(async (options: SkillCommandOptions & SharedOptions) => {
    const { listSkills } = await import('./commands/skills.js')
    const output = createOutput(options)
    await connected({ ...options, mustExist: true }, ({ client }) =>
      listSkills(options, { client, output }),
    )
  })
  forCaller(
    command(skills, 'show', 'Print one with its text.', ['loam skills show pdf --agent helper']),
  )
    .argument('<slug>', 'which one')
    .action(async (slug: string, options: SkillCommandOptions & SharedOptions) => {
      const { showSkill } = await import('./commands/skills.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true }, ({ client }) =>
        showSkill(slug, options, { client, output }),
      )
    })
  forCaller(
    command(skills, 'search', 'Find those that fit a task.', [
      'loam skills search "fill in a form" --agent helper',
    ]),
  )
    .argument('<query>', 'a few words about the task')
    .option('--limit <count>', 'how many at most, 1 to 100 (default: 5)', wholeNumber)
    .action(
      async (query: string, options: SkillCommandOptions & { limit?: number } & SharedOptions) => {
        const { searchSkills } = await import('./commands/skills.js')
        const output = createOutput(options)
        await connected({ ...options, mustExist: true }, ({ client }) =>
          searchSkills(query, options, { client, output }),
        )
      },
    )
  forCaller(
    command(skills, 'why', 'Say why an agent and a user may use one or not.', [
      'loam skills why pdf --agent helper --user ana',
    ]),
  )
    .argument('<slug>', 'which one')
    .action(async (slug: string, options: SkillCommandOptions & SharedOptions) => {
      const { explainSkill } = await import('./commands/skills.js')
      const output = createOutput(options)
      await connected({ ...options, mustExist: true }, ({ client }) =>
        explainSkill(slug, options, { client, output }),
      )
    })
}

function addValidate(skills: Command, hooks: ProgramHooks): void {
  command(skills, 'validate', 'Say what is wrong with the skills of a folder; needs no server.', [
    'loam skills validate ./skills',
    'loam skills validate ./skills/pdf --strict',
  ])
    .argument('<folder>', 'the folder of a skill, or a folder of such folders')
    .option('--strict', 'fail for warnings, too, such as what the Agent Skills format would reject')
    .action(async (folder: string, options: { strict?: boolean } & SharedOptions) => {
      const { validateSkills } = await import('./commands/validate-skills.js')
      if (!(await validateSkills(folder, options, createOutput(options)))) hooks.fail()
    })
}

function addStoring(skills: Command): void {
  const visibility = new Option(
    '--visibility <visibility>',
    'of new skills (default: internal, with the key of a user private)',
  )
  remote(
    command(skills, 'add', 'Store skills, as new ones or as new versions.', [
      'loam skills add ./skills/pdf',
      'loam skills add skills.zip --visibility public',
    ]),
  )
    .argument('<source>', 'a ZIP, the folder of a skill, or a folder of such folders')
    .option('--slug <slug>', "its name in commands (default: the folder's name)")
    .addOption(visibility.choices(['private', 'internal', 'public']))
    .action(
      async (source: string, options: { slug?: string; visibility?: string } & SharedOptions) => {
        const { addSkills } = await import('./commands/skills.js')
        const output = createOutput(options)
        await connected(options, ({ client }) => addSkills(source, options, { client, output }))
      },
    )
}

interface GrantOptions extends SharedOptions {
  readonly agent?: string
  readonly user?: string
  readonly pin?: number | false
  readonly manage?: boolean
}

function addGrants(skills: Command): void {
  const grant = toWhom(
    command(skills, 'grant', 'Let an agent or a user use one.', [
      'loam skills grant pdf --agent helper',
      'loam skills grant pdf --agent helper --pin 2',
      'loam skills grant pdf --user ana --manage',
    ]),
  )
    .option('--pin <version>', 'the version that the agent keeps', wholeNumber)
    .option('--no-pin', 'let the agent have the version that is served again')
    .option('--manage', 'let them change what it says, too')
  grant.action((slug: string, options: GrantOptions) => change(grant, slug, options, false))
  const revoke = toWhom(
    command(skills, 'revoke', 'Take the grant of an agent or a user back.', [
      'loam skills revoke pdf --agent helper',
    ]),
  )
  revoke.action((slug: string, options: GrantOptions) => change(revoke, slug, options, true))
}

async function change(
  of: Command,
  slug: string,
  options: GrantOptions,
  revoke: boolean,
): Promise<void> {
  if ((options.agent === undefined) === (options.user === undefined)) {
    of.error('error: give --agent or --user, one of the two', { exitCode: 2, code: 'usage' })
  }
  const { changeGrant } = await import('./commands/skills.js')
  const output = createOutput(options)
  await connected({ ...options, mustExist: true }, ({ client }) =>
    changeGrant(slug, { ...options, revoke }, { client, output }),
  )
}

function toWhom(parent: Command): Command {
  return remote(parent)
    .argument('<slug>', 'which one')
    .option('--agent <key>', 'an agent, for all its users')
    .option('--user <id>', 'a user, with every agent')
}

function forCaller(parent: Command): Command {
  return remote(parent)
    .requiredOption('--agent <key>', 'whose skills')
    .option('--user <id>', 'for whom (default: nobody in particular)')
}
