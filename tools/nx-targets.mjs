import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Gives every package and app the same targets, so that no package.json repeats them. */
export const name = 'loam/targets'

export const createNodesV2 = [
  '{packages,apps}/*/package.json',
  (files) =>
    files.map((file) => {
      const root = dirname(file)
      const published = !JSON.parse(readFileSync(file, 'utf8')).private
      const run = (command, cwd = root) => ({ command, options: { cwd } })
      const targets = {
        test: run(`vitest run --project ${basename(root)}`, '.'),
        lint: run('oxlint'),
        ...(published && {
          'check-package': run('publint --strict && attw --pack --profile esm-only'),
        }),
      }
      return [file, { projects: { [root]: { targets } } }]
    }),
]
