import type { Storage, Stores } from '../storage.js'
import { NOW } from './samples.js'

/** The key of every agent: names are the same for all owners, so that a missing condition finds another's row. */
export const KEY = 'main'
/** The path of every document. */
export const PATH = 'MEMORY.md'
/** A term of every chunk. */
export const WORD = 'secret'
const SOURCES = ['documents', 'messages', 'episodes'] as const

/** A tenant with its one agent. */
export interface Tenant {
  readonly tenantId: string
  readonly agentId: string
}

/** One user of a tenant; `''` for the shared part. */
export interface Actor extends Tenant {
  readonly userId: string
}

/** The mark that everything an owner writes carries. */
export const markOf = ({ tenantId, userId }: Pick<Actor, 'tenantId' | 'userId'>) =>
  `${tenantId}/${userId}`

/** The ids of what all tenants have. */
export interface Ids {
  readonly agents: Set<string>
  readonly sessions: Set<string>
  readonly groups: Set<string>
  readonly chunks: Set<string>
  readonly skills: Set<string>
}

/** Everything that an access shows, asked of every store in every way, also by the ids of all the others. */
export async function seen(
  stores: Stores,
  ids: Ids,
): Promise<readonly { what: string; mark: string }[]> {
  const found: { what: string; mark: string }[] = []
  const add = (what: string, mark: string | undefined) => {
    if (mark !== undefined) found.push({ what, mark })
  }
  for (const agent of (await stores.agents.list({ limit: 200 })).items) {
    add('agent', `${agent.displayName}/`)
  }
  for (const { name } of await stores.apiKeys.list()) add('api key', name)
  for (const skill of (await stores.skills.list({ limit: 200 })).items) add('skill', skill.name)
  for (const slug of await stores.skills.switchedOff()) add('switched-off skill', slug)
  for (const { value } of await stores.systemConfigs.list()) add('setting', value)
  for (const skillId of ids.skills) {
    add('skill by id', (await stores.skills.find(skillId))?.name)
    add('locked skill', (await stores.skills.lock(skillId))?.name)
    for (const { name } of await stores.skills.versions(skillId)) add('version of a skill', name)
    const files = await stores.skills.readFiles(skillId, 1)
    const skill = await stores.skills.find(skillId)
    if (files.length > 0 && skill === undefined) add('file of a skill', 'unseen')
    for (const { grantedBy } of (await stores.skillGrants.list(skillId)).users)
      add('grant of a skill', grantedBy)
  }
  for (const agentId of ids.agents) {
    for (const { name } of await stores.skills.candidates(agentId)) add('candidate', name)
    const agent = await stores.agents.find(agentId)
    add('agent by id', agent && `${agent.displayName}/`)
    for (const { title } of (await stores.sessions.list(agentId, { limit: 200 })).items)
      add('session', title)
    for (const userId of ['', 'ada', 'bob']) {
      add('session by key', (await stores.sessions.findByKey(agentId, `${KEY}-${userId}`))?.title)
      add('document', (await stores.documents.find(agentId, userId, PATH))?.content)
      for (const { content } of await stores.contextFiles.list(agentId, userId))
        add('context file', content)
      for (const { content } of await stores.contextFiles.versions(agentId, userId, 'SOUL.md'))
        if (content !== '') add('version of a context file', content)
      const known = await stores.agentUsers.find(agentId, userId)
      add('user of an agent', known && `?/${known.userId}`)
    }
    add('summon', (await stores.summons.find(agentId))?.instruction)
    for (const { description } of await stores.agentLinks.list(agentId)) add('link', description)
    const documents = (await stores.documents.list(agentId, { limit: 200 })).items
    for (const { userId } of documents) add('document in list', `?/${userId}`)
    const episodes = await stores.episodes.list(agentId, { limit: 200, now: NOW })
    for (const { summary } of episodes.items) add('episode', summary)
    const filter = { agentId, sources: SOURCES, now: NOW }
    const lexical = await stores.chunks.matchTerms(filter, [WORD], {
      maxPostings: 9999,
      maxCandidates: 9999,
    })
    for (const { speaker } of lexical.matches) add('lexical match', speaker)
    for (const space of await stores.embeddingSpaces.list()) {
      if (space.dimensions !== 2) continue
      const query = { spaceId: space.id, vector: [1, 1], limit: 9999 }
      for (const { speaker } of await stores.chunks.nearest(filter, query))
        add('vector match', speaker)
      const missing = await stores.chunks.withoutVector({ spaceId: space.id, limit: 9999 })
      for (const { text } of missing) add('chunk without vector', text.replace(`${WORD} `, ''))
    }
  }
  for (const sessionId of ids.sessions) {
    const session = await stores.sessions.findById(sessionId)
    add('session by id', session?.title)
    const stretch = { firstSequence: 1, lastSequence: 9999 }
    const isCovered = await stores.episodes.overlap(sessionId, stretch)
    if (session === undefined && isCovered) add('covered part of a session', 'unseen')
    add('locked session', (await stores.sessions.lock(sessionId))?.title)
    for (const { content } of await stores.messages.range(sessionId, 0, 9999))
      add('message', typeof content === 'string' ? content : 'not a text')
    add('run', (await stores.runs.latest(sessionId))?.compactionSummary)
    for (const agentId of ids.agents) {
      const page = { limit: 200, now: NOW, sessionId }
      const episodes = await stores.episodes.list(agentId, page)
      for (const { summary } of episodes.items) add('episode of a session', summary)
    }
  }
  for (const groupId of ids.groups) {
    add('episode by id', (await stores.episodes.find(groupId, NOW))?.summary)
  }
  for (const { text } of await stores.chunks.read([...ids.chunks]))
    add('chunk', text.replace(`${WORD} `, ''))
  const places = [...ids.groups].flatMap((groupId) =>
    [1, 2, 3].map((position) => ({ groupId, position })),
  )
  for (const { speaker } of await stores.chunks.at(places)) add('chunk at a place', speaker)
  return found
}

/** The ids of all rows, gathered with access to every user of every tenant. */
export async function gather(storage: Storage, tenants: readonly Tenant[]): Promise<Ids> {
  const ids: Ids = {
    agents: new Set(),
    sessions: new Set(),
    groups: new Set(),
    chunks: new Set(),
    skills: new Set(),
  }
  for (const { tenantId, agentId } of tenants) {
    ids.agents.add(agentId)
    await storage.transaction({ tenantId, everyUser: true }, async (stores) => {
      for (const { id } of (await stores.sessions.list(agentId, { limit: 200 })).items)
        ids.sessions.add(id)
      for (const { id } of (await stores.skills.list({ limit: 200 })).items) ids.skills.add(id)
      const filter = { agentId, sources: SOURCES, now: NOW }
      const all = await stores.chunks.matchTerms(filter, [WORD], {
        maxPostings: 9999,
        maxCandidates: 9999,
      })
      for (const { chunkId, groupId } of all.matches) {
        ids.chunks.add(chunkId)
        ids.groups.add(groupId)
      }
    })
  }
  return ids
}
