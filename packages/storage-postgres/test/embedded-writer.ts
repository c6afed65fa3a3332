// Opens a store in a folder, and writes documents until it is killed. Each line it prints is one that was acknowledged.
import { DEFAULT_TENANT_ID } from '@loam/storage'
import { LoamError, generateId } from '@loam/core'
import { openStorage } from '../src/index.js'

const [folder = '', first = '1'] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)

try {
  const storage = await openStorage(`pglite:${folder}`)
  const access = { tenantId: DEFAULT_TENANT_ID, everyUser: true } as const
  const agentId = await storage.transaction(access, async ({ tenants, agents }) => {
    await tenants.ensure({ slug: 'test', name: 'Test' })
    const present = await agents.find('agent')
    if (present) return present.id
    const agent = { id: generateId(), key: 'agent', type: 'open', settings: {} } as const
    return (await agents.create({ ...agent, displayName: undefined, description: undefined })).id
  })
  say('open')
  for (let number = Number(first); ; number += 1) {
    const path = String(number).padStart(6, '0')
    await storage.transaction(access, ({ documents }) =>
      documents.put({
        id: generateId(),
        agentId,
        userId: '',
        path,
        content: 'text',
        hash: 'hash',
        indexState: 'pending',
        indexedHash: undefined,
        indexSettings: undefined,
      }),
    )
    say(`stored ${path}`)
  }
} catch (error) {
  say(
    LoamError.isInstance(error)
      ? `refused ${error.code} ${error.message}`
      : `failed ${String(error)}`,
  )
  process.exitCode = 1
}
