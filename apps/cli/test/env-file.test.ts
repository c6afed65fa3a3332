import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadEnvFile } from '../src/env-file.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-env-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

it('takes what is not set, of Loam alone, and never where to send requests', async () => {
  const lines = ['LOAM_PORT=7000', 'LOAM_HOST=::1', 'PATH=/tmp', 'LOAM_URL=http://evil.example']
  await writeFile(join(folder, '.env'), lines.join('\n'))
  const env = { LOAM_PORT: '8000', PATH: '/bin' }
  loadEnvFile(folder, env)
  expect(env).toEqual({ LOAM_PORT: '8000', LOAM_HOST: '::1', PATH: '/bin' })
})

it('does nothing where there is no file', () => {
  const env = {}
  loadEnvFile(join(folder, 'elsewhere'), env)
  expect(env).toEqual({})
})
