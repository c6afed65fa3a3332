import type { ModelError, ModelErrorReason } from './errors.js'

const TOLD: Readonly<Record<ModelErrorReason, string>> = {
  unreachable: 'could not be reached',
  interrupted: 'broke off before its answer was complete',
  timeout: 'did not answer in time',
  rate_limited: 'has had too many requests in this time',
  quota_exceeded: 'has no quota left',
  unauthorized: 'does not let the server in',
  not_found: 'was not found at its endpoint',
  too_large: 'does not take as much at once: send less',
  refused: 'does not take this request, and would not take it again',
  malformed: 'answered with something that cannot be read',
  unavailable: 'is overloaded or has a fault of its own',
}

/**
 * What may be told of a failed model to whoever has a key. The error's message is for those who run the server: it says where
 * the model is, and quotes what its provider wrote.
 */
export function toldToCallers({ reason, details }: Pick<ModelError, 'reason' | 'details'>): string {
  const { model } = details
  const name = typeof model === 'string' ? `The model "${model}"` : 'The model'
  return `${name} ${TOLD[reason]}.`
}
