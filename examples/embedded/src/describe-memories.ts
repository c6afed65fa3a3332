import type { Scope } from '@loam/core'
import { createRuntime, loadConfig } from '@loam/runtime'
import { DEFAULT_TENANT_ID } from '@loam/storage'

/** Stores a short conversation in a Loam of its own, and tells what it remembers of it. */
export async function describeMemories(
  environment: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  await using loam = await createRuntime(loadConfig(environment, { cwd: process.cwd() }))
  await loam.start()

  const everyUser = { tenantId: DEFAULT_TENANT_ID, everyUser: true } as const
  const agent = await loam.storage.transaction(everyUser, async ({ agents }) => {
    const key = 'concierge'
    return (
      (await agents.find(key)) ??
      (await agents.create({
        id: loam.generateId(),
        key,
        type: 'open',
        displayName: 'Concierge',
        description: undefined,
        settings: {},
      }))
    )
  })
  const scope: Scope = { tenantId: DEFAULT_TENANT_ID, agentId: agent.id, userId: 'ana' }

  await loam.memory.storeMessages(scope, { key: 'monday' }, [
    { role: 'user', name: 'Ana', content: 'We moved to Porto in March. I sold the car.' },
    { role: 'assistant', content: 'Congratulations! How do you get to work now?' },
    {
      role: 'user',
      name: 'Ana',
      content:
        'I ride the tram along the river, and on Fridays I work from home. Please never book me a meeting before ten.',
    },
    { role: 'assistant', content: 'Noted: nothing before ten, and no office on Fridays.' },
  ])
  await loam.reportRun(scope, 'monday', { runId: 'run-1', status: 'completed' })
  await loam.settle()

  const { results } = await loam.memory.search(scope, {
    query: 'How does Ana commute?',
    maxResults: 3,
  })
  return results.map(({ score, source, text }) => `${score.toFixed(2)} ${source}: ${text}`)
}
