import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promptOfFolder } from './prompt-of-folder.js'

const [named] = process.argv.slice(2)
if (named === undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'loam-agent-'))
  try {
    console.log(await promptOfFolder(folder))
  } finally {
    await rm(folder, { recursive: true })
  }
} else {
  await mkdir(named, { recursive: true })
  console.log(await promptOfFolder(named))
}
