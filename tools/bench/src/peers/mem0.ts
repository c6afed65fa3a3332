import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../processes/child.js'
import type { AddMessages, AskQuestions, OpenMem0 } from '../processes/mem0.js'

/** mem0 in a process of its own. */
export interface Mem0Process {
  open(options: OpenMem0): Promise<void>
  /** Milliseconds that it took. */
  add(request: AddMessages): Promise<number>
  /** Milliseconds that each question took. */
  search(request: AskQuestions): Promise<readonly number[]>
  stop(): Promise<void>
}

/** Starts a process that has mem0. It may keep its files in a folder that goes with it, and reports to nobody. */
export async function startMem0(): Promise<Mem0Process> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-bench-mem0-'))
  const child = startChild('mem0', { MEM0_TELEMETRY: 'false', MEM0_DIR: folder })
  return {
    open: (options) => child.call('open', options),
    add: (request) => child.call('add', request),
    search: (request) => child.call('search', request),
    async stop() {
      await child.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
