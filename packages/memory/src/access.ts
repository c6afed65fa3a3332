import { InvalidInputError, isStorableText, scopeSchema, type Scope } from '@loam/core'
import type { Access } from '@loam/storage'

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
