import { compareText } from '@loam/text'
import { createHash } from 'node:crypto'
import type { SkillFile } from './skill-file.js'

/**
 * SHA-256 of all files of a skill, in hexadecimal. Their order does not matter, and each path and each content comes with
 * its length before it, so that nothing can move from one to the next unnoticed.
 *
 * Paths have to differ, as those of a folder do.
 */
export function hashSkillFiles(files: readonly SkillFile[]): string {
  const hash = createHash('sha256')
  for (const { path, content } of files.toSorted((a, b) => compareText(a.path, b.path))) {
    for (const part of [Buffer.from(path, 'utf8'), content]) {
      const length = Buffer.alloc(8)
      length.writeBigUInt64BE(BigInt(part.byteLength))
      hash.update(length).update(part)
    }
  }
  return hash.digest('hex')
}
