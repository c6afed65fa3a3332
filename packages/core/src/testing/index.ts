export { messageTo } from './delivery-messages.js'
export {
  describeEventBus,
  type DescribeEventBusOptions,
  type EventBusCapabilities,
} from './describe-event-bus.js'
