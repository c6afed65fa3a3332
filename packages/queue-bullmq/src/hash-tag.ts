/**
 * Begins the keys of a consumer's queue. Redis Cluster places a key by what stands in braces, so all keys of one queue are on
 * one node, where its scripts need them, and different queues can be on different ones.
 */
export function hashTag(prefix: string, consumer: string): string {
  return `{${prefix}.${consumer}}`
}
