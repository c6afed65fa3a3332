import { compareText } from '@loam/text'
import { ZipFile } from 'yazl'
import { entryFault, quotePath } from './archive-fault.js'
import { checkCompanionPath, foldPath } from './companion-path.js'
import type { SkillFile } from './skill-file.js'

/**
 * Packs a skill into a ZIP in which everything lies in a folder of its slug. Equal files give equal bytes, in whatever
 * order, time zone or year.
 *
 * @throws InvalidInputError for a path that is unsafe or there twice, and for a slug that is no name of a folder.
 */
export async function writeSkillArchive(
  slug: string,
  files: readonly SkillFile[],
): Promise<Uint8Array> {
  if (checkCompanionPath(slug).includes('/')) {
    throw entryFault(slug, `The slug ${quotePath(slug)} has to be the name of one folder.`)
  }
  // The DOS form holds local time as it is written here, so that the zone of the machine leaves no trace.
  const fixed = { mtime: new Date(2000, 0, 1, 12), mode: 0o100644, forceDosTimestamp: true }
  const zip = new ZipFile()
  const taken = new Set<string>()
  for (const { path, content } of files.toSorted((a, b) => compareText(a.path, b.path))) {
    const checked = checkCompanionPath(path, { allowSkillFile: true })
    if (taken.has(foldPath(checked))) {
      throw entryFault(path, `${quotePath(path)} is there twice, letter case aside. Give it once.`)
    }
    taken.add(foldPath(checked))
    const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    zip.addBuffer(buffer, `${slug}/${checked}`, fixed)
  }
  zip.end()
  const chunks: Uint8Array[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Uint8Array)
  return new Uint8Array(Buffer.concat(chunks))
}
