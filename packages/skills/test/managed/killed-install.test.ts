import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generateId } from '@loam/core'
import { openStorage } from '@loam/storage-postgres'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSkills, hashSkillFiles } from '../../src/index.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-skills-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

it('serves a whole version after the process that stores another is killed', async () => {
  const url = `pglite:${join(folder, 'store')}`
  const tenantId = generateId()
  const principal = { tenantId, userId: undefined, actor: 'test' }
  {
    await using storage = await openStorage(url, { migrate: true })
    await storage.transaction({ tenantId, everyUser: true }, ({ tenants }) =>
      tenants.ensure({ slug: 'test', name: 'Test' }),
    )
  }
  let last = 0
  // However fast the machine is: the next version has just begun, is under way, or is nearly there.
  for (const waitMs of [0, 15, 40]) {
    const script = join(import.meta.dirname, 'installing-process.ts')
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--conditions=@loam/source', script, url, tenantId],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await once(child.stdout, 'data')
    await delay(waitMs)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await using storage = await openStorage(url)
    const skills = createSkills({ storage })
    const versions = await skills.versions(principal, 'steady')
    for (const { version, contentHash, fileCount } of versions) {
      const files = await skills.files(principal, 'steady', { version })
      expect(files).toHaveLength(fileCount)
      expect(hashSkillFiles(files)).toBe(contentHash)
    }
    const served = await skills.find(principal, 'steady')
    expect(served.version).toBe(versions[0]?.version)
    expect(served.version).toBeGreaterThan(last)
    last = served.version
  }
})
