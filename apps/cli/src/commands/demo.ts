import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../api/connect.js'
import { describeDemo } from '../demo/describe-demo.js'
import { runDemo } from '../demo/run-demo.js'
import type { Output } from '../output.js'

/** Runs the whole loop in a store that is thrown away afterwards. Returns whether all of it happened. */
export async function runDemoCommand(file: string | undefined, output: Output): Promise<boolean> {
  const home = await mkdtemp(join(tmpdir(), 'loam-demo-'))
  try {
    output.note('Opening a temporary store …')
    const started = performance.now()
    const connection = await connect({ jobs: true }, temporaryEnvironment(home))
    const openedMs = performance.now() - started
    try {
      const report = await runDemo(file, { connection, output })
      output.result({ ...report, timingsMs: { open: openedMs, ...report.timingsMs } })
      describeDemo(report, openedMs, output)
      return report.isComplete
    } finally {
      await connection.close()
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** The environment without what would lead to lasting data; a configured model is kept. */
function temporaryEnvironment(home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('LOAM_') || /^LOAM_(MODEL|CHAT|EMBEDDING|LOG)_/.test(name),
  )
  return { ...Object.fromEntries(kept), LOAM_HOME: home, LOAM_DATABASE_URL: 'pglite:memory' }
}
