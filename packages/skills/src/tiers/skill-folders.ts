import { join, resolve } from 'node:path'
import type { SkillFolder, SkillFolderOptions } from './skill-folder.js'

/** The folders of the five tiers, highest first. */
export function skillFolders(options: SkillFolderOptions): readonly SkillFolder[] {
  const { workspace, personal, managed, global, builtin } = options
  const folders: readonly (SkillFolder | undefined)[] = [
    workspace === undefined ? undefined : { source: 'workspace', root: join(workspace, 'skills') },
    workspace === undefined
      ? undefined
      : { source: 'agents-project', root: join(workspace, '.agents', 'skills') },
    personal === undefined ? undefined : { source: 'agents-personal', root: personal },
    managed === undefined ? undefined : { source: 'managed', root: managed, versioned: true },
    global === undefined ? undefined : { source: 'global', root: global },
    builtin === undefined ? undefined : { source: 'builtin', root: builtin },
  ]
  return folders
    .filter((folder) => folder !== undefined)
    .map((folder) => ({ ...folder, root: resolve(folder.root) }))
}
