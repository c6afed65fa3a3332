import type { ModelCallContext } from '@loam/core'

export const context: ModelCallContext = {
  scope: {
    tenantId: '00000000-0000-7000-8000-000000000001',
    agentId: '00000000-0000-7000-8000-000000000002',
    userId: 'user',
  },
  task: 'test',
}
