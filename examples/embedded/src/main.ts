import { describeMemories } from './describe-memories.js'

// `pglite:memory` forgets at exit; leave the URL out to keep the memory in ./.loam.
for (const line of await describeMemories({ LOAM_DATABASE_URL: 'pglite:memory' })) console.log(line)
