import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateId, type EmbeddingModel } from '@loam/core'
import type { Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import {
  createSkillCatalog,
  createSkills,
  type SkillFile,
  type SkillPrincipal,
  type Skills,
} from '../../src/index.js'

/** Tenants with agents, and skills over a real store and real folders. */
export interface World {
  readonly storage: Storage
  readonly skills: Skills
  readonly folder: string
  /** Makes a tenant with agents of these keys, and returns their ids. */
  addTenant(...agents: readonly string[]): Promise<Tenant>
  close(): Promise<void>
}

/** A tenant, and who runs it. */
export interface Tenant {
  readonly tenantId: string
  readonly agents: Readonly<Record<string, string>>
  readonly operator: SkillPrincipal
}

/** Opens a world; its global folder holds the skills given by slug. */
export async function openWorld(
  options: {
    readonly folderSkills?: Readonly<Record<string, string>>
    readonly embeddings?: EmbeddingModel
  } = {},
): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-skills-'))
  for (const [slug, content] of Object.entries(options.folderSkills ?? {})) {
    await mkdir(join(folder, 'global', slug), { recursive: true })
    await writeFile(join(folder, 'global', slug, 'SKILL.md'), content)
  }
  const storage = await createTestStorage()
  const catalog = createSkillCatalog({ global: join(folder, 'global') })
  const copiesFolder = join(folder, 'copies')
  const skills = createSkills({ storage, catalog, copiesFolder, embeddings: options.embeddings })
  return {
    storage,
    skills,
    folder,
    async addTenant(...keys) {
      const tenantId = generateId()
      const agents: Record<string, string> = {}
      await storage.transaction({ tenantId, everyUser: true }, async (stores) => {
        await stores.tenants.ensure({ slug: tenantId, name: 'Test' })
        for (const key of keys) {
          const id = generateId()
          const agent = { id, key, type: 'open' as const, settings: {} }
          await stores.agents.create({ ...agent, displayName: undefined, description: undefined })
          agents[key] = id
        }
      })
      return { tenantId, agents, operator: { tenantId, userId: undefined, actor: 'test' } }
    },
    async close() {
      await storage.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A SKILL.md. */
export function skillText(name: string, description: string, body = 'Steps.'): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`
}

/** The files of a skill, from texts by path. */
export function filesOf(texts: Readonly<Record<string, string>>): readonly SkillFile[] {
  return Object.entries(texts).map(([path, text]) => ({
    path,
    content: new TextEncoder().encode(text),
  }))
}

/** A skill as an archive holds it. */
export function packed(slug: string, description: string, body?: string) {
  return { slug, files: filesOf({ 'SKILL.md': skillText(slug, description, body) }) }
}
