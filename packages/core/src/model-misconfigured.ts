import { ModelError } from './errors.js'

/**
 * Whether a model failed because of what it is set up with: a key that the endpoint does not take (401), or a model or an
 * address that is not there (404). No input is at fault then, and every call fails until somebody mends it.
 *
 * Of 403 only a model that the key may not use counts: endpoints answer so to texts that they do not like, too.
 */
export function isModelMisconfigured(error: unknown): error is ModelError {
  if (!ModelError.isInstance(error)) return false
  const { status, providerCode } = error.details
  if (error.reason === 'not_found') return true
  return error.reason === 'unauthorized' && (status !== 403 || providerCode === 'model_not_found')
}
