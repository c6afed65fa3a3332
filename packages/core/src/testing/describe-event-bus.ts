import { afterEach, describe } from 'vitest'
import type { EventBus } from '../event-bus.js'
import { describeClosing } from './describe-closing.js'
import { describeDelivering } from './describe-delivering.js'
import { describePublishing } from './describe-publishing.js'

/** What a bus may do either way. */
export interface EventBusCapabilities {
  /**
   * Whether messages wait until somebody subscribes to their consumer, in this process or another. If not, publishing them
   * is refused.
   */
  readonly keepsMessagesForLater: boolean
}

/** What `describeEventBus` works with. */
export interface DescribeEventBusOptions {
  /** Heads the suite. */
  readonly name: string
  /** Makes a bus that shares its messages with no other. It is closed after the test. */
  readonly createBus: () => EventBus | Promise<EventBus>
  readonly capabilities: EventBusCapabilities
}

/** Opens a bus for one test. */
export type OpenBus = () => Promise<EventBus>

/**
 * The contract of `EventBus` as a vitest suite, to be called at the top of a test file of an adapter.
 *
 * @example
 * describeEventBus({
 *   name: 'inline',
 *   createBus: () => createInlineBus(),
 *   capabilities: { keepsMessagesForLater: false },
 * })
 */
export function describeEventBus(options: DescribeEventBusOptions): void {
  const { name, createBus, capabilities } = options
  describe(`event bus: ${name}`, () => {
    const opened: EventBus[] = []
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((bus) => bus.close({ drainMs: 0 })))
    })
    const openBus: OpenBus = async () => {
      const bus = await createBus()
      opened.push(bus)
      return bus
    }
    describePublishing(openBus, capabilities)
    describeDelivering(openBus)
    describeClosing(openBus)
  })
}
