import { join } from 'node:path'
import { showSkills } from './show-skills.js'

const folder = process.argv[2] ?? join(import.meta.dirname, '..', 'skills')
console.log(await showSkills(folder, process.argv[3] ?? 'make a pot of tea'))
