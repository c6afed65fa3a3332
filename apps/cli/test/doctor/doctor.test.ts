import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { checkModelEndpoint } from '../../src/doctor/model-endpoint.js'
import { loadConfiguration } from '../../src/configuration.js'
import { runLoam, withHome } from '../run-loam.js'

/** Ports at which nothing answers. */
const NOWHERE = '127.0.0.1:9'

describe('loam doctor', () => {
  it('names all that is broken, by area', async () => {
    await withHome(async (home) => {
      const { code, stdout } = await runLoam(['doctor'], {
        LOAM_HOME: home,
        LOAM_API_KEY: 'a-key-of-sixteen-characters',
        LOAM_DATABASE_URL: `postgres://ana:hunter2@${NOWHERE}/loam`,
        LOAM_REDIS_URL: `redis://:hunter3@${NOWHERE}`,
        LOAM_MODEL_BASE_URL: `http://${NOWHERE}/v1`,
        LOAM_CHAT_MODEL: 'small',
      })
      expect(code).toBe(1)
      const headings = stdout.split('\n').filter((line) => /^\w+$/.test(line))
      expect(headings).toEqual(['Settings', 'Store', 'Jobs', 'Models'])
      expect(stdout).toContain('Broken: storage, queue, model endpoint.')
      expect(stdout).not.toContain('hunter')
    })
  })

  it('finds nothing broken in what was just made', async () => {
    await withHome(async (home) => {
      const env = { LOAM_HOME: home }
      const before = await runLoam(['doctor'], env)
      expect(before.code).toBe(1)
      expect(before.stdout).toContain('loam serve')
      await runLoam(['migrate'], env)
      const { code, stdout } = await runLoam(['doctor'], env)
      expect(stdout).toContain('Nothing is broken')
      expect(code).toBe(0)
    })
  })
})

const configured = (baseUrl: string) =>
  loadConfiguration({ LOAM_MODEL_BASE_URL: baseUrl, LOAM_CHAT_MODEL: 'small' })

describe('checkModelEndpoint', () => {
  it.each([
    [{ data: [{ id: 'small:latest' }] }, 200, ['ok']],
    [{ data: [{ id: 'large' }] }, 200, ['ok', 'warning']],
    ['no list', 404, ['ok']],
    [{ error: 'no' }, 401, ['broken']],
    [{ error: 'no' }, 503, ['broken']],
  ])('makes of the answer %j with status %i %j', async (body, status, states) => {
    const server = createServer((_request, response) => {
      response.writeHead(status).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const findings = await checkModelEndpoint(configured(`http://127.0.0.1:${port}/v1`))
    expect(findings.map(({ state }) => state)).toEqual(states)
    server.close()
  })
})
