import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { repositoryRoot } from '../../workspace/root.mjs'

interface Services {
  readonly services: Record<string, { readonly image: string }>
}

const readYaml = (file: string) =>
  parse(readFileSync(join(repositoryRoot, file), 'utf8')) as unknown
const servers = readYaml('docker/services.yaml') as Services
const workflow = readYaml('.github/workflows/ci.yml') as {
  readonly jobs: { readonly test: Services }
}

const imagesOf = ({ services }: Services) =>
  Object.entries(services).map(([name, { image }]) => [name, image])

describe('the images of Postgres and Redis', () => {
  it('are the same in docker/services.yaml and in CI', () => {
    expect(imagesOf(servers)).toEqual(imagesOf(workflow.jobs.test))
  })
})
