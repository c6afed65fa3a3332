import {
  NotFoundError,
  generateId as generateUuid,
  silentLogger,
  type AbortableOptions,
  type EmbeddingModel,
  type GenerateId,
  type Logger,
  type ModelCallContext,
} from '@loam/core'
import type { SkillErasure, Storage } from '@loam/storage'
import { compareText } from '@loam/text'
import { explainSkillAccess } from '../access/explain-skill-access.js'
import type { SkillAccess } from '../access/skill-access.js'
import { createSkillCatalog, type SkillCatalog } from '../catalog/create-skill-catalog.js'
import type { LoadedSkill } from '../catalog/load-skill.js'
import {
  planSkillPresentation,
  type PresentationOptions,
  type SkillPresentation,
} from '../presentation/plan.js'
import { createSkillEmbeddings, hashOf, type SkillEmbeddings } from '../search/skill-embeddings.js'
import { searchSkills, type SkillSearchResult } from '../search/search-skills.js'
import { createAccessibleSkills, type SkillRequest, type SkillSet } from './accessible-skills.js'
import { installSkills, type InstallRequest, type InstalledSkill } from './install-skills.js'
import { manageSkills, type SkillManagement } from './manage-skills.js'
import { requireOperator, type SkillPrincipal } from './principal.js'
import { createSkillCopies } from './skill-copies.js'
import { createSkillReader } from './skill-reader.js'
import type { CandidateSkill } from './skill-set.js'

/** What skills work with. */
export interface SkillsOptions {
  readonly storage: Pick<Storage, 'transaction'>
  /** The skills of folders. Default: none. */
  readonly catalog?: SkillCatalog | undefined
  /** Default: words alone are searched. */
  readonly embeddings?: EmbeddingModel | undefined
  /**
   * Folder for copies of stored skills, for models whose tools read files of this machine. Default: models are elsewhere; no
   * copies are made, and every skill has an address instead of a path.
   */
  readonly copiesFolder?: string | undefined
  /** Default: UUID version 7. */
  readonly generateId?: GenerateId | undefined
  /** Default: silent. */
  readonly logger?: Logger | undefined
}

/** Why a caller may use a skill or not. */
export interface ExplainedSkill extends SkillAccess {
  readonly slug: string
  /** The skill that decides; undefined when there is none of that slug in any tier. */
  readonly skill: CandidateSkill | undefined
}

/** The skills of tenants: of folders and of the store, as one. */
export interface Skills extends Omit<SkillManagement, 'erase'> {
  readonly catalog: SkillCatalog
  /** What a caller may use; prompt, search and commands are all given this. */
  accessible(
    request: SkillRequest,
    options?: {
      /** `stores.skills.revision()`, where a unit of work of the caller's has read it for this question. */
      readonly revision?: number | undefined
    },
  ): Promise<SkillSet>
  /** Every skill that there is for an agent and a user, with why they may use it or not. */
  explainAll(request: SkillRequest): Promise<readonly ExplainedSkill[]>
  explain(request: SkillRequest, slug: string): Promise<ExplainedSkill>
  /** How the skills of a set stand in a prompt; those that are listed can be read at their location. */
  present(
    request: Pick<SkillRequest, 'tenantId' | 'userId'>,
    set: Pick<SkillSet, 'skills'>,
    options?: PresentationOptions,
  ): Promise<SkillPresentation<CandidateSkill>>
  search(
    request: SkillRequest,
    query: string,
    options?: AbortableOptions & { readonly limit?: number | undefined },
  ): Promise<SkillSearchResult<CandidateSkill>>
  /** @throws NotFoundError when the caller may not use such a skill. */
  load(
    request: SkillRequest,
    slug: string,
  ): Promise<LoadedSkill & { readonly skill: CandidateSkill }>
  /** A file of a skill, by its path within it. @throws NotFoundError also when the caller may not use the skill. */
  readFile(request: SkillRequest, slug: string, path: string): Promise<Uint8Array>
  install(
    request: Omit<InstallRequest, 'principal'>,
    principal: SkillPrincipal,
  ): Promise<readonly InstalledSkill[]>
  erase(principal: SkillPrincipal, idOrSlug: string): Promise<SkillErasure>
  /** Makes the vectors that the tenant's skills lack, and forgets those that no skill needs. Returns how many were made. */
  embedMissing(tenantId: string, options?: AbortableOptions): Promise<number>
}

