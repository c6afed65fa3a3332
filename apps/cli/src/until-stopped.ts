import { once } from 'node:events'
import { stopSignal } from '@loam/server/process'
import type { Output } from './output.js'

/** Resolves when the process is told to stop; told twice, it ends at once. */
export async function untilStopped(output: Output): Promise<void> {
  await once(stopSignal(), 'abort')
  output.note('Stopping. Press Ctrl-C again to stop at once.')
}
