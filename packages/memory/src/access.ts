import { InvalidInputError, isStorableText, scopeSchema, type Scope } from '@loam/core'
import { accessFor, begun, type Access, type Storage } from '@loam/storage'

/** The rows that a scope may see and write. @throws InvalidInputError when it is no scope. */
export function accessOf(scope: Scope): Access {
  const { success } = scopeSchema.safeParse(scope)
  if (!success || !isStorableText(scope.userId)) {
    throw new InvalidInputError({
      message:
        'The scope must hold the UUIDs of a tenant and an agent, and a user id of at most 255 characters ("" for the shared part).',
      issues: [{ path: 'scope', message: 'Not a scope.' }],
    })
  }
  return { tenantId: scope.tenantId, userId: scope.userId }
}

/** The rows that work may write which begins now, or began when the scope says, unless the user is erased meanwhile. */
export function writingAccessOf(scope: Scope, storage: Pick<Storage, 'lastErasure'>): Access {
  accessOf(scope)
  return accessFor(begun(scope, storage))
}
