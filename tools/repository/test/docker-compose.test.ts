import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIG_VARIABLES } from '@loam/runtime'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { repositoryRoot } from '../../workspace/root.mjs'

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string | number | null>>
  readonly ports?: readonly string[]
  readonly stop_grace_period?: string
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8')
const exists = (file: string) => existsSync(join(repositoryRoot, file))
const readCompose = (file: string) => parse(read(file), { merge: true }) as ComposeFile

const compose = readCompose('docker/compose.yaml')
const servers = readCompose('docker/services.yaml')
const apps = ['migrate', 'api', 'worker']
const settings = compose.services['api']?.environment ?? {}

// Formats such as "duration" are Compose's own, and its schema names its dialect in a way that ajv does not know.
const isCompose = new Ajv({
  strict: false,
  validateFormats: false,
  validateSchema: false,
  allErrors: true,
}).compile({
  ...(JSON.parse(read('tools/repository/test/compose-spec/compose-spec.json')) as object),
  $schema: 'http://json-schema.org/draft-07/schema#',
})

const faultsOf = (file: unknown) =>
  isCompose(file)
    ? []
    : isCompose.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`)

describe.each(Object.entries({ 'compose.yaml': compose, 'services.yaml': servers }))(
  'docker/%s',
  (_, file) => {
    it('is what the Compose Specification allows', () => {
      expect(faultsOf(file)).toEqual([])
    })

    it('is refused by its schema once a key is misspelt', () => {
      const [name = '', service] = Object.entries(file.services)[0] ?? []
      const services = { ...file.services, [name]: { ...service, comand: ['true'] } }
      expect(faultsOf({ ...file, services })).not.toEqual([])
    })

    it('publishes ports on the loopback address only', () => {
      const ports = Object.values(file.services).flatMap((service) => service.ports ?? [])
      expect(ports).not.toEqual([])
      expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
    })
  },
)

describe('docker/compose.yaml', () => {
  it('adds the apps to the servers of services.yaml', () => {
    expect(Object.keys(compose.services)).toEqual([...Object.keys(servers.services), ...apps])
    for (const name of Object.keys(servers.services)) {
      const base = { file: 'services.yaml', service: name }
      expect(compose.services[name]).toMatchObject({ extends: base, restart: 'unless-stopped' })
    }
    expect(compose.volumes).toEqual(servers.volumes)
  })

  it.each(apps)('builds %s from a Dockerfile that is there', (name) => {
    const { context, dockerfile } = compose.services[name]?.build ?? {}
    expect(context).toBe('..')
    expect(exists(String(dockerfile))).toBe(true)
  })

  it.each(apps)('gives %s no right and no folder that it does not need', (name) => {
    expect(compose.services[name]).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(compose.services[name]).not.toHaveProperty('volumes')
  })

  it.each(['api', 'worker'])('starts %s on a migrated database, and again when it ends', (name) => {
    expect(compose.services[name]).toMatchObject({
      restart: 'unless-stopped',
      depends_on: {
        postgres: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' },
        migrate: { condition: 'service_completed_successfully' },
      },
    })
  })

  it('lets there be many workers', () => {
    expect(compose.services['worker']).not.toHaveProperty('container_name')
    expect(compose.services['worker']).not.toHaveProperty('ports')
  })

  it('stops nothing before it has drained', () => {
    const drainMs = Number(settings['LOAM_DRAIN_MS'])
    for (const name of ['api', 'worker']) {
      const graceMs = 1000 * Number.parseInt(compose.services[name]?.stop_grace_period ?? '', 10)
      expect(graceMs).toBeGreaterThan(2 * drainMs)
    }
  })

  it('asks for the key, for which it has no default', () => {
    expect(settings['LOAM_API_KEY']).toMatch(/^\$\{LOAM_API_KEY:\?/)
    expect(settings['LOAM_MODEL_API_KEY']).toBeNull()
  })

  it('hands on every setting, save those that the images or the file itself decide', () => {
    const decided = [
      'LOAM_HOME',
      'LOAM_HOST',
      'LOAM_PORT',
      'LOAM_WORKER_PORT',
      'LOAM_MIGRATION_DATABASE_URL',
      'LOAM_QUEUE_PREFIX',
      // A server never has them.
      'LOAM_DISABLE_PERSONAL_SKILLS',
    ]
    for (const name of apps) expect(compose.services[name]?.environment).toEqual(settings)
    expect([...Object.keys(settings), ...decided].toSorted()).toEqual(CONFIG_VARIABLES.toSorted())
  })
})
