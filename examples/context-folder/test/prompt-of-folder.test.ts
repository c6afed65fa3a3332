import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { promptOfFolder } from '../src/prompt-of-folder.js'

it('builds the prompt of the agent in a folder, and fills the folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loam-agent-'))
  try {
    await writeFile(join(folder, 'SOUL.md'), 'You speak like a lighthouse keeper.')
    const text = await promptOfFolder(folder)
    expect(text).toContain('You speak like a lighthouse keeper.')
    expect(text).toContain('<context_file name="BOOTSTRAP.md">')
    expect(await readdir(folder)).toHaveLength(6)
  } finally {
    await rm(folder, { recursive: true })
  }
})
