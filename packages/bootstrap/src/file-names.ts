import { InvalidInputError } from '@loam/core'

/** Files with a template, in the order in which they are loaded (seed, section 1). */
export const TEMPLATE_FILE_NAMES = [
  'AGENTS.md',
  'SOUL.md',
  'TOOLS.md',
  'IDENTITY.md',
  'USER.md',
  'BOOTSTRAP.md',
] as const

/** Everything that is stored: the templates, and the rules of a predefined agent for all its users. */
export const CONTEXT_FILE_NAMES = [...TEMPLATE_FILE_NAMES, 'USER_PREDEFINED.md'] as const
/** See `CONTEXT_FILE_NAMES`. */
export type ContextFileName = (typeof CONTEXT_FILE_NAMES)[number]

/** Files that are made anew for each prompt and stored nowhere (seed, section 1). */
export const VIRTUAL_FILE_NAMES = ['DELEGATION.md', 'TEAM.md', 'AVAILABILITY.md'] as const
/** See `VIRTUAL_FILE_NAMES`. */
export type VirtualFileName = (typeof VIRTUAL_FILE_NAMES)[number]

/** Where curated memory may stand, the first that is there counts; the last is only read (decision i). */
export const MEMORY_FILE_NAMES = ['MEMORY.md', 'memory.md', 'MEMORY.json'] as const
/** See `MEMORY_FILE_NAMES`. */
export type MemoryFileName = (typeof MEMORY_FILE_NAMES)[number]

/** What a model writes of an agent (decision 4). */
export const SUMMONED_FILE_NAMES = ['SOUL.md', 'IDENTITY.md', 'AGENTS.md', 'TOOLS.md'] as const

/** A text that says what an agent is, or what it knows of a user. */
export interface ContextFile {
  readonly name: string
  readonly content: string
}

/** Largest context file, in bytes of UTF-8. */
export const MAX_CONTEXT_FILE_BYTES = 1024 * 1024

/** Whether a file of that exact name is stored. */
export function isContextFileName(name: string): name is ContextFileName {
  return CONTEXT_FILE_NAMES.some((known) => known === name)
}

/** Whether a file of that exact name exists only in prompts. */
export function isVirtualFileName(name: string): name is VirtualFileName {
  return VIRTUAL_FILE_NAMES.some((known) => known === name)
}

/** @throws InvalidInputError for a name that is no context file's. */
export function checkFileName(name: string): ContextFileName {
  if (isContextFileName(name)) return name
  const message = isVirtualFileName(name)
    ? `${name} is made anew for each prompt and is in the system prompt already. It cannot be read or written.`
    : `"${name.slice(0, 100)}" is no context file. There are ${CONTEXT_FILE_NAMES.join(', ')}; upper and lower case count.`
  throw new InvalidInputError({ message, issues: [{ path: 'name', message }] })
}

/** @throws InvalidInputError for a name that is no context file's, and for a text that is too large. */
export function checkContextFile(name: string, content: string): void {
  checkFileName(name)
  const bytes = new TextEncoder().encode(content).byteLength
  if (bytes <= MAX_CONTEXT_FILE_BYTES) return
  const message = `${name} has ${bytes.toLocaleString('en')} bytes, and ${MAX_CONTEXT_FILE_BYTES.toLocaleString('en')} is the most. Keep what every prompt needs, and put the rest into memory documents.`
  throw new InvalidInputError({ message, issues: [{ path: 'content', message }] })
}

/** The file that holds an agent's curated memory, and whether its form is out of date; undefined when there is none. */
export function selectMemoryFile<File extends ContextFile>(
  files: readonly File[],
): { readonly file: File; readonly deprecated: boolean } | undefined {
  for (const name of MEMORY_FILE_NAMES) {
    const file = files.find((candidate) => candidate.name === name)
    if (file) return { file, deprecated: name === 'MEMORY.json' }
  }
  return undefined
}
