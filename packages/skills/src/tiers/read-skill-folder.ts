import { readdir, realpath, stat } from 'node:fs/promises'
import type { Dirent } from 'node:fs'
import { basename, join } from 'node:path'
import { compareText } from '@loam/text'
import pLimit from 'p-limit'
import { parseSkill } from '../parse-skill.js'
import type { FolderSkill, LocatedWarning, SkillWarning } from '../skill.js'
import { createFileMemory, type FileMemory } from './file-memory.js'
import { isInside, readInside, type ReadOutcome } from './read-inside.js'
import type { SkillFolder } from './skill-folder.js'

/** What a folder of skills holds. */
export interface FolderListing {
  /** By slug. */
  readonly skills: readonly FolderSkill[]
  /** Of skills that could not be loaded at all; each loaded skill has its own. */
  readonly warnings: readonly LocatedWarning[]
}

/** Files that are read at the same time. */
const READS_AT_ONCE = 64

/**
 * Reads every skill of a folder. Plain files, hidden folders and folders without a SKILL.md are passed over; whatever is
 * there and cannot be loaded is named in the warnings. A folder that does not exist holds nothing.
 *
 * @param memory of the reading before, for files that have not changed since. Default: all are read.
 */
export async function readSkillFolder(
  folder: SkillFolder,
  memory?: SkillMemory,
): Promise<FolderListing> {
  const { source, root } = folder
  const listing = await listFolder(root)
  if ('problem' in listing) {
    const message = `The folder ${root} cannot be read (${listing.problem}).`
    return { skills: [], warnings: [{ code: 'unreadable', message, source, slug: '' }] }
  }
  const limit = pLimit(READS_AT_ONCE)
  const results = await Promise.all(
    listing.entries
      .filter(
        (entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()),
      )
      .map((entry) => limit(() => readEntry(folder, listing.realRoot, entry, memory))),
  )
  memory?.sweep()
  return resolveSpellings(
    source,
    results.filter((result) => result !== undefined),
  )
}

/** What was read of the files of one folder. */
export type SkillMemory = FileMemory<EntryResult | undefined>

/** Makes an empty memory, for one folder. */
export function createSkillMemory(): SkillMemory {
  return createFileMemory()
}

/** What came of one folder within the folder of skills. */
interface EntryResult {
  readonly slug: string
  readonly skill?: FolderSkill
  readonly warning?: SkillWarning
}

async function listFolder(
  root: string,
): Promise<
  { readonly realRoot: string; readonly entries: readonly Dirent[] } | { readonly problem: string }
> {
  try {
    const realRoot = await realpath(root)
    return { realRoot, entries: await readdir(realRoot, { withFileTypes: true }) }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { realRoot: root, entries: [] }
      : { problem: code }
  }
}

async function readEntry(
  { source, versioned }: SkillFolder,
  realRoot: string,
  entry: Dirent,
  memory: SkillMemory | undefined,
): Promise<EntryResult | undefined> {
  const slug = entry.name.normalize('NFC')
  let folder = join(realRoot, entry.name)
  if (entry.isSymbolicLink()) {
    const target = await realpath(folder).catch(() => undefined)
    if (target === undefined || !(await isFolder(target))) return undefined
    if (!isInside(realRoot, target)) return { slug, warning: leadsOut(entry.name) }
    folder = target
  }
  const read = async (version?: number): Promise<EntryResult | undefined> => {
    const path = version === undefined ? folder : join(folder, String(version))
    const target = version === undefined ? path : await realpath(path).catch(() => undefined)
    if (target === undefined) return undefined
    if (!isInside(realRoot, target)) return { slug, warning: leadsOut(basename(path)) }
    const place = { source, realRoot, slug, folder: target, version }
    const isLink = entry.isSymbolicLink() || target !== path
    // Two slugs can lead to one file.
    if (memory === undefined || isLink) return await readSkill(place)
    return await memory.recall(join(target, 'SKILL.md'), () => readSkill(place))
  }
  if (!versioned) return await read()
  for (const version of await versionsOf(folder)) {
    // One of which nothing is there, such as one that is being written, hides none below it.
    const result = await read(version)
    if (result !== undefined) return result
  }
  return undefined
}

async function readSkill(place: {
  readonly source: SkillFolder['source']
  readonly realRoot: string
  readonly slug: string
  readonly folder: string
  readonly version: number | undefined
}): Promise<EntryResult | undefined> {
  const { source, realRoot, slug, folder, version } = place
  let name = 'SKILL.md'
  const read = (): Promise<ReadOutcome> => readInside(join(folder, name), realRoot, true)
  let outcome = await read()
  if (outcome.state === 'missing') {
    name = 'skill.md'
    outcome = await read()
  }
  if (outcome.state === 'missing') return undefined
  if (outcome.state !== 'read') return { slug, warning: whyNot(name, outcome) }
  const { body: _body, format: _format, ...parsed } = parseSkill(outcome.content, { slug })
  const warnings =
    name === 'SKILL.md'
      ? parsed.warnings
      : [
          ...parsed.warnings,
          { code: 'format', message: 'The file is skill.md; it has to be SKILL.md.' } as const,
        ]
  const location = join(folder, name)
  return {
    slug,
    skill: { ...parsed, warnings, source, location, baseDir: folder, root: realRoot, version },
  }
}

/** Two names that differ only in how Unicode spells them are one slug; the first in order of bytes is kept. */
function resolveSpellings(
  source: SkillFolder['source'],
  results: readonly EntryResult[],
): FolderListing {
  const skills = new Map<string, FolderSkill>()
  const warnings: LocatedWarning[] = []
  for (const { slug, skill, warning } of results.toSorted((a, b) => compareText(a.slug, b.slug))) {
    if (warning !== undefined) warnings.push({ ...warning, source, slug })
    if (skill === undefined) continue
    if (skills.has(slug)) {
      const message = `Two folders are called "${slug}", spelt differently; ${skill.baseDir} is left out.`
      warnings.push({ code: 'shadowed', message, source, slug })
    } else skills.set(slug, skill)
  }
  return { skills: Array.from(skills.values()), warnings }
}

/** Highest first. */
async function versionsOf(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch(() => [])
  const versions = names.filter((name) => VERSION.test(name)).map(Number)
  return versions.toSorted((a, b) => b - a)
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  )
}

function leadsOut(name: string): SkillWarning {
  return {
    code: 'path',
    message: `"${name}" is a link that leads out of its folder, and was not followed. Copy the skill there instead.`,
  }
}

function whyNot(
  name: string,
  outcome: Exclude<ReadOutcome, { readonly state: 'read' }>,
): SkillWarning {
  if (outcome.state === 'outside') return leadsOut(name)
  if (outcome.state === 'unreadable') {
    return { code: 'unreadable', message: `${name} cannot be read (${outcome.message}).` }
  }
  return { code: 'unreadable', message: `${name} is not a plain file.` }
}

const VERSION = /^[1-9]\d{0,8}$/
