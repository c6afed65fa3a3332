import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../src')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)

describe('the sources', () => {
  it.each(sources)('%s uses nothing but its input', (file) => {
    const source = readFileSync(join(root, file), 'utf8')
    expect(source).not.toMatch(
      /'node:|\b(?:process|Buffer|performance)\.|Date\.now|new Date\(\)|Math\.random|toLocale/,
    )
  })

  it('are found', () => {
    expect(sources).toContain('build-system-prompt.ts')
  })
})
