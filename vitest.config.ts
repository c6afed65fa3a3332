import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

const roots = ['packages', 'apps', 'tools', 'examples'].flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder), { withFileTypes: true })
    .filter((entry) => existsSync(join(import.meta.dirname, folder, entry.name, 'package.json')))
    .map(({ name }) => ({ name, root: join(import.meta.dirname, folder, name) })),
)

export default defineConfig({
  // Sibling packages are read from their sources, so no build comes before a test.
  ssr: { resolve: { conditions: ['@loam/source', ...defaultServerConditions] } },
  test: {
    // By default a core is left idle, which on two is half the machine.
    maxWorkers: '100%',
    // A developer's own skills are none of a test's.
    env: { LOAM_DISABLE_PERSONAL_SKILLS: 'true' },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: roots.map(({ name, root }) => ({
      extends: true,
      test: { name, root, include: ['test/**/*.test.ts'] },
    })),
  },
})
