import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { InvalidInputError } from '@loam/core'
import { readSkillFiles, readSkillFolder, writeSkillArchive } from '@loam/skills'
import type { ApiClient } from '../api/api-client.js'
import { route, withQuery } from '../api/route.js'
import { oneLine, type Output } from '../output.js'

/** For whom skills are looked at. */
export interface SkillCommandOptions {
  readonly agent: string
  readonly user?: string | undefined
}

interface Connected {
  readonly client: ApiClient
  readonly output: Output
}

interface Warning {
  readonly code: string
  readonly message: string
  readonly line?: number
}

interface SkillItem {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly source: string
  readonly location: string
  readonly version?: number
  readonly warnings: readonly Warning[]
}

/** Lists the skills that an agent and a user may use. */
export async function listSkills(
  options: SkillCommandOptions,
  { client, output }: Connected,
): Promise<void> {
  const answer = await client.get<{ readonly items: readonly SkillItem[] }>(
    withQuery(route`/v1/agents/${options.agent}/skills`, { userId: options.user }),
  )
  output.result(answer)
  if (answer.items.length === 0) {
    output.say('There are no skills yet. "loam skills add <folder or ZIP>" stores one.')
  }
  for (const skill of answer.items) sayItem(skill, output)
}

/** Prints one skill with its text. */
export async function showSkill(
  slug: string,
  options: SkillCommandOptions,
  { client, output }: Connected,
): Promise<void> {
  const skill = await client.get<SkillItem & { readonly text: string }>(
    withQuery(route`/v1/agents/${options.agent}/skills/${slug}`, { userId: options.user }),
  )
  output.result(skill)
  sayItem(skill, output)
  sayWarnings(skill.warnings, output)
  output.say()
  output.say(skill.text.trim())
}

/** Searches the skills that an agent and a user may use. */
export async function searchSkills(
  query: string,
  { agent, user, limit }: SkillCommandOptions & { readonly limit?: number | undefined },
  { client, output }: Connected,
): Promise<void> {
  const answer = await client.post<{
    readonly items: readonly (SkillItem & { readonly score: number })[]
    readonly mode: string
    readonly warnings: readonly string[]
  }>(route`/v1/agents/${agent}/skills/search`, { query, userId: user, limit })
  output.result(answer)
  for (const warning of answer.warnings) output.note(warning)
  if (answer.items.length === 0) output.say('No skill fits.')
  for (const { score, slug, description } of answer.items) {
    output.say(`${score.toFixed(3)}  ${output.paint.bold(slug)}`)
    output.say(`       ${oneLine(description)}`)
  }
}

/** Says why an agent and a user may use a skill or not. */
export async function explainSkill(
  slug: string,
  { agent, user }: SkillCommandOptions,
  { client, output }: Connected,
): Promise<void> {
  const answer = await client.get<{
    readonly accessible: boolean
    readonly reason: string
    readonly canManage: boolean
    readonly pinnedVersion?: number
    readonly source?: string
  }>(withQuery(route`/v1/skills/${slug}/access/effective`, { agent, userId: user }))
  output.result(answer)
  const { accessible, reason, canManage, pinnedVersion, source } = answer
  const may = accessible ? output.paint.green('may be used') : output.paint.red('may not be used')
  output.say(`${slug} ${may}: ${REASONS[reason] ?? reason}.`)
  if (source !== undefined) output.say(`source   ${source}`)
  if (pinnedVersion !== undefined) output.say(`version  pinned to ${pinnedVersion}`)
  if (canManage) output.say('manage   yes')
}

/** Stores the skills of a ZIP or a folder. */
export async function addSkills(
  source: string,
  options: { readonly slug?: string | undefined; readonly visibility?: string | undefined },
  { client, output }: Connected,
): Promise<void> {
  const archives = await archivesOf(source)
  if (archives.length > 1 && options.slug !== undefined) {
    throw new InvalidInputError({
      message: `--slug is for a single skill, and there are ${archives.length} in ${oneLine(source)}.`,
    })
  }
  const items: Uploaded['items'][number][] = []
  for (const { bytes, slug } of archives) {
    const path = withQuery('/v1/skills/upload', {
      slug: options.slug ?? slug,
      visibility: options.visibility,
    })
    const answer = await client.upload<Uploaded>(path, bytes, 'application/zip')
    items.push(...answer.items)
  }
  output.result({ items })
  for (const { outcome, skill, warnings, findings } of items) {
    output.say(`${outcome.padEnd(9)}  ${output.paint.bold(skill.slug)}  version ${skill.version}`)
    sayWarnings(warnings, output)
    for (const { path, line, rule, excerpt } of findings) {
      output.say(`  look at  ${oneLine(path)}:${line} (${rule})  ${oneLine(excerpt, 80)}`)
    }
  }
}

