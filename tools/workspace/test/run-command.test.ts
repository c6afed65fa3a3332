import { describe, expect, it } from 'vitest'
import { outputOf, runCommand } from '../run-command.mjs'

const node = (script: string): [string, string[]] => [process.execPath, ['-e', script]]

describe('runCommand', () => {
  it('returns the exit code and what was printed', async () => {
    const [command, args] = node('console.log("out"); console.error("err"); process.exit(3)')
    const result = await runCommand(command, args, { capture: true })
    expect(result).toMatchObject({ code: 3, stdout: 'out\n' })
    expect(result.output).toContain('err')
  })

  it('returns 127 for a program that does not exist', async () => {
    expect((await runCommand('no-such-program', [], { capture: true })).code).toBe(127)
  })

  it('returns 128 and the number of the signal that ended the command', async () => {
    expect((await runCommand(...node('process.kill(process.pid, "SIGTERM")'))).code).toBe(143)
  })

  it('leaves no listeners behind', async () => {
    const before = process.listenerCount('SIGTERM')
    await runCommand(...node(''))
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })
})

describe('outputOf', () => {
  it('returns the trimmed standard output', async () => {
    expect(await outputOf(...node('console.error("w"); console.log(" x ")'))).toBe('x')
  })

  it('returns undefined if the command fails', async () => {
    expect(await outputOf(...node('console.log("x"); process.exit(1)'))).toBeUndefined()
  })
})
