import { lstat } from 'node:fs/promises'

/** Remembers what was made from a file while the file is as it was. */
export interface FileMemory<Value> {
  /** What was made from the file the last time, or what `make` makes of it now. */
  recall(path: string, make: () => Promise<Value>): Promise<Value>
  /** Forgets what was not asked for since the last call. */
  sweep(): void
}

/** The clock of a file system ticks so seldom that two changes can have one time; a file as young as this is read again. */
const YOUNG_MS = 2_000

/** Makes a memory that goes by size, inode and the times of change. A link, or a file that is not there, is always asked anew. */
export function createFileMemory<Value>(): FileMemory<Value> {
  const kept = new Map<string, { readonly stamp: string; readonly value: Value }>()
  let asked = new Set<string>()
  return {
    async recall(path, make) {
      asked.add(path)
      const stamp = await stampOf(path)
      const known = kept.get(path)
      if (stamp !== undefined && known?.stamp === stamp) return known.value
      const value = await make()
      if (stamp === undefined) kept.delete(path)
      else kept.set(path, { stamp, value })
      return value
    },
    sweep() {
      for (const path of kept.keys()) if (!asked.has(path)) kept.delete(path)
      asked = new Set()
    },
  }
}

async function stampOf(path: string): Promise<string | undefined> {
  const status = await lstat(path, { bigint: true }).catch(() => undefined)
  if (status === undefined || !status.isFile()) return undefined
  const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = status
  if (Date.now() - Number(ctimeMs) < YOUNG_MS) return undefined
  return [dev, ino, size, mtimeNs, ctimeNs].join('/')
}
