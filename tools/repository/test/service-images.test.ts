import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { repositoryRoot } from '../../workspace/root.mjs'

interface Services {
  readonly services: Record<string, { readonly image: string; readonly ports: readonly string[] }>
}

const readYaml = (file: string) =>
  parse(readFileSync(join(repositoryRoot, file), 'utf8')) as unknown
const compose = readYaml('docker/compose.yaml') as Services
const workflow = readYaml('.github/workflows/ci.yml') as {
  readonly jobs: { readonly test: Services }
}

const imagesOf = ({ services }: Services) =>
  Object.entries(services).map(([name, { image }]) => [name, image])

describe('the images of Postgres and Redis', () => {
  it('are the same in docker/compose.yaml and in CI', () => {
    expect(imagesOf(compose)).toEqual(imagesOf(workflow.jobs.test))
  })
})

describe('docker/compose.yaml', () => {
  it.each(Object.entries(compose.services))(
    'publishes %s on the loopback address only',
    (_, service) => {
      expect(service.ports.every((port) => port.startsWith('127.0.0.1:'))).toBe(true)
    },
  )
})
