import { afterAll, beforeAll, describe } from 'vitest'
import type { Storage } from '../storage.js'
import { describeAgentLinks } from './describe-agent-links.js'
import { describeAgentUsers } from './describe-agent-users.js'
import { describeAgents } from './describe-agents.js'
import { describeApiKeys } from './describe-api-keys.js'
import { describeChunks } from './describe-chunks.js'
import { describeContextFiles } from './describe-context-files.js'
import { describeDeletion } from './describe-deletion.js'
import { describeDeliveries } from './describe-deliveries.js'
import { describeDeliveryOutcomes } from './describe-delivery-outcomes.js'
import { describeDocuments } from './describe-documents.js'
import { describeEpisodes } from './describe-episodes.js'
import { describeErasures } from './describe-erasures.js'
import { describeIsolation } from './describe-isolation.js'
import { describeLexicalSearch } from './describe-lexical-search.js'
import { describeMessages } from './describe-messages.js'
import { describeModelCalls } from './describe-model-calls.js'
import { describeRuns } from './describe-runs.js'
import { describeSessions } from './describe-sessions.js'
import { describeSkillGrants } from './describe-skill-grants.js'
import { describeSkillVectors } from './describe-skill-vectors.js'
import { describeSkills } from './describe-skills.js'
import { describeSummons } from './describe-summons.js'
import { describeSystemConfigs } from './describe-system-configs.js'
import { describeTenants } from './describe-tenants.js'
import { describeTransactions } from './describe-transactions.js'
import { describeUserData } from './describe-user-data.js'
import { describeVectors } from './describe-vectors.js'

export interface DescribeStorageOptions {
  /** Heads the suite, such as the name of the engine. */
  readonly name: string
  /** Makes an empty store. It is closed after the suite. */
  readonly createStorage: () => Promise<Storage>
}

/**
 * The contract of `Storage` as a vitest suite, to be called at the top of a test file of an adapter.
 *
 * @example
 * describeStorage({ name: 'pglite', createStorage: () => openStorage('pglite:memory') })
 */
export function describeStorage({ name, createStorage }: DescribeStorageOptions): void {
  describe(`storage on ${name}`, () => {
    let storage: Storage | undefined
    beforeAll(async () => {
      storage = await createStorage()
    })
    afterAll(async () => {
      await storage?.close()
    })
    const opened = () => {
      if (storage === undefined) throw new Error('The store was not opened.')
      return storage
    }
    describeTransactions(opened)
    describeTenants(opened)
    describeApiKeys(opened)
    describeAgents(opened)
    describeContextFiles(opened)
    describeAgentUsers(opened)
    describeAgentLinks(opened)
    describeSummons(opened)
    describeSkills(opened)
    describeSkillGrants(opened)
    describeSkillVectors(opened)
    describeSystemConfigs(opened)
    describeSessions(opened)
    describeMessages(opened)
    describeRuns(opened)
    describeDocuments(opened)
    describeChunks(opened)
    describeLexicalSearch(opened)
    describeVectors(opened)
    describeEpisodes(opened)
    describeDeliveries(opened)
    describeDeliveryOutcomes(opened)
    describeModelCalls(opened)
    describeDeletion(opened)
    describeErasures(opened)
    describeUserData(opened)
    describeIsolation(opened)
  })
}
