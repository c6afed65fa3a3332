import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportRecord } from '../../src/importers/import-record.js'
import {
  readConversations,
  type ReadConversationsOptions,
} from '../../src/importers/read-conversations.js'

/** Path of a file in `test/fixtures`. */
export function fixture(name: string): string {
  return join(import.meta.dirname, '../fixtures', name)
}

/** Everything that a file's importer yields. */
export async function readAll(path: string, options: ReadConversationsOptions = {}) {
  const conversations = await readConversations(path, options)
  const records: ImportRecord[] = []
  for await (const record of conversations.records()) records.push(record)
  return {
    format: conversations.format,
    records,
    messages: records.flatMap((record) => (record.type === 'message' ? [record] : [])),
    bad: records.flatMap((record) => (record.type === 'bad' ? [record] : [])),
    ended: records.flatMap((record) => (record.type === 'session-end' ? [record.session.key] : [])),
  }
}

/** Calls `use` with the path of a file of that content, which is removed afterwards. */
export async function withFile<Result>(
  content: string | Uint8Array,
  use: (path: string) => Promise<Result>,
  name = 'talk.data',
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-cli-test-'))
  try {
    const path = join(folder, name)
    await writeFile(path, content)
    return await use(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}
