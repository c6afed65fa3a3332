import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { satisfiesMinimum } from '../../workspace/version.mjs'
import { repositoryRoot, workspaceFolders } from '../../workspace/root.mjs'
import { readManifest, workspacePackages } from './workspace-packages.js'

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8')
const range = readManifest('.').engines?.node ?? ''
const minimum = range.replace('>=', '')

describe('the versions of Node', () => {
  it('are a minimum, which start, demo and test can check without a library', () => {
    expect(range).toMatch(/^>=\d+\.\d+$/)
  })

  it.each(workspacePackages)('are the same in $folder as at the root', ({ manifest }) => {
    expect(manifest.engines?.node).toBe(range)
  })

  it('are refused by the package manager if too old', () => {
    expect(read('.npmrc')).toMatch(/^engine-strict=true$/m)
  })

  it('are those that CI tests, from the oldest on', () => {
    const workflow = parse(read('.github/workflows/ci.yml')) as {
      jobs: { test: { strategy: { matrix: { node: number[] } } } }
    }
    const tested = workflow.jobs.test.strategy.matrix.node
    expect(Math.min(...tested)).toBe(Number(minimum.split('.')[0]))
    // A bare major version stands for its newest release.
    for (const major of tested) expect(satisfiesMinimum(`${major}.999`, minimum)).toBe(true)
  })

  it('agree with the types that the code is checked against', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as {
      devDependencies: Record<string, string>
    }
    expect(devDependencies['@types/node']?.split('.')[0]).toBe(minimum.split('.')[0])
  })
})

describe('the folders of the workspace', () => {
  it('are the same for pnpm and for the scripts that run before it is there', () => {
    const { packages } = parse(read('pnpm-workspace.yaml')) as { packages: string[] }
    expect(packages).toEqual(workspaceFolders.map((folder) => `${folder}/*`))
  })
})
