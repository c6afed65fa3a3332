import { ConflictError, type AbortableOptions, type Scope } from '@loam/core'
import { begun } from '@loam/storage'
import { accessOf } from '../access.js'
import type { Memory, PutDocumentResult } from '../memory.js'
import { normalizeWritablePath } from '../memory-path.js'
import { putDocument, type WritingDependencies } from './documents.js'

/** What stands between what was there and what is added (spec 04, 5.6). */
const SEPARATOR = '\n\n---\n\n'
const MOST_ATTEMPTS = 20

/**
 * See `Memory.appendDocument`. The text is indexed before it is written, as all text is, so it is written only if nothing was
 * added meanwhile, and made anew otherwise.
 */
export async function appendDocument(
  dependencies: WritingDependencies,
  scope: Scope,
  { path: given, content }: Parameters<Memory['appendDocument']>[1],
  { signal }: AbortableOptions = {},
): Promise<PutDocumentResult> {
  const path = normalizeWritablePath(given)
  const { storage } = dependencies
  const work = begun(scope, storage)
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    const before = await storage.transaction(accessOf(scope), ({ documents }) =>
      documents.find(scope.agentId, scope.userId, path),
    )
    const whole =
      before === undefined || before.content.trim() === ''
        ? content
        : `${before.content.trimEnd()}${SEPARATOR}${content}`
    try {
      const expected = { hash: before?.hash }
      return await putDocument(dependencies, work, { path, content: whole }, { signal, expected })
    } catch (error) {
      const isOvertaken = ConflictError.isInstance(error) && error.details['erased'] !== true
      if (!isOvertaken || attempt === MOST_ATTEMPTS) throw error
    }
  }
}
