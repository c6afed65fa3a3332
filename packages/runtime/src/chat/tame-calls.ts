import { isStorableText, toStorableText } from '@loam/core'
import { headOf } from '@loam/text'

/** Calls of tools that are made for one answer of a model. */
export const MAX_CALLS_PER_STEP = 32
const MAX_ID_LENGTH = 500
const MAX_NAME_LENGTH = 200

/** A call as a model makes it. */
interface Call {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/**
 * Calls with ids and names that can be stored, and that an endpoint takes back. An id serves only to tell which result is whose,
 * so another does as well; a name that has to be changed is no tool's, and is answered so.
 */
export function tameCalls<Given extends Call>(calls: readonly Given[], step: number): Given[] {
  return calls.map((call, index) => ({
    ...call,
    id: isName(call.id, MAX_ID_LENGTH) ? call.id : `call_${step}_${index}`,
    name: isName(call.name, MAX_NAME_LENGTH)
      ? call.name
      : headOf(toStorableText(call.name), MAX_NAME_LENGTH) || 'nameless',
  }))
}

function isName(text: string, maxLength: number): boolean {
  return text !== '' && text.length <= maxLength && isStorableText(text)
}
