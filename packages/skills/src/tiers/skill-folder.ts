import type { SkillSource } from '../skill.js'

/** A folder whose sub-folders are skills. */
export interface SkillFolder {
  readonly source: SkillSource
  /** Absolute. It need not be there yet. */
  readonly root: string
  /** Whether each sub-folder holds one folder for each version, by number, as `pdf/2/SKILL.md`. Default false. */
  readonly versioned?: boolean | undefined
}

/** Where skills lie on disk; each may be left out (seed 8). */
export interface SkillFolderOptions {
  /** Folder that is worked in: its `skills` and its `.agents/skills` are looked at. */
  readonly workspace?: string | undefined
  /** The skills of whoever runs this process, such as `~/.agents/skills`. Never in a server that others use. */
  readonly personal?: string | undefined
  /** A store of versions: `<slug>/<number>/SKILL.md`. */
  readonly managed?: string | undefined
  /** What the operator gives to all. */
  readonly global?: string | undefined
  /** What comes with the application. */
  readonly builtin?: string | undefined
}
