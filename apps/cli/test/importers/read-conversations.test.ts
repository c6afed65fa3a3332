import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConversations } from '../../src/importers/read-conversations.js'
import { fixture, readAll, withFile } from './read-file.js'

const message = '{"role":"user","content":"x"}'

describe('readConversations', () => {
  it.each([
    ['chatgpt', 'chatgpt-conversations.json'],
    ['locomo', 'locomo.json'],
    ['openai', 'openai-messages.json'],
  ])('knows %s by its content, whatever its name', async (format, name) => {
    await withFile('', async (path) => {
      const copy = join(path, '../notes.txt')
      await copyFile(fixture(name), copy)
      expect((await readConversations(copy)).format).toBe(format)
    })
  })

  it.each([
    ['one message', message, 'jsonl'],
    ['several lines', `${message}\n${message}`, 'jsonl'],
    ['a first line that is broken', `{"role":\n${message}\n`, 'jsonl'],
    ['a first line that is no JSON', `hello\n${message}\n`, 'jsonl'],
    ['one object on one line', `{"messages":[${message}]}`, 'openai'],
    [
      'one object over several lines',
      `{\n "model": "m",\n "messages": [\n${message}\n]}`,
      'openai',
    ],
    ['one ChatGPT conversation', '{\n"title":"t",\n"mapping":{}}', 'chatgpt'],
    ['one LoCoMo conversation', '{"sample_id":"s","conversation":{}}', 'locomo'],
    ['blanks in front', `  \n\n [${message}]`, 'openai'],
  ])('tells the format of %s', async (_what, content, format) => {
    await withFile(content, async (path) => {
      expect((await readConversations(path)).format).toBe(format)
    })
  })

  it.each([
    ['nothing', '', 'is empty'],
    ['only blanks', ' \r\n ', 'is empty'],
    ['an empty array', '[]', 'empty array'],
    ['numbers', '[1,2]', 'in no format'],
    ['prose', 'Dear diary,\ntoday it rained.', 'in no format'],
    ['an object of something else', '{"recipes":[]}', 'in no format'],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x5b, 0]), 'UTF-16'],
    ['a zip archive', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0]), 'zip archive'],
    ['a gzip file', new Uint8Array([0x1f, 0x8b, 8, 0]), 'compressed'],
    ['bytes that are no text', new Uint8Array([0x7b, 0, 1, 2]), 'NUL'],
    ['Latin-1', new Uint8Array([0x5b, 0xe9, 0x5d]), 'not valid UTF-8'],
  ])('refuses %s and says why', async (_what, content, problem) => {
    await withFile(content, async (path) => {
      await expect(readConversations(path)).rejects.toThrow(problem)
    })
  })

  it('says which file is missing', async () => {
    await expect(readConversations('/no/such/file')).rejects.toThrow('"/no/such/file"')
  })

  it('refuses a document that ends early, after what came before', async () => {
    await withFile(`[${message},${message}`, async (path) => {
      await expect(readAll(path)).rejects.toThrow('ends before the last bracket')
    })
  })

  it.each([
    ['a ChatGPT export of empty conversations', '[{"mapping":{}}]', 'auto'],
    ['an export of no conversation', '[]', 'chatgpt'],
    ['a conversation without messages', '{"messages":[]}', 'auto'],
  ] as const)('says that there is nothing to import in %s', async (_what, content, format) => {
    await withFile(content, async (path) => {
      await expect(readAll(path, { format })).rejects.toThrow('holds no message')
    })
  })

  it('reads a file as the format that the caller names', async () => {
    await withFile('{"role":\n', async (path) => {
      const { bad } = await readAll(path, { format: 'jsonl' })
      expect(bad.map(({ place }) => place)).toEqual(['line 1'])
    })
  })
})
