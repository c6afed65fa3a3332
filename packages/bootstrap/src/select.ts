import type { SessionKind } from '@loam/storage'
import type { ContextFile } from './file-names.js'

/** What sessions without a conversation have (seed, section 1; decision c). */
const MINIMAL: ReadonlySet<string> = new Set(['AGENTS.md', 'TOOLS.md'])

/** Which files a kind of session may load. */
const ADMITS: Readonly<Record<SessionKind, (name: string) => boolean>> = {
  direct: () => true,
  // Only two people can get to know each other.
  group: (name) => name !== 'BOOTSTRAP.md',
  team: (name) => name !== 'BOOTSTRAP.md',
  subagent: (name) => MINIMAL.has(name),
  cron: (name) => MINIMAL.has(name),
  heartbeat: (name) => MINIMAL.has(name),
}

/** The files that a kind of session has, in their order, and the names of those that it does not have. */
export interface SelectedFiles<File extends ContextFile> {
  readonly files: readonly File[]
  readonly unavailable: readonly string[]
}

/** Selects the files that a kind of session may load. */
export function selectContextFiles<File extends ContextFile>(
  files: readonly File[],
  sessionKind: SessionKind,
): SelectedFiles<File> {
  const admits = ADMITS[sessionKind]
  return {
    files: files.filter(({ name }) => admits(name)),
    unavailable: files.filter(({ name }) => !admits(name)).map(({ name }) => name),
  }
}
