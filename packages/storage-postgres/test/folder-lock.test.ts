import { StoreInUseError } from '@loam/core'
import { EventEmitter, once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockFolder, type FolderLock } from '../src/folder-lock.js'
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

const longAgo = new Date('2020-01-01')

const damages = [
  ...['', 'garbage', '{"pid":', 'null', '[]', '{}', '"lock"', '{"pid":-1}'].map((content) => ({
    what: `a lock of ${JSON.stringify(content)}`,
    damage: (file: string) => writeFile(file, content),
  })),
  {
    what: 'a lock whose process is no number',
    damage: (file: string) => writeFile(file, '{"pid":"1","host":"a","token":"b","released":true}'),
  },
  { what: 'a huge lock', damage: (file: string) => writeFile(file, ' '.repeat(20_000) + '{}') },
  { what: 'a folder in the place of a lock', damage: (file: string) => mkdir(file) },
]

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

  it.each(damages)('refuses while the holder of $what may live', async ({ damage }) => {
    const file = join(folder, 'lock.3')
    await damage(file)
    const refused = lockFolder(folder)
    await expect(refused).rejects.toSatisfy(inUse)
    await expect(refused).rejects.toThrow(file)
    await expect(refused).rejects.toThrow('delete the file')
    expect(await readdir(folder)).toEqual(['lock.3'])
  })

  it.each(damages)('takes $what that nobody touches', async ({ damage }) => {
    const file = join(folder, 'lock.3')
    await damage(file)
    await utimes(file, longAgo, longAgo)
    const lock = await lockFolder(folder, { heartbeatMs: 10 })
    expect(await readdir(folder)).toContain('lock.4')
    await lock.release()
    await (await lockFolder(folder)).release()
  })

  it('refuses a damaged lock of a holder whose clock is behind', async () => {
    const file = join(folder, 'lock.3')
    await writeFile(file, 'garbage')
    let beats = 0
    const touch = () => utimes(file, longAgo, new Date(longAgo.getTime() + 1000 * (beats += 1)))
    await touch()
    const timer = setInterval(() => void touch(), 20)
    try {
      await expect(lockFolder(folder)).rejects.toSatisfy(inUse)
    } finally {
      clearInterval(timer)
    }
  })

  it('refuses a link that leads nowhere in the place of a lock', async () => {
    await symlink(join(folder, 'nowhere'), join(folder, 'lock.1'))
    await expect(lockFolder(folder)).rejects.toSatisfy(inUse)
  })

  it.each(['lock.999999999999999', 'lock.9999999999', 'lock.0', 'lock.01', 'lock.1e3', 'lock.-1'])(
    'passes over %s, which is no lock',
    async (name) => {
      await writeFile(join(folder, name), 'garbage')
      const lock = await lockFolder(folder, { heartbeatMs: 10 })
      expect((await readdir(folder)).toSorted()).toEqual([name, 'lock.1'].toSorted())
      await lock.release()
    },
  )

  it('says what to do when no number is left', async () => {
    const file = await leaveLock(999_999_999)
    const refused = lockFolder(folder)
    await expect(refused).rejects.toSatisfy(inUse)
    await expect(refused).rejects.toThrow(file)
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

  describe('whose lock is tampered with', () => {
    let lock: FolderLock
    let file: string
    let lost: number
    beforeEach(async () => {
      lost = 0
      await (await lockFolder(folder)).release()
      lock = await lockFolder(folder, { heartbeatMs: 20, onLost: () => (lost += 1) })
      file = join(folder, 'lock.2')
    })
    afterEach(() => lock.release())

    const ours = async () =>
      (await readFile(file, 'utf8').catch(() => '')).includes('"released":false')

    it.each([
      { what: 'is damaged', tamper: () => writeFile(file, 'garbage') },
      { what: 'is emptied', tamper: () => writeFile(file, '') },
      { what: 'is removed', tamper: () => rm(file) },
      {
        what: 'says that it is released',
        tamper: async () => {
          await writeFile(file, (await readFile(file, 'utf8')).replace('false', 'true'))
        },
      },
      {
        what: 'is removed with all others',
        tamper: () => Promise.all([rm(file), rm(join(folder, 'lock.1'))]),
      },
    ])('mends one that $what', async ({ tamper }) => {
      await tamper()
      await expect.poll(ours).toBe(true)
      await expect(lockFolder(folder)).rejects.toThrow(`Process ${process.pid}`)
      expect(lost).toBe(0)
    })

    it('is told on asking, also while work keeps its timers from running', async () => {
      expect(await lock.isHeld()).toBe(true)
      const { startedAt } = await processIdentity()
      await leaveLock(3, { startedAt })
      const until = performance.now() + 40
      while (performance.now() < until);
      expect(await lock.isHeld()).toBe(false)
      expect(lost).toBe(1)
    })

    it('refuses another at once when the newest is removed', async () => {
      await rm(file)
      await expect(lockFolder(folder)).rejects.toThrow(`Process ${process.pid}`)
    })

    it('waits for a holder to mend its lock where there is none beside what is stored', async () => {
      await writeFile(join(folder, 'stored'), '')
      await Promise.all([rm(file), rm(join(folder, 'lock.1'))])
      await expect(lockFolder(folder)).rejects.toThrow(`Process ${process.pid}`)
      expect(lost).toBe(0)
    })

    it.each([1, 2])('gives up to another that began to count anew at %d', async (number) => {
      const { startedAt } = await processIdentity()
      const rival = await leaveLock(number, { startedAt, token: 'rival' })
      if (rival !== file) await rm(file)
      await expect.poll(() => lost).toBe(1)
      await lock.release()
      expect(JSON.parse(await readFile(rival, 'utf8'))).toMatchObject({
        token: 'rival',
        released: false,
      })
    })
  })
})
