import { StoreInUseError } from '@loam/core'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockFolder } from '../src/folder-lock.js'
import { processIdentity } from '../src/process-identity.js'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-lock-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const inUse = (error: unknown) => StoreInUseError.isInstance(error)

/** Leaves a lock behind as a process does that was killed. */
async function leaveLock(number: number, holder: object = {}): Promise<string> {
  const file = join(folder, `lock.${number}`)
  // No process of this machine has started at that tick.
  const dead = { ...(await processIdentity()), startedAt: '1', token: 'dead', released: false }
  await writeFile(file, JSON.stringify({ ...dead, ...holder }))
  return file
}

describe('lockFolder', () => {
  it('refuses a second holder, naming the process and the folder', async () => {
    const lock = await lockFolder(folder)
    const second = lockFolder(folder)
    await expect(second).rejects.toSatisfy(inUse)
    await expect(second).rejects.toThrow(`Process ${process.pid}`)
    await expect(second).rejects.toThrow(folder)
    await expect(second).rejects.toMatchObject({ details: { pid: process.pid, folder } })
    await lock.release()
    await (await lockFolder(folder)).release()
  })

  it('takes the lock of a dead process at once', async () => {
    await leaveLock(7)
    const lock = await lockFolder(folder, { silenceMs: 60_000 })
    await expect(lockFolder(folder)).rejects.toSatisfy(inUse)
    await lock.release()
  })

  it.each([
    { what: 'a process that does not exist', holder: { pid: 2 ** 22 + 1 } },
    { what: 'a process before the machine started again', holder: { bootId: 'another' } },
    { what: 'one that released it', holder: { released: true } },
  ])('takes the lock of $what', async ({ holder }) => {
    await leaveLock(1, { startedAt: (await processIdentity()).startedAt, ...holder })
    const lock = await lockFolder(folder, { silenceMs: 60_000 })
    expect(await readdir(folder)).toContain('lock.2')
    await lock.release()
  })

  it('takes a damaged lock', async () => {
    await writeFile(join(folder, 'lock.3'), '{"pid":')
    const lock = await lockFolder(folder)
    expect(await readdir(folder)).toContain('lock.4')
    await lock.release()
  })

  it('gives the lock of a dead process to one alone of many that start at once', async () => {
    await leaveLock(3)
    const starts = await Promise.allSettled(Array.from({ length: 30 }, () => lockFolder(folder)))
    const won = starts.filter(({ status }) => status === 'fulfilled')
    const refused = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []))
    expect(won).toHaveLength(1)
    expect(refused).toHaveLength(29)
    expect(refused.every(inUse)).toBe(true)
  })

  it('waits for a sign of life of a process in another container, and takes the lock when there is none', async () => {
    await leaveLock(1, { pidNamespace: 'pid:[1]' })
    const lock = await lockFolder(folder, { silenceMs: 250 })
    expect(await readdir(folder)).toContain('lock.2')
    await lock.release()
  })

  it('refuses when a process in another container gives a sign of life', async () => {
    const file = await leaveLock(1, { pidNamespace: 'pid:[1]', pid: 4242 })
    const beat = setInterval(() => {
      const now = new Date()
      void utimes(file, now, now)
    }, 20)
    try {
      await expect(lockFolder(folder, { silenceMs: 20_000 })).rejects.toThrow('Process 4242')
    } finally {
      clearInterval(beat)
    }
  })

  it('gives signs of life, and keeps few files', async () => {
    for (let round = 0; round < 5; round += 1) await (await lockFolder(folder)).release()
    const lock = await lockFolder(folder, { heartbeatMs: 10 })
    const names = await readdir(folder)
    expect(names.toSorted()).toEqual(['lock.5', 'lock.6'])
    const long = new Date('2020-01-01')
    const file = join(folder, 'lock.6')
    await utimes(file, long, long)
    const heard = lockFolder(folder, { silenceMs: 1000 })
    await expect(heard).rejects.toSatisfy(inUse)
    await lock.release()
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ released: true })
  })

  it('tells the holder when another process took the lock', async () => {
    const lost = new EventEmitter()
    const told = once(lost, 'lost')
    let times = 0
    const lock = await lockFolder(folder, {
      heartbeatMs: 10,
      onLost() {
        times += 1
        lost.emit('lost')
      },
    })
    await leaveLock(2)
    await told
    await sleep(50)
    expect(times).toBe(1)
    await lock.release()
  })
})
