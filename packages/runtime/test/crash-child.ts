// Run as a process of its own by crash.test.ts, which kills it.
import { generateId, type ChatModel } from '@loam/core'
import { DEFAULT_TENANT_ID } from '@loam/storage'
import { createRuntime, loadConfig } from '../src/index.js'

const [home = '', moment] = process.argv.slice(2)

/** Tells that the handler is at work, and never answers. */
const chat: ChatModel = {
  provider: 'test',
  model: 'silent',
  chat: () => new Promise(() => {}),
  chatObject() {
    process.stdout.write('ready\n')
    return new Promise(() => {})
  },
}

const runtime = await createRuntime(loadConfig({ LOAM_HOME: home }, { cwd: home }), { chat })
const scope = { tenantId: DEFAULT_TENANT_ID, agentId: generateId(), userId: 'ann' }
await runtime.storage.transaction({ tenantId: DEFAULT_TENANT_ID, everyUser: true }, ({ agents }) =>
  agents.create({
    id: scope.agentId,
    key: 'helper',
    type: 'open',
    displayName: undefined,
    description: undefined,
    settings: {},
  }),
)
await runtime.memory.storeMessages(
  scope,
  { key: 'chat' },
  Array.from({ length: 6 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Turn ${index} speaks of Lisbon, of the hotel near the river, and of 900 euros.`,
  })),
)
if (moment === 'handling') await runtime.start()
await runtime.reportRun(scope, 'chat', { runId: 'run-1', status: 'completed' })
if (moment === 'reported') process.stdout.write('ready\n')
// Lives until it is killed, or its parent is gone.
process.stdin.on('end', () => process.exit(1)).resume()
