import { mkdir } from 'node:fs/promises'
import { promptOfFolder } from './prompt-of-folder.js'

const folder = process.argv[2] ?? 'agent'
await mkdir(folder, { recursive: true })
console.log(await promptOfFolder(folder))
