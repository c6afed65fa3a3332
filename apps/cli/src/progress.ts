import { Presets, SingleBar } from 'cli-progress'
import type { Output } from './output.js'

/** Shows how far something has come. */
export interface Progress {
  update(done: number, note: string): void
  stop(): void
}

/** A progress bar on standard error; nothing when that is no terminal, or with `--json`. */
export function createProgress(total: number, output: Output): Progress {
  if (output.json || !process.stderr.isTTY || total <= 0) {
    return { update: () => {}, stop: () => {} }
  }
  const bar = new SingleBar(
    {
      format: '{bar} {percentage}%  {note}',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      gracefulExit: true,
    },
    Presets.shades_classic,
  )
  bar.start(total, 0, { note: '' })
  return {
    update: (done, note) => bar.update(Math.min(done, total), { note }),
    stop: () => bar.stop(),
  }
}
