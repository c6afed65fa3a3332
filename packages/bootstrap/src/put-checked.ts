import { toStorableText } from '@loam/core'
import type { StoredContextFile, Stores } from '@loam/storage'

/** Looks at what a file says before it is written, undefined when there is none; refuses the write by throwing. */
export type FileCheck = (present: StoredContextFile | undefined) => void

/**
 * Writes a file, if `check` lets what it says at present go. Nothing comes in between: what somebody else writes meanwhile is
 * checked again.
 *
 * @param shared what is read of the file by those who have none of their own.
 */
export async function putChecked(
  { contextFiles }: Pick<Stores, 'contextFiles'>,
  file: Pick<StoredContextFile, 'agentId' | 'userId' | 'name' | 'content'>,
  check: FileCheck | undefined,
  shared?: StoredContextFile,
): Promise<StoredContextFile> {
  const storable = { ...file, content: toStorableText(file.content) }
  if (!check) return await contextFiles.put(storable)
  for (;;) {
    const present = await contextFiles.find(file.agentId, file.userId, file.name)
    check(present ?? shared)
    const written = await contextFiles.replace(storable, present)
    if (written) return written
  }
}
