import { describe, expect, it } from 'vitest'
import { splitStatements } from '../src/migrate-engine.js'
import { loadMigrations } from '../src/migration-files.js'

describe('splitStatements', () => {
  it.each([
    ['select 1; select 2;', ['select 1', 'select 2']],
    ['-- a; b\nselect 1;\n  -- c;\n', ['select 1']],
    [`do $$ begin a; b; end $$; select 1`, [`do $$ begin a; b; end $$`, 'select 1']],
    [`do $$ execute $policy$ a; $policy$; $$;`, [`do $$ execute $policy$ a; $policy$; $$`]],
    ['', []],
  ])('of %j is %j', (file, statements) => {
    expect(splitStatements(file)).toEqual(statements)
  })
})

describe('loadMigrations', () => {
  it('numbers the steps from 1 without a gap', async () => {
    const versions = (await loadMigrations()).map(({ version }) => version)
    expect(versions).toEqual(versions.map((_, index) => index + 1))
    expect(versions.length).toBeGreaterThan(0)
  })
})
