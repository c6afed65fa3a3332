import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidInputError } from '@loam/core'
import type { AgentType } from '@loam/storage'
import {
  CONTEXT_FILE_NAMES,
  MAX_CONTEXT_FILE_BYTES,
  MEMORY_FILE_NAMES,
  TEMPLATE_FILE_NAMES,
  selectMemoryFile,
  type ContextFile,
} from './file-names.js'
import { AGENT_LEVEL_FILE_NAMES } from './seed-agent-files.js'
import { templateOf } from './templates/index.js'

/** What a folder says of an agent. */
export interface ContextFolder {
  /** In the order in which they are loaded. */
  readonly files: readonly ContextFile[]
  /** Names of the files that are not there. */
  readonly missing: readonly string[]
  /** The agent's curated memory; deprecated as JSON. */
  readonly memory: { readonly file: ContextFile; readonly deprecated: boolean } | undefined
}

/**
 * Reads the context files that stand directly in a folder, by their exact names.
 *
 * @throws InvalidInputError for a folder that cannot be read, and for a file that is not UTF-8 or above one megabyte.
 */
export async function readContextFolder(folder: string): Promise<ContextFolder> {
  // By the list, since some file systems find "soul.md" when asked for "SOUL.md".
  const present = new Set(await namesIn(folder))
  const read = async (names: readonly string[]) => {
    const found = names.filter((name) => present.has(name))
    return await Promise.all(
      found.map(async (name) => ({ name, content: await readText(folder, name) })),
    )
  }
  const [files, memory] = await Promise.all([read(CONTEXT_FILE_NAMES), read(MEMORY_FILE_NAMES)])
  return {
    files,
    missing: CONTEXT_FILE_NAMES.filter((name) => !present.has(name)),
    memory: selectMemoryFile(memory),
  }
}

/**
 * Writes the templates that are missing in a folder. A file that says something is never touched; an empty one is filled,
 * but for `BOOTSTRAP.md`: an agent empties it to end the first meeting, which would never be over otherwise (spec 01, 1.5).
 *
 * @returns the names of the files that were written.
 */
export async function seedContextFolder(
  folder: string,
  { type }: { readonly type: AgentType },
): Promise<readonly string[]> {
  const present = new Set(await namesIn(folder))
  const names = type === 'open' ? TEMPLATE_FILE_NAMES : AGENT_LEVEL_FILE_NAMES
  const written: string[] = []
  for (const name of names) {
    const isEmpty =
      name !== 'BOOTSTRAP.md' && present.has(name) && (await readText(folder, name)) === ''
    if (present.has(name) && !isEmpty) continue
    try {
      await writeFile(join(folder, name), templateOf(name, type), { flag: isEmpty ? 'w' : 'wx' })
      written.push(name)
    } catch (error) {
      // Somebody else wrote it in between.
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
  return written
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
  } catch (cause) {
    const message = `The folder ${folder} cannot be read (${codeOf(cause)}). Name a folder that there is.`
    throw new InvalidInputError({ message, issues: [{ path: 'folder', message }], cause })
  }
}

async function readText(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  const { size } = await stat(path)
  if (size > MAX_CONTEXT_FILE_BYTES) {
    throw refusal(
      name,
      `${path} has ${size.toLocaleString('en')} bytes, and ${MAX_CONTEXT_FILE_BYTES.toLocaleString('en')} is the most.`,
    )
  }
  const bytes = await readFile(path)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw refusal(
      name,
      `${path} is not UTF-8 text: see byte ${firstFault(bytes)}. Convert it first.`,
      cause,
    )
  }
}

/** Where the first character begins that is no UTF-8, found by halving what decodes. */
function firstFault(bytes: Uint8Array): number {
  let [sound, faulty] = [0, bytes.length]
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2)
    if (decodes(bytes.subarray(0, middle), { stream: true })) sound = middle
    else faulty = middle
  }
  // Back to where a character begins of which only the first bytes are sound.
  while (!decodes(bytes.subarray(0, sound), { stream: false })) sound -= 1
  return sound
}

/** In a stream, a character that goes on behind the end is no fault yet. */
function decodes(bytes: Uint8Array, { stream }: { readonly stream: boolean }): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream })
    return true
  } catch {
    return false
  }
}

function refusal(name: string, message: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError({ message, issues: [{ path: name, message }], cause })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
