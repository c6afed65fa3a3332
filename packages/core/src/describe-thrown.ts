import { LoamError } from './errors.js'
import { hideUrlSecrets } from './hide-url-secrets.js'

/**
 * Anything that was thrown, as one sentence for a log or a person: with its code if it has one, without the passwords of URLs.
 *
 * @example
 * describeThrown(new TypeError('x is undefined')) // 'TypeError: x is undefined'
 * describeThrown({ status: 503 }) // '{"status":503}'
 */
export function describeThrown(thrown: unknown): string {
  return hideUrlSecrets(textOf(thrown))
}

function textOf(thrown: unknown): string {
  if (LoamError.isInstance(thrown)) return `${thrown.code}: ${thrown.message}`
  if (thrown instanceof Error) return ownText(thrown)
  if (typeof thrown !== 'object' || thrown === null) return String(thrown)
  if ('message' in thrown && typeof thrown.message === 'string' && thrown.message !== '') {
    return thrown.message
  }
  try {
    return JSON.stringify(thrown)
  } catch {
    return Object.prototype.toString.call(thrown)
  }
}

/** Node says "connect ECONNREFUSED" of several addresses at once by an error without a message. */
function ownText(error: Error): string {
  if (error.message !== '') return `${error.name}: ${error.message}`
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  return first === undefined ? error.name : textOf(first)
}
