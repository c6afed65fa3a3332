import { ForbiddenError, InvalidInputError, SHARED_USER_ID } from '@loam/core'
import type { Access, ApiKey } from '@loam/storage'

/**
 * The user a request acts for: the one it names, else the one its key is bound to; `''` is the agent's shared part.
 *
 * @throws ForbiddenError when the key is bound to another user.
 * @throws InvalidInputError when neither names one.
 */
export function actingUser(key: ApiKey, requested: string | undefined): string {
  const userId = boundUser(key, requested) ?? requested
  if (userId === undefined) throw invalidUser('Is required: the key is not bound to a user')
  return userId
}

/**
 * Like `actingUser`, for what only a user can own.
 *
 * @throws InvalidInputError also for `''`, which is nobody.
 */
export function owningUser(key: ApiKey, requested: string | undefined): string {
  const userId = actingUser(key, requested)
  if (userId === SHARED_USER_ID) throw invalidUser('May not be empty')
  return userId
}

/** Like `actingUser`; a key for every user that names none means the agent's shared part. */
export function userOrShared(key: ApiKey, requested: string | undefined): string {
  return actingUser(key, requested ?? key.userId ?? SHARED_USER_ID)
}

/** What a request may see of one thing by name: the acting user's, or, with a key for every user that names none, anybody's. */
export function accessOfOwner(key: ApiKey, requested: string | undefined): Access {
  if (key.userId === undefined && requested === undefined) return everyUser(key)
  return { tenantId: key.tenantId, userId: owningUser(key, requested) }
}

/**
 * What a request may list: one user's, or every user's when it says so.
 *
 * @throws InvalidInputError when it names neither or both.
 */
export function accessOfList(
  key: ApiKey,
  query: { readonly userId?: string | undefined; readonly allUsers?: string | undefined },
): Access {
  if (query.allUsers === 'true') {
    if (query.userId !== undefined)
      throw invalidUser('May not be given together with allUsers=true')
    requireEveryUser(key, 'list what belongs to every user')
    return everyUser(key)
  }
  if (key.userId === undefined && query.userId === undefined) {
    throw invalidUser('Give userId=<user>, or allUsers=true for those of every user')
  }
  return { tenantId: key.tenantId, userId: owningUser(key, query.userId) }
}

/** Access to the rows of every user of the key's tenant. */
export function everyUser(key: ApiKey): Access {
  return { tenantId: key.tenantId, everyUser: true }
}

/** Access to what all users of the key's tenant share. */
export function sharedAccess(key: ApiKey): Access {
  return { tenantId: key.tenantId, userId: SHARED_USER_ID }
}

/** @throws ForbiddenError when the key is bound to one user. `action` ends the sentence "may not …". */
export function requireEveryUser(key: ApiKey, action: string): void {
  if (key.userId === undefined) return
  throw new ForbiddenError({
    message: `This key is bound to one user and may not ${action}. Use a key for every user of the tenant.`,
  })
}

/**
 * Who speaks for a group, as a request says. A key that is bound to a user speaks as that user alone, without a role.
 *
 * @throws ForbiddenError when such a key names somebody else, or a role.
 */
export function senderOf(
  key: ApiKey,
  {
    senderId,
    senderRole,
  }: { readonly senderId?: string | undefined; readonly senderRole?: string | undefined },
): { readonly senderId: string | undefined; readonly role: string | undefined } {
  if (key.userId === undefined) return { senderId, role: senderRole }
  if (senderRole !== undefined) {
    throw new ForbiddenError({
      message: 'A key that is bound to a user cannot say which role a sender has.',
    })
  }
  if (senderId !== undefined && senderId !== key.userId) {
    throw new ForbiddenError({
      message:
        'A key that is bound to a user speaks as that user alone. Leave senderId out, or use a key for every user.',
    })
  }
  return { senderId: key.userId, role: undefined }
}

function boundUser(key: ApiKey, requested: string | undefined): string | undefined {
  if (key.userId !== undefined && requested !== undefined && requested !== key.userId) {
    throw new ForbiddenError({
      message: 'This key acts for one user alone, and the request names another.',
    })
  }
  return key.userId
}

function invalidUser(message: string): InvalidInputError {
  return new InvalidInputError({
    message: `userId: ${message}.`,
    issues: [{ path: 'userId', message }],
  })
}
