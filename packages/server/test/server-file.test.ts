import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ConfigurationError } from '@loam/core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { announceServer, findServer, withdrawServer } from '../src/server-file.js'

let root = ''
let home = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'loam-server-file-'))
})
beforeEach(async () => {
  home = join(await mkdtemp(join(root, 'home-')), 'not', 'yet', 'there')
})
afterAll(async () => {
  await rm(root, { recursive: true })
})

const server = { url: 'http://127.0.0.1:7420', pid: process.pid }

describe('server file', () => {
  it('tells where the server of a home folder answers', async () => {
    await announceServer(home, server)
    expect(await findServer(home)).toStrictEqual(server)
  })

  it('is readable by its owner alone, and leaves no other file', async () => {
    await announceServer(home, server)
    const { mode } = await stat(join(home, 'server.json'))
    expect(mode & 0o777).toBe(0o600)
    expect(await readdir(home)).toStrictEqual(['server.json'])
  })

  it.each([
    ['its place is taken by a folder', () => mkdir(join(home, 'server.json'), { recursive: true })],
    [
      'the home is a file',
      () => mkdir(dirname(home), { recursive: true }).then(() => writeFile(home, '')),
    ],
  ])('says what to do when %s, and leaves no other file', async (_what, prepare) => {
    await prepare()
    const announced = announceServer(home, server)
    await expect(announced).rejects.toThrow(join(home, 'server.json'))
    await expect(announced).rejects.toSatisfy((error) => ConfigurationError.isInstance(error))
    const around = await readdir(dirname(home), { recursive: true })
    expect(around.filter((name) => name.includes(String(process.pid)))).toStrictEqual([])
  })

  it('is gone when the server is', async () => {
    await announceServer(home, server)
    await withdrawServer(home, server)
    expect(await findServer(home)).toBeUndefined()
    expect(await readdir(home)).toStrictEqual([])
  })

  it('stays when another server has taken the place', async () => {
    await announceServer(home, server)
    const other = { ...server, url: 'http://127.0.0.1:7421' }
    await announceServer(home, other)
    await withdrawServer(home, server)
    expect(await findServer(home)).toStrictEqual(other)
  })

  it('is not believed when the process has died', async () => {
    // Above the largest pid that Linux gives.
    await announceServer(home, { ...server, pid: 2 ** 22 + 1 })
    expect(await findServer(home)).toBeUndefined()
  })

  it.each([
    '',
    '{',
    '{"url": "not a url", "pid": 1}',
    '{"url": "http://localhost"}',
    '[]',
    '{"url": "http://evil.example", "pid": 1}',
    '{"url": "http://127.0.0.1.evil.example", "pid": 1}',
  ])('is not believed when it holds %j', async (content) => {
    await announceServer(home, server)
    await writeFile(join(home, 'server.json'), content)
    expect(await findServer(home)).toBeUndefined()
  })
})