interface Uploaded {
  readonly items: readonly {
    readonly outcome: string
    readonly skill: { readonly slug: string; readonly version: number }
    readonly warnings: readonly Warning[]
    readonly findings: readonly {
      readonly path: string
      readonly line: number
      readonly rule: string
      readonly excerpt: string
    }[]
  }[]
}

/** Lets an agent or a user use a skill, or no longer. */
export async function changeGrant(
  slug: string,
  options: {
    readonly agent?: string | undefined
    readonly user?: string | undefined
    /** False: none any more. */
    readonly pin?: number | false | undefined
    readonly manage?: boolean | undefined
    readonly revoke: boolean
  },
  { client, output }: Connected,
): Promise<void> {
  const { agent, user = '', pin, manage = false, revoke } = options
  const path =
    agent === undefined
      ? route`/v1/skills/${slug}/grants/users/${user}`
      : route`/v1/skills/${slug}/grants/agents/${agent}`
  const who = agent === undefined ? `user ${user}` : `agent ${agent}`
  if (revoke) {
    const answer = await client.delete<{ readonly revoked: boolean }>(path)
    output.result(answer)
    output.say(answer.revoked ? `Took ${slug} from ${who}.` : `${who} had no grant of ${slug}.`)
    return
  }
  const pinned =
    agent !== undefined && pin !== undefined ? { pinnedVersion: pin === false ? null : pin } : {}
  const answer = await client.put(path, { canManage: manage, ...pinned })
  output.result(answer)
  output.say(`Gave ${slug} to ${who}.`)
}

function sayItem({ slug, name, description, source, version }: SkillItem, output: Output): void {
  const title = name === slug ? '' : `  ${oneLine(name, 60)}`
  const number = version === undefined ? '' : ` version ${version}`
  output.say(`${output.paint.bold(slug)}${title}  ${output.paint.dim(source + number)}`)
  output.say(`    ${oneLine(description)}`)
}

function sayWarnings(warnings: readonly Warning[], output: Output): void {
  for (const { code, message, line } of warnings) {
    const place = line === undefined ? '' : ` line ${line}:`
    output.say(`  ${output.paint.yellow('warning')}  ${code}:${place} ${oneLine(message, 300)}`)
  }
}

/** One archive for each skill of a folder; a ZIP as it is. */
async function archivesOf(
  source: string,
): Promise<readonly { readonly bytes: Uint8Array; readonly slug?: string }[]> {
  const status = await stat(source).catch(() => undefined)
  if (status === undefined) {
    throw new InvalidInputError({
      message: `There is no ${oneLine(source)}. Give a ZIP, the folder of a skill, or a folder of such folders.`,
    })
  }
  if (!status.isDirectory()) return [{ bytes: await readFile(source) }]
  const folder = resolve(source)
  const isSkill = await stat(`${folder}/SKILL.md`).then(
    () => true,
    () => false,
  )
  const folders = isSkill ? [folder] : await skillFoldersIn(folder)
  return await Promise.all(
    folders.map(async (path) => ({
      bytes: await writeSkillArchive(basename(path), (await readSkillFiles(path)).files),
    })),
  )
}

async function skillFoldersIn(folder: string): Promise<readonly string[]> {
  const { skills } = await readSkillFolder({ source: 'workspace', root: folder })
  if (skills.length > 0) return skills.map(({ baseDir }) => baseDir)
  throw new InvalidInputError({
    message: `There is no skill in ${oneLine(folder)}. A skill is a folder with a SKILL.md in it.`,
  })
}

const REASONS: Readonly<Record<string, string>> = {
  folder: 'it lies in a folder, for everybody',
  public: 'it is public in the tenant',
  owner: 'it is their own',
  agent_grant: 'the agent has a grant',
  user_grant: 'the user has a grant',
  disabled: 'the tenant has it switched off',
  archived: 'it is archived',
  not_owner: "it is private, and someone else's",
  not_granted: 'it is internal, and neither agent nor user has a grant',
  not_in_allow_list: "the agent's allow list leaves it out",
  not_in_filter: 'the request leaves it out',
  not_found: 'there is none of that name',
}
