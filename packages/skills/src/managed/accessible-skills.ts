import { createHash } from 'node:crypto'
import type { Stores, Storage } from '@loam/storage'
import { compareText } from '@loam/text'
import { selectAccessibleSkills } from '../access/select-accessible-skills.js'
import type { SkillCatalog } from '../catalog/create-skill-catalog.js'
import { createSkillIndex, type SkillIndex } from '../search/skill-index.js'
import { inTierOrder } from '../tiers/resolve-tiers.js'
import { createStampedCache } from './skill-cache.js'
import type { SkillReader } from './skill-reader.js'
import { fromFolder, fromStore, type CandidateSkill } from './skill-set.js'

/** On whose behalf skills are looked for, and by which lists they are narrowed. */
export interface SkillRequest {
  readonly tenantId: string
  readonly agentId: string
  /** `''` is nobody in particular. */
  readonly userId: string
  /** The agent's allow list: null lets everything through, `[]` nothing. Default null. */
  readonly allowList?: readonly string[] | null | undefined
  /** Takes the place of the allow list for one turn; never reaches beyond what is accessible. */
  readonly filter?: readonly string[] | null | undefined
}

/** The skills that a caller may use: the one set for prompt, search, slash commands and lists. */
export interface SkillSet {
  /** One for each slug, by slug. */
  readonly skills: readonly CandidateSkill[]
  /** Of these skills. */
  readonly index: SkillIndex
  /** Grows with every change of the folders or of the tenant's skills. */
  readonly version: number
}

/** Finds out what callers may use. */
export interface AccessibleSkills {
  /** Everything that there is for an agent and a user in the order of tiers, whether they may use it or not. */
  candidates(request: SkillRequest): Promise<readonly CandidateSkill[]>
  /** @param revision of the tenant's skills, where it was read already; it must not be older than the question. */
  of(request: SkillRequest, revision?: number): Promise<SkillSet>
}

/** What it works with. */
export interface AccessibleSkillsOptions {
  readonly storage: Pick<Storage, 'transaction'>
  readonly catalog: SkillCatalog
  readonly reader: Pick<SkillReader, 'locationOfFolder' | 'locationOfStored'>
}

/** Most skills of all sets that are kept in memory together. */
const MAX_KEPT_SKILLS = 200_000

/**
 * Keeps what was found while nothing has changed, except where a request brings a filter of its own. Whether it has is read each time from the database, in one row, so that
 * every process sees a change with the next question, and none has to be told.
 */
export function createAccessibleSkills(options: AccessibleSkillsOptions): AccessibleSkills {
  const { storage, catalog, reader } = options
  const candidateSets = createStampedCache<readonly CandidateSkill[]>(MAX_KEPT_SKILLS)
  const skillSets = createStampedCache<Omit<SkillSet, 'version'>>(MAX_KEPT_SKILLS)

  async function stampOf({ tenantId, userId }: SkillRequest, known?: number) {
    // Read before the skills are, so that what changes in between is found to be old the next time.
    await catalog.list()
    const revision =
      known ??
      (await storage.transaction({ tenantId, userId }, ({ skills }) => skills.revision(), {
        readOnly: true,
      }))
    return { stamp: `${catalog.version}/${revision}`, version: catalog.version + revision }
  }

  async function read(request: SkillRequest, stamp: string): Promise<readonly CandidateSkill[]> {
    const { tenantId, agentId, userId } = request
    const key = keyOf(request)
    const known = candidateSets.get(key, stamp)
    if (known !== undefined) return known
    const [folders, [stored, switchedOff]] = await Promise.all([
      catalog.listAll(),
      storage.transaction(
        { tenantId, userId },
        ({ skills }: Stores) => Promise.all([skills.candidates(agentId), skills.switchedOff()]),
        { readOnly: true },
      ),
    ])
    const off = new Set(switchedOff)
    const found = inTierOrder([
      ...folders.map((skill) =>
        fromFolder(skill, !off.has(skill.slug), reader.locationOfFolder(skill)),
      ),
      ...stored.map((skill) =>
        fromStore(skill, !off.has(skill.slug), reader.locationOfStored(tenantId, skill)),
      ),
    ])
    candidateSets.set(key, stamp, found, found.length + 1)
    return found
  }

  async function select(request: SkillRequest, stamp: string): Promise<Omit<SkillSet, 'version'>> {
    const skills = selectAccessibleSkills(await read(request, stamp), request).toSorted((a, b) =>
      compareText(a.slug, b.slug),
    )
    return { skills, index: lazyIndex(skills) }
  }

  return {
    async candidates(request) {
      const { stamp } = await stampOf(request)
      return await read(request, stamp)
    },
    async of(request, revision) {
      const { allowList = null, filter = null } = request
      const { stamp, version } = await stampOf(request, revision)
      if (filter !== null) return { ...(await select(request, stamp)), version }
      // There is one set for a caller: where the agent's list is another, what is kept is as old as where a skill is.
      const listed = allowList === null ? stamp : `${stamp}/${hashOfList(allowList)}`
      const key = keyOf(request)
      const known = skillSets.get(key, listed)
      if (known !== undefined) return { ...known, version }
      const set = await select(request, stamp)
      skillSets.set(key, listed, set, set.skills.length + 1)
      return { ...set, version }
    },
  }
}

/** Without the lists, of which a request can have ever new ones. */
function keyOf({ tenantId, agentId, userId }: SkillRequest): string {
  return JSON.stringify([tenantId, agentId, userId])
}

function hashOfList(slugs: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(slugs)).digest('base64')
}

/** Most turns list their skills and search none. */
function lazyIndex(skills: readonly CandidateSkill[]): SkillIndex {
  let index: SkillIndex | undefined
  return {
    size: skills.length,
    search: (query, limit) => (index ??= createSkillIndex(skills)).search(query, limit),
  }
}
