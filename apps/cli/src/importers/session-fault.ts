import { isStorableText, MAX_USER_ID_LENGTH } from '@loam/core'
import { MAX_SESSION_KEY_LENGTH } from '@loam/storage'
import type { ImportedSession } from './import-record.js'

/** Why no session can have this key and user; undefined when one can. Some such keys could not even be sent, in a URL. */
export function sessionFault({ key, userId = 'any' }: ImportedSession): string | undefined {
  if (key === '.' || key === '..') return `session may not be ${JSON.stringify(key)}`
  return (
    textFault('session', key, MAX_SESSION_KEY_LENGTH) ??
    textFault('userId', userId, MAX_USER_ID_LENGTH)
  )
}

function textFault(field: string, text: string, limit: number): string | undefined {
  if (text === '' || text.length > limit)
    return `${field} must be a text of 1 to ${limit} characters`
  if (isStorableText(text)) return undefined
  return `${field} may not contain NUL or half of a surrogate pair, nor begin with a byte order mark`
}
