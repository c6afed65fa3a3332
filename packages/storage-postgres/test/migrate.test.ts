import {
  ConfigurationError,
  SchemaTooNewError,
  StorageUnavailableError,
  generateId,
} from '@loam/core'
import { EventEmitter, once } from 'node:events'
import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate, openStorage } from '../src/index.js'
import { loadMigrations } from '../src/migration-files.js'
import { postgresTestUrl } from '../src/testing/index.js'

const serverUrl = postgresTestUrl()

describe.skipIf(serverUrl === undefined)('migrate on a server', () => {
  let server: postgres.Sql
  let database: string
  const logins: string[] = []

  beforeEach(async () => {
    server = postgres(serverUrl ?? '', { max: 1, onnotice: () => {} })
    database = `loam_migrate_${generateId().replaceAll('-', '')}`
    await server.unsafe(`create database ${database}`)
  })
  afterEach(async () => {
    await server.unsafe(`drop database ${database} with (force)`)
    for (const login of logins.splice(0)) await server.unsafe(`drop role if exists ${login}`)
    await server.end()
  })

  const urlOf = (login?: string) => {
    const url = new URL(serverUrl ?? '')
    url.pathname = `/${database}`
    if (login !== undefined) {
      url.username = login
      url.password = 'secret'
    }
    return url.href
  }
  const addLogin = async (attributes: string) => {
    const name = `loam_login_${generateId().replaceAll('-', '')}`
    await server.unsafe(`create role ${name} login password 'secret' ${attributes}`)
    logins.push(name)
    return name
  }
  const inDatabase = async (...statements: readonly string[]) => {
    const connection = postgres(urlOf(), { max: 1, onnotice: () => {} })
    try {
      for (const statement of statements) await connection.unsafe(statement)
    } finally {
      await connection.end()
    }
  }

  it('applies every step once, whichever of several processes comes first', async () => {
    const results = await Promise.all(Array.from({ length: 4 }, () => migrate(urlOf())))
    const applied = results.flatMap((result) => result.applied)
    const names = (await loadMigrations()).map(({ name }) => name)
    expect(applied.toSorted()).toEqual(names)
    expect(await migrate(urlOf())).toEqual({ from: names.length, to: names.length, applied: [] })
  })

  it('opens a store that several processes start on at once', async () => {
    const opened = await Promise.all(
      Array.from({ length: 3 }, () => openStorage(urlOf(), { migrate: true, maxConnections: 1 })),
    )
    for (const storage of opened) {
      expect((await storage.health()).schemaVersion).toBe((await loadMigrations()).length)
      await storage.close()
    }
  })

  it('is asked for by a store that was not migrated, or not far enough', async () => {
    const open = () => openStorage(urlOf())
    await expect(open()).rejects.toSatisfy((error) => ConfigurationError.isInstance(error))
    await expect(open()).rejects.toThrow('loam migrate')
    await migrate(urlOf())
    await inDatabase(
      'delete from loam.migrations where version = (select max(version) from loam.migrations)',
    )
    await expect(open()).rejects.toThrow('loam migrate')
  })

  it('refuses a database that a newer release migrated', async () => {
    await migrate(urlOf())
    await inDatabase(
      `insert into loam.migrations (version, name, checksum) values (9999, 'x', 'x')`,
    )
    const attempts = [
      () => openStorage(urlOf()),
      () => migrate(urlOf()),
      () => openStorage(urlOf(), { migrate: true }),
    ]
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toSatisfy((error) => SchemaTooNewError.isInstance(error))
    }
  })

  it('refuses a database whose steps were others', async () => {
    await migrate(urlOf())
    await inDatabase(`update loam.migrations set checksum = 'x' where version = 2`)
    await expect(migrate(urlOf())).rejects.toThrow('0002')
  })

  it('works for an owner who is no superuser, and lets another login use what it made', async () => {
    const owner = await addLogin('createrole')
    const user = await addLogin('')
    await inDatabase(
      // pgvector may ask for a superuser, and the roles belong to the cluster, which other databases share.
      'create extension if not exists vector',
      `grant loam_app, loam_system to ${owner} with admin option`,
      `grant create on database ${database} to ${owner}`,
    )
    const options = { migrate: true, migrationUrl: urlOf(owner), maxConnections: 2 }
    await using storage = await openStorage(urlOf(user), options)
    const [tenantId, agentId, documentId, chunkId] = [
      generateId(),
      generateId(),
      generateId(),
      generateId(),
    ]
    const everyone = { tenantId, everyUser: true } as const
    const filter = { agentId, sources: ['documents'], now: new Date() } as const
    const search = () =>
      storage.transaction({ tenantId, userId: 'ada' }, ({ chunks }) =>
        chunks.matchTerms(filter, ['tea'], { maxPostings: 10, maxCandidates: 10 }),
      )
    const spaceId = await storage.transaction(everyone, async (stores) => {
      await stores.tenants.ensure({ slug: 'test', name: 'Test' })
      const agent = { id: agentId, key: 'agent', type: 'open', settings: {} } as const
      await stores.agents.create({ ...agent, displayName: undefined, description: undefined })
      await stores.documents.put({
        id: documentId,
        agentId,
        userId: 'ada',
        path: 'a.md',
        content: 'tea',
        hash: 'h',
        indexState: 'complete',
        indexedHash: 'h',
        indexSettings: undefined,
      })
      await stores.chunks.insert([
        {
          id: chunkId,
          agentId,
          userId: 'ada',
          owner: { source: 'documents', documentId },
          position: 1,
          part: 0,
          text: 'tea',
          occurredAt: new Date(),
          terms: new Map([['tea', 1]]),
        },
      ])
      return (await stores.embeddingSpaces.ensure({ provider: 'p', model: 'm', dimensions: 2 })).id
    })
    await storage.createVectorIndex(spaceId)
    expect(await search()).toMatchObject({ statistics: { chunkCount: 1 }, matches: [{ chunkId }] })
    await storage.transaction({ tenantId, userId: 'ada' }, ({ documents }) =>
      documents.delete(agentId, 'ada', 'a.md'),
    )
    expect(await search()).toMatchObject({ statistics: { chunkCount: 0 }, matches: [] })
    // The owner itself is subject to the policies: without a tenant it sees nothing.
    const connection = postgres(urlOf(owner), { max: 1 })
    expect(await connection`select count(*)::int as count from loam.agents`).toEqual([{ count: 0 }])
    await connection.end()
    await storage.transaction(everyone, ({ agents }) => agents.delete(agentId))
    await storage.close()
    await inDatabase(`drop schema loam cascade`, `drop owned by ${owner}`)
  })

  it('tells a login without rights what it lacks', async () => {
    const login = await addLogin('')
    await expect(migrate(urlOf(login))).rejects.toSatisfy((error) =>
      ConfigurationError.isInstance(error),
    )
    await migrate(urlOf())
    const open = openStorage(urlOf(login))
    await expect(open).rejects.toSatisfy((error) => ConfigurationError.isInstance(error))
    await expect(open).rejects.toThrow('loam_app')
  })

  it('runs a transaction again that was given up for a deadlock', async () => {
    await using storage = await openStorage(urlOf(), { migrate: true })
    const [tenantId, agentId] = [generateId(), generateId()]
    const everyone = { tenantId, everyUser: true } as const
    const ids = await storage.transaction(everyone, async ({ tenants, agents, sessions }) => {
      await tenants.ensure({ slug: 'test', name: 'Test' })
      const agent = { id: agentId, key: 'agent', type: 'open', settings: {} } as const
      await agents.create({ ...agent, displayName: undefined, description: undefined })
      const made = []
      for (const key of ['a', 'b']) {
        const session = { id: generateId(), agentId, key, userId: '', kind: 'direct' } as const
        made.push((await sessions.ensure(session)).session.id)
      }
      return made
    })
    let runs = 0
    let waiting = 0
    const meeting = new EventEmitter()
    const met = once(meeting, 'both')
    const lockBoth = ([first = '', second = '']: readonly string[]) =>
      storage.transaction(everyone, async ({ sessions }) => {
        runs += 1
        await sessions.lock(first)
        waiting += 1
        if (waiting === 2) meeting.emit('both')
        await met
        await sessions.lock(second)
        return 'done'
      })
    const results = await Promise.all([lockBoth(ids), lockBoth(ids.toReversed())])
    expect(results).toEqual(['done', 'done'])
    // Both may be found to be in the way, if the server looks at both at once.
    expect(runs).toBeGreaterThanOrEqual(3)
  })
})

describe('openStorage', () => {
  it('reports a server that does not answer as unavailable', async () => {
    const open = openStorage('postgres://nobody:hunter2@127.0.0.1:1/none')
    await expect(open).rejects.toSatisfy((error) => StorageUnavailableError.isInstance(error))
    await expect(open).rejects.not.toThrow(/hunter2/)
  })
})
