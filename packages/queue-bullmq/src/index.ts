export { createBullmqBus } from './bullmq-bus.js'
export type { BullmqBusOptions } from './bus-options.js'
export { QueueUnavailableError } from './queue-unavailable-error.js'
