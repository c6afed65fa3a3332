import { isStorableText } from '@loam/core'
import { entryFault, quotePath } from './archive-fault.js'

/** How many segments the path of a companion file has at most. */
export const MAX_COMPANION_DEPTH = 10

/** What `checkCompanionPath` takes besides the path. */
export interface CompanionPathOptions {
  /** Whether the path may be the skill's own SKILL.md. Default false. */
  readonly allowSkillFile?: boolean | undefined
  /** Most segments. Default `MAX_COMPANION_DEPTH`. */
  readonly maxDepth?: number | undefined
}

/**
 * The path of a file in a skill's folder, with slashes, once nothing about it can lead out of the folder, hide, or mean
 * another file on another system (spec 03, 4.3).
 *
 * @throws InvalidInputError that says what is wrong with the path.
 *
 * @example
 * checkCompanionPath('scripts\\run.py') // 'scripts/run.py'
 */
export function checkCompanionPath(path: string, options: CompanionPathOptions = {}): string {
  const checked = checkRelativePath(path)
  const fault = companionFault(checked, options)
  if (fault !== undefined) throw entryFault(path, `The path ${quotePath(path)} ${fault}`)
  return checked
}

/**
 * The path with slashes, once it is relative and without detours; it may be hidden.
 *
 * @throws InvalidInputError that says what is wrong with the path.
 */
export function checkRelativePath(path: string): string {
  const slashed = path.replaceAll('\\', '/')
  const fault = relativeFault(slashed)
  if (fault !== undefined) throw entryFault(path, `The path ${quotePath(path)} ${fault}`)
  return slashed
}

/** Whether a path is one that only the file managers of macOS and Windows need, in whatever folder. */
export function isIgnoredEntry(path: string): boolean {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .some((segment) => segment.startsWith('._') || IGNORED.has(segment.toLowerCase()))
}

/** Two paths with the same fold are one file on a system that ignores case or Unicode normalisation. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

function relativeFault(path: string): string | undefined {
  if (path === '') return 'is empty. Give a path such as "scripts/run.py".'
  if (UNPRINTABLE.test(path) || !isStorableText(path)) {
    return 'has a control character in it. Use letters, digits, "-", "_" and ".".'
  }
  if (path.startsWith('/')) return 'is absolute. Give it relative to the folder of the skill.'
  if (DRIVE.test(path)) return 'begins with a drive. Give it relative to the folder of the skill.'
  const segments = path.split('/')
  if (segments.includes('..')) return 'leads upwards. Leave out "..".'
  if (segments.includes('.')) return 'has a "." for a segment. Leave it out.'
  if (segments.includes('')) return 'has an empty segment. Put one slash between two names.'
  return undefined
}

function companionFault(path: string, options: CompanionPathOptions): string | undefined {
  const { allowSkillFile = false, maxDepth = MAX_COMPANION_DEPTH } = options
  const segments = path.split('/')
  if (segments.length > maxDepth) {
    return `is ${segments.length} levels deep, and ${maxDepth} is the most.`
  }
  for (const segment of segments) {
    const fault = segmentFault(segment)
    if (fault !== undefined) return fault
  }
  if (foldPath(path) !== 'skill.md') return undefined
  if (path !== 'SKILL.md') {
    return 'is SKILL.md in other letters, which is the same file on many systems. Write SKILL.md.'
  }
  return allowSkillFile ? undefined : 'is the skill itself, and no companion file of it.'
}

function segmentFault(segment: string): string | undefined {
  if (foldPath(segment) === '.git') return 'leads into a Git folder. Leave it out.'
  if (segment.startsWith('.')) return 'is hidden. No name may begin with ".".'
  if (segment.includes(':')) return 'has a ":" in it, which names a drive or a stream on Windows.'
  if (ENDS_LOST.test(segment)) {
    return 'has a name that ends in a blank or ".", which Windows drops. Leave it out.'
  }
  const bytes = Buffer.byteLength(segment)
  if (bytes > 255) return `has a name of ${bytes} bytes, and 255 is the most.`
  return undefined
}

const IGNORED: ReadonlySet<string> = new Set(['__macosx', '.ds_store', 'thumbs.db', 'desktop.ini'])
const DRIVE = /^[a-z]:/iu
const ENDS_LOST = /[ .]$/u
// Control characters, line and paragraph separators, and what turns the direction of text.
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/u
