import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Connection } from '../../src/api/connect.js'
import { runDemo } from '../../src/demo/run-demo.js'
import { createOutput } from '../../src/output.js'
import { fixture } from '../importers/read-file.js'

let home: string
let connection: Connection
const output = createOutput({ json: true })

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'loam-demo-test-'))
  connection = await connect(
    { jobs: true },
    { LOAM_HOME: home, LOAM_DATABASE_URL: 'pglite:memory', LOAM_LOG_LEVEL: 'silent' },
  )
})

afterAll(async () => {
  await connection.close()
  await rm(home, { recursive: true })
})

describe('runDemo', () => {
  it('is not complete when a conversation is too short for an episode', async () => {
    const report = await runDemo(fixture('locomo.json'), { connection, output })
    expect(report.stored.stored).toBe(5)
    expect(report.episodes).toEqual([])
    expect(report.isComplete).toBe(false)
  })

  it('asks the questions of a LoCoMo file', async () => {
    const { answers } = await runDemo(fixture('locomo.json'), { connection, output })
    expect(answers.map(({ question, isRecalled }) => [question, isRecalled])).toEqual([
      ['What broke in the storm?', true],
      ['When did Ines plant the quince?', true],
      ['What did Jonas photograph?', true],
    ])
  })

  it('chooses questions about any other file', async () => {
    const { answers } = await runDemo(fixture('chatgpt-conversations.json'), { connection, output })
    expect(answers).toHaveLength(3)
    expect(answers.every(({ isRecalled }) => isRecalled)).toBe(true)
  })

  it('recalls the right messages of its example', async () => {
    const report = await runDemo(undefined, { connection, output })
    expect(report.episodes).toHaveLength(3)
    expect(report.answers.map(({ question, isRecalled }) => [question, isRecalled])).toEqual(
      report.answers.map(({ question }) => [question, true]),
    )
    expect(report.isComplete).toBe(true)
  })
})