/** Composes the skills of a store and of folders. */
export function createSkills(options: SkillsOptions): Skills {
  const {
    storage,
    catalog = createSkillCatalog({}),
    embeddings,
    copiesFolder,
    generateId = generateUuid,
    logger = silentLogger,
  } = options
  const copies = copiesFolder === undefined ? undefined : createSkillCopies(copiesFolder)
  const reader = createSkillReader({ storage, copies })
  const accessible = createAccessibleSkills({ storage, catalog, reader })
  const semanticOf = embeddings && createTenantEmbeddings(storage, embeddings)
  const management = manageSkills({ storage, generateId })

  async function embedMissing(
    tenantId: string,
    { signal }: AbortableOptions = {},
  ): Promise<number> {
    const semantic = semanticOf?.(tenantId)
    if (semantic === undefined) return 0
    const [folders, stored] = await Promise.all([catalog.listAll(), listAll(storage, tenantId)])
    const all = [...folders, ...stored]
    const scope = { tenantId, agentId: '', userId: '' }
    const made = await semantic.embedMissing(all, { scope, task: 'skills.embed', signal })
    await storage.transaction({ tenantId, everyUser: true }, ({ skillVectors }) =>
      skillVectors.prune(all.map(hashOf)),
    )
    return made
  }

  /** What the search can still do later is no reason to fail now. */
  function embedInBackground(tenantId: string): void {
    embedMissing(tenantId).catch((error: unknown) => logger.warn('skills.embed-failed', { error }))
  }

  async function usable(request: SkillRequest, slug: string): Promise<CandidateSkill> {
    const { skills } = await accessible.of(request)
    const skill = skills.find((candidate) => candidate.slug === slug)
    if (skill !== undefined) return skill
    throw new NotFoundError({
      message: `There is no skill ${JSON.stringify(slug)} that this agent and user may use.`,
    })
  }

  async function explainAll(request: SkillRequest): Promise<readonly ExplainedSkill[]> {
    const candidates = await accessible.candidates(request)
    const bySlug = new Map<string, CandidateSkill[]>()
    for (const candidate of candidates) {
      const ofSlug = bySlug.get(candidate.slug)
      if (ofSlug === undefined) bySlug.set(candidate.slug, [candidate])
      else ofSlug.push(candidate)
    }
    return Array.from(bySlug, ([slug, ofSlug]) => explained(request, slug, ofSlug)).toSorted(
      (one, other) => compareText(one.slug, other.slug),
    )
  }

  return {
    ...management,
    catalog,
    async setEnabled(principal, slug, enabled) {
      requireOperator(principal, 'switch skills on and off')
      const isInFolder = (await catalog.listAll()).some((skill) => skill.slug === slug)
      if (!isInFolder) await management.find(principal, slug)
      await management.setEnabled(principal, slug, enabled)
    },
    accessible: (request, { revision } = {}) => accessible.of(request, revision),
    explainAll,
    async explain(request, slug) {
      const candidates = await accessible.candidates(request)
      return explained(
        request,
        slug,
        candidates.filter((candidate) => candidate.slug === slug),
      )
    },
    async present(request, { skills }, presentation) {
      const plan = planSkillPresentation(skills, presentation)
      await Promise.all(
        [...plan.listed, ...plan.pinned].map((skill) => reader.prepare(request, skill)),
      )
      return plan
    },
    async search(request, query, { limit, signal } = {}) {
      const { tenantId, agentId, userId } = request
      const { skills, index } = await accessible.of(request)
      const context: ModelCallContext = {
        scope: { tenantId, agentId, userId },
        task: 'skills.search',
        signal,
      }
      const semantic = semanticOf && {
        embeddings: semanticOf(tenantId),
        vectorWeight: embeddings?.trust.vectorWeight,
        context,
      }
      const found = await searchSkills({ skills, query, limit }, { index, semantic, logger })
      await Promise.all(found.hits.map(({ skill }) => reader.prepare(request, skill)))
      return found
    },
    async load(request, slug) {
      const skill = await usable(request, slug)
      return { ...(await reader.load(request, skill)), skill }
    },
    async readFile(request, slug, path) {
      return await reader.readFile(request, await usable(request, slug), path)
    },
    async install(request, principal) {
      const all = await catalog.listAll()
      // An operator puts skills over those of folders on purpose; a user would put them over the operator's.
      const held =
        principal.userId === undefined ? all.filter(({ source }) => source === 'builtin') : all
      const heldSlugs = new Set(held.map(({ slug }) => slug.toLowerCase()))
      const installed = await installSkills(
        { storage, generateId, heldSlugs },
        { ...request, principal },
      )
      if (installed.some(({ outcome }) => outcome !== 'unchanged')) {
        embedInBackground(principal.tenantId)
      }
      return installed
    },
    async erase(principal, idOrSlug) {
      const { slug, erased } = await management.erase(principal, idOrSlug)
      await copies?.remove(principal.tenantId, slug)
      embedInBackground(principal.tenantId)
      return erased
    },
    embedMissing,
  }
}

