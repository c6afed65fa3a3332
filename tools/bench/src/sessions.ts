import { DEFAULT_TENANT_ID } from '@loam/storage'
import postgres from 'postgres'
import { v7 as uuid } from 'uuid'
import type { Corpus } from './corpus.js'

/** Messages of one session: enough of a conversation for an episode. */
const MESSAGES = 6
/** Users whom the sessions are spread over. */
const USERS = 50

/** A session that was made. */
export interface SeededSession {
  readonly key: string
  readonly userId: string
}

/** The agent that the sessions are with. */
export const SEEDED_AGENT = 'bench'

/** Writes sessions with their messages straight into a database of Loam's, as they are before a run is reported. */
export async function seedSessions(
  databaseUrl: string,
  { corpus, count }: { readonly corpus: Corpus; readonly count: number },
): Promise<readonly SeededSession[]> {
  const tenantId = DEFAULT_TENANT_ID
  const database = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    await database`insert into loam.tenants (id, slug, name) values (${tenantId}, 'default', 'Default') on conflict do nothing`
    const agentId = uuid()
    await database`insert into loam.agents (tenant_id, id, key, type) values (${tenantId}, ${agentId}, ${SEEDED_AGENT}, 'open')`
    const sessions = Array.from({ length: count }, (_, index) => ({
      id: uuid(),
      key: `run-${index}`,
      userId: `user-${index % USERS}`,
    }))
    const said = new Date()
    for (let first = 0; first < count; first += 500) {
      const part = sessions.slice(first, first + 500)
      await database`insert into loam.sessions ${database(
        part.map(({ id, key, userId }) => ({
          tenant_id: tenantId,
          id,
          agent_id: agentId,
          user_id: userId,
          key,
          kind: 'direct',
          last_sequence: MESSAGES,
        })),
      )}`
      await database`insert into loam.messages ${database(
        part.flatMap(({ id, userId }, index) =>
          corpus.messages((first + index) * MESSAGES, MESSAGES).map(({ role, content }, place) => ({
            tenant_id: tenantId,
            session_id: id,
            sequence: place + 1,
            id: uuid(),
            user_id: userId,
            role,
            content: database.json(content),
            origin: 'conversation',
            digest: 'seeded',
            created_at: said,
          })),
        ),
      )}`
    }
    return sessions.map(({ key, userId }) => ({ key, userId }))
  } finally {
    await database.end()
  }
}
