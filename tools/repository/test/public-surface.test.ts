import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../../workspace/root.mjs'
import { publishedPackages, workspacePackages } from './workspace-packages.js'

/**
 * What others can see of each package: its name, its layer and what can be imported from it. A change here is a change
 * of the public surface; VERSIONING.md tells which ones break somebody.
 */
const surface = `
  packages/ai-sdk            @loam/ai-sdk            client
  packages/bootstrap         @loam/bootstrap         feature   ./folder
  packages/client            @loam/client            client
  packages/consolidation     @loam/consolidation     feature
  packages/core              @loam/core              port      ./testing
  packages/mcp               @loam/mcp               adapter   ./stdio
  packages/memory            @loam/memory            feature
  packages/models            @loam/models            adapter   ./testing
  packages/prompt            @loam/prompt            feature
  packages/queue-bullmq      @loam/queue-bullmq      adapter
  packages/runtime           @loam/runtime           compose
  packages/server            @loam/server            compose   ./node ./process
  packages/skills            @loam/skills            feature
  packages/storage           @loam/storage           port      ./testing
  packages/storage-postgres  @loam/storage-postgres  adapter   ./testing
  packages/text              @loam/text              port
  apps/api                   @loam/api               app       private
  apps/cli                   @loam/cli               app       bin:loam
  apps/worker                @loam/worker            app       private
`

describe('the public surface', () => {
  it('is the one written down here', () => {
    const present = workspacePackages.map(({ folder, manifest }) => [
      folder,
      manifest.name,
      ...(manifest.nx?.tags ?? [])
        .filter((tag) => tag.startsWith('layer:'))
        .map((tag) => tag.replace('layer:', '')),
      ...(manifest.private ? ['private'] : []),
      ...Object.keys(manifest.exports ?? {}).filter(
        (key) => !['.', './package.json'].includes(key),
      ),
      ...Object.keys(manifest.bin ?? {}).map((name) => `bin:${name}`),
    ])
    const expected = surface
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
    expect(present).toEqual(expected)
  })

  it.each(workspacePackages)('gives $folder exactly one layer', ({ manifest }) => {
    const layers = (manifest.nx?.tags ?? []).filter((tag) => tag.startsWith('layer:'))
    expect(layers).toHaveLength(1)
  })
})

describe.each(publishedPackages)('$folder, which is published,', ({ folder, manifest }) => {
  it('has a README', () => {
    expect(existsSync(join(repositoryRoot, folder, 'README.md'))).toBe(true)
  })

  it('states the licence', () => {
    expect(manifest.license).toBe('MIT')
  })

  it('carries what it compiles to, and the sources that its export condition names', () => {
    expect(manifest.files).toEqual(expect.arrayContaining(['dist', 'src', '!**/*.tsbuildinfo']))
  })

  it('lets its main entry and its manifest be imported', () => {
    expect(Object.keys(manifest.exports ?? {})).toEqual(
      expect.arrayContaining(['.', './package.json']),
    )
  })

  const entries = Object.entries(manifest.exports ?? {}).filter(([key]) => key !== './package.json')

  it.each(entries)('exports %s as source, types and code, and the source exists', (_, target) => {
    const source = (target as Record<string, string>)['@loam/source'] ?? ''
    expect(existsSync(join(repositoryRoot, folder, source))).toBe(true)
    const built = source.replace('./src/', './dist/').replace(/\.ts$/, '')
    expect(target).toEqual({
      '@loam/source': source,
      types: `${built}.d.ts`,
      default: `${built}.js`,
    })
  })
})
