export { redact, repairJson } from '@loam/text'
export { abstractOf } from './abstract.js'
export {
  createConsolidation,
  type Consolidation,
  type ConsolidationOptions,
} from './consolidation.js'
export type { EventContext, EventHandler } from './episodic-handler.js'
export {
  consolidationSettingsSchema,
  readConsolidationSettings,
  type ConsolidationSettings,
} from './settings.js'
export {
  EPISODIC_CONSUMER,
  deliveriesFor,
  subscriptions,
  type RoutingFacts,
  type Subscription,
} from './subscriptions.js'
export { topicsOf } from './topics.js'
