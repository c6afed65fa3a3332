import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ConfigurationError, InvalidInputError } from '@loam/core'
import type { ApiClient, Tagged } from '../api/api-client.js'
import { ApiError } from '../api/api-error.js'
import { route } from '../api/route.js'
import { oneLine, type Output } from '../output.js'

/** A context file in a list. */
export interface FileItem {
  readonly name: string
  readonly origin: 'agent' | 'user'
  readonly characters: number
  readonly version: number
  readonly updatedAt: string
}

interface ContentItem {
  readonly name: string
  readonly content: string
  readonly version: number
}

/** Whose files are meant. */
export interface FileCommandOptions {
  readonly agent: string
  readonly user?: string | undefined
}

/** How a file is written. */
export interface PutFileOptions extends FileCommandOptions {
  readonly sender?: string | undefined
}

interface Connected {
  readonly client: ApiClient
  readonly output: Output
}

/** Lists the files of an agent, or those that a user has. */
export async function listFiles(
  { agent, user }: FileCommandOptions,
  { client, output }: Connected,
): Promise<void> {
  const path =
    user === undefined
      ? `${route`/v1/agents/${agent}`}/files?userId=`
      : route`/v1/agents/${agent}/users/${user}/files`
  const { items } = await client.get<{ readonly items: readonly FileItem[] }>(path)
  output.result({ items })
  const makesThem = 'the first conversation makes them'
  describeFiles(items, output, `There are no files yet; ${makesThem}.`)
  const isNew = user !== undefined && items.every(({ origin }) => origin === 'agent')
  if (isNew && items.length > 0) {
    output.note(
      `${oneLine(user)} has no files of their own yet; ${makesThem}. These are the agent's.`,
    )
  }
}

/** Prints files as a table. */
export function describeFiles(items: readonly FileItem[], output: Output, empty: string): void {
  if (items.length === 0) output.say(empty)
  for (const { name, origin, characters, version, updatedAt } of items) {
    const size = characters.toLocaleString('en').padStart(9)
    const when = updatedAt.slice(0, 16).replace('T', ' ')
    output.say(
      `${name.padEnd(20)} ${size} characters  ${origin.padEnd(5)}  version ${version}  ${when}`,
    )
  }
}

/** Prints one file, byte for byte. */
export async function getFile(
  name: string,
  options: FileCommandOptions,
  { client, output }: Connected,
): Promise<void> {
  const file = await client.get<ContentItem>(placeOf(name, options))
  output.result(file)
  output.text(file.content)
}

/** Writes one file from a file or from standard input. */
export async function putFile(
  name: string,
  source: string,
  options: PutFileOptions,
  connected: Connected,
): Promise<void> {
  const bytes = source === '-' ? await buffer(process.stdin) : await readFile(source)
  await write(name, decode(bytes, source), options, connected)
}

/**
 * Opens one file in the user's editor, and writes it back if it was changed. What somebody else wrote meanwhile stays, and so does
 * what was edited, whatever keeps it from being written.
 */
export async function editFile(
  name: string,
  options: FileCommandOptions,
  connected: Connected,
): Promise<void> {
  const { client, output } = connected
  const { result: before, tag } = await contentOf(client, placeOf(name, options))
  const folder = await mkdtemp(join(tmpdir(), 'loam-'))
  let isKept = false
  try {
    const path = join(folder, name)
    await writeFile(path, before.content, { mode: 0o600 })
    await openEditor(path)
    const bytes = await readFile(path)
    if (bytes.equals(Buffer.from(before.content))) {
      output.result({ outcome: 'unchanged' })
      output.say('Nothing was changed.')
      return
    }
    try {
      await write(name, decode(bytes, path), options, connected, tag)
    } catch (error) {
      isKept = true
      output.note(`Your text is kept in ${path}.`)
      throw error
    }
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true })
  }
}

async function write(
  name: string,
  content: string,
  { sender, ...options }: PutFileOptions,
  { client, output }: Connected,
  tag?: string,
): Promise<void> {
  const body = { content, ...(sender !== undefined && { senderId: sender }) }
  const place = placeOf(name, options)
  const answer = await client.put<{ readonly outcome?: string }>(place, body, tag)
  output.result(answer)
  output.say(answer.outcome === 'onboarded' ? 'The first meeting has ended.' : `Wrote ${name}.`)
}

function placeOf(name: string, { agent, user }: FileCommandOptions): string {
  return user === undefined
    ? route`/v1/agents/${agent}/files/${name}`
    : route`/v1/agents/${agent}/users/${user}/files/${name}`
}

type Edited = Tagged<Pick<ContentItem, 'content'>>

async function contentOf(client: ApiClient, path: string): Promise<Edited> {
  try {
    return await client.getTagged<ContentItem>(path)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
    return { result: { content: '' }, tag: undefined }
  }
}

function decode(bytes: Buffer, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    const message = `${source === '-' ? 'Standard input' : oneLine(source)} is not UTF-8 text. Convert it first.`
    throw new InvalidInputError({ message, issues: [{ path: 'content', message }], cause })
  }
}

async function openEditor(path: string): Promise<void> {
  const editor = process.env['VISUAL'] || process.env['EDITOR']
  if (!editor) {
    const message =
      'No editor is configured. Set VISUAL or EDITOR, or use "loam files get" and "put".'
    throw new ConfigurationError({ message, issues: [{ path: 'EDITOR', message }] })
  }
  // An editor may be given with arguments, as in "code --wait", so the shell reads it; the path is an argument of its own.
  const editing = spawn('sh', ['-c', `${editor} "$1"`, 'loam', path], { stdio: 'inherit' })
  const [code] = (await once(editing, 'exit')) as [number | null]
  if (code === 0) return
  throw new InvalidInputError({
    message: `The editor ended with ${String(code)}; nothing was written.`,
  })
}
