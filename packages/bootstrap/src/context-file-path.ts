import {
  isContextFileName,
  isVirtualFileName,
  type ContextFileName,
  type VirtualFileName,
} from './file-names.js'

/** What a path of a file tool means. */
export type ContextFilePath =
  | { readonly kind: 'context'; readonly name: ContextFileName }
  | { readonly kind: 'virtual'; readonly name: VirtualFileName }
  | { readonly kind: 'other' }

/**
 * Whether a path names a context file: by its bare name, by `./name`, or by an absolute path directly in the workspace.
 * The same name in a folder below, or in a folder beside whose name begins alike, is another file.
 */
export function contextFilePath(path: string, workspace?: string): ContextFilePath {
  const segments = segmentsOf(path)
  if (isAbsolute(path)) {
    if (workspace === undefined || !isAbsolute(workspace)) return { kind: 'other' }
    const root = segmentsOf(workspace)
    if (segments.length !== root.length + 1) return { kind: 'other' }
    if (root.some((segment, index) => segment !== segments[index])) return { kind: 'other' }
  } else if (segments.length !== 1) {
    return { kind: 'other' }
  }
  const name = segments.at(-1) ?? ''
  if (isContextFileName(name)) return { kind: 'context', name }
  return isVirtualFileName(name) ? { kind: 'virtual', name } : { kind: 'other' }
}

function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path)
}

/** The parts of a path, with `.` and `..` resolved. What leads out of its root keeps its `..`, and so matches nothing. */
function segmentsOf(path: string): readonly string[] {
  const segments: string[] = []
  for (const segment of path.split(/[/\\]/)) {
    if (segment === '' || segment === '.') continue
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop()
    else segments.push(segment)
  }
  return segments
}
