import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'

const packageFolder = join(import.meta.dirname, '..')
const exampleOf = (readme: string) =>
  /## With a store\n+```ts\n(?<code>[^]*?)```/.exec(readme)?.groups?.['code']

it('has an example with a store that runs as it stands there', async () => {
  const example = await readFile(join(import.meta.dirname, 'readme-example.ts'), 'utf8')
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8')
  expect(exampleOf(readme)).toBe(example)
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined)
  await import('./readme-example.js')
  expect(log.mock.calls).toEqual([
    [
      expect.objectContaining({
        'SOUL.md': expect.any(Number),
        'BOOTSTRAP.md': expect.any(Number),
      }),
    ],
    [{ isFirstRun: true, nudge: undefined, warnings: [] }],
  ])
})
