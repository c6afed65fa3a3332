import { build, type Rolldown } from 'vite'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('is bundled for browsers, without anything of Node', async () => {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, '../src/index.ts'), formats: ['es'] },
    },
  })
  const [{ output }] = result as [Rolldown.RolldownOutput]
  expect(output).toHaveLength(1)
  expect(output[0].imports).toStrictEqual([])
  expect(output[0].code).not.toMatch(/node:|__vite-browser-external/)
  // Most of a client is what it sends and reads; types weigh nothing.
  expect(output[0].code.length).toBeLessThan(100_000)
})
