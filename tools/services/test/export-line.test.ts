import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { exportLine } from '../export-line.mjs'

it.each(['postgres://u:p@127.0.0.1:5432/loam', 'it\'s $HOME `id` "x" & more'])(
  'gives %s to what a shell starts',
  (value) => {
    const script = `eval "$LINE"; ${process.execPath} -p process.env.LOAM_TEST_X`
    const env = { ...process.env, LINE: exportLine('LOAM_TEST_X', value) }
    expect(execFileSync('sh', ['-c', script], { env, encoding: 'utf8' })).toBe(`${value}\n`)
  },
)