/** Of the skills of one slug the first that may be used decides, else the first that there is. */
function explained(
  request: SkillRequest,
  slug: string,
  candidates: readonly CandidateSkill[],
): ExplainedSkill {
  const answers = candidates.map((skill) => ({
    skill,
    slug,
    ...explainSkillAccess(skill, request),
  }))
  const decisive = answers.find(({ accessible }) => accessible) ?? answers[0]
  return (
    decisive ?? {
      slug,
      skill: undefined,
      accessible: false,
      reason: 'not_found',
      canManage: false,
      pinnedVersion: undefined,
    }
  )
}

/** The vectors of each tenant by themselves, so that no tenant pays for or finds another's. */
function createTenantEmbeddings(
  storage: Pick<Storage, 'transaction'>,
  model: EmbeddingModel,
): (tenantId: string) => SkillEmbeddings {
  const tenants = new Map<string, SkillEmbeddings>()
  const { provider, model: name, dimensions } = model
  return (tenantId) => {
    const known = tenants.get(tenantId)
    if (known !== undefined) return known
    const access = { tenantId, userId: '' }
    const made = createSkillEmbeddings(model, {
      read: (hashes) =>
        storage.transaction(access, async ({ embeddingSpaces, skillVectors }) => {
          const space = await embeddingSpaces.ensure({ provider, model: name, dimensions })
          return await skillVectors.read(space.id, hashes)
        }),
      put: (vectors) =>
        storage.transaction(access, async ({ embeddingSpaces, skillVectors }) => {
          const space = await embeddingSpaces.ensure({ provider, model: name, dimensions })
          await skillVectors.put(space.id, vectors)
        }),
    })
    if (tenants.size >= MAX_TENANTS_IN_MEMORY) tenants.delete(tenants.keys().next().value!)
    tenants.set(tenantId, made)
    return made
  }
}

const MAX_TENANTS_IN_MEMORY = 100
const PAGE_SIZE = 200

async function listAll(storage: Pick<Storage, 'transaction'>, tenantId: string) {
  const all = []
  for (let cursor: string | undefined; ;) {
    const page = await storage.transaction(
      { tenantId, everyUser: true },
      ({ skills }) => skills.list({ limit: PAGE_SIZE, cursor }),
      { readOnly: true },
    )
    all.push(...page.items)
    if (page.nextCursor === undefined) return all
    cursor = page.nextCursor
  }
}
