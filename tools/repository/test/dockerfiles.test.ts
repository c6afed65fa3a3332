import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DockerfileParser, JSONInstruction, type Instruction } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { repositoryRoot } from '../../workspace/root.mjs'

/** What each image starts, as a file of the built app and the source that it comes from; and where it listens. */
const images = [
  { app: 'api', built: 'dist/main.js', source: 'src/main.ts', portVariable: 'LOAM_PORT' },
  { app: 'cli', built: 'bin/loam.js', source: 'bin/loam.js', portVariable: undefined },
  { app: 'worker', built: 'dist/main.js', source: 'src/main.ts', portVariable: 'LOAM_WORKER_PORT' },
]

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8')
const exists = (file: string) => existsSync(join(repositoryRoot, file))

const allowed = read('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1))

const { jobs } = parse(read('.github/workflows/ci.yml')) as {
  readonly jobs: { readonly test: { readonly strategy: { readonly matrix: { node: number[] } } } }
}

function readDockerfile(app: string) {
  const source = read(`docker/${app}.Dockerfile`)
  const parsed = DockerfileParser.parse(source)
  const stages = parsed.getFROMs()
  const finalStart = stages.at(-1)?.getRange().start.line ?? 0
  const final = parsed
    .getInstructions()
    .filter((instruction) => instruction.getRange().start.line >= finalStart)
  const variables = parsed.getENVs().flatMap((env) => env.getProperties())
  return {
    source,
    parsed,
    bases: stages.map((stage) => stage.getImage() ?? ''),
    final,
    /** The instructions of one kind in the final stage. */
    finalOf: (keyword: string) =>
      final.filter((instruction) => instruction.getKeyword() === keyword),
    variables: Object.fromEntries(variables.map((one) => [one.getName(), one.getValue()])),
  }
}

/** The folders of a TypeScript project and of all that it references, each once. */
function projectFolders(project: string, seen = new Set<string>()): string[] {
  if (!seen.has(project)) {
    seen.add(project)
    const { references = [] } = JSON.parse(read(project)) as {
      readonly references?: readonly { readonly path: string }[]
    }
    for (const { path } of references) projectFolders(join(dirname(project), path), seen)
  }
  return [...seen].map(dirname)
}

/** The words of an instruction in exec form; empty for one in shell form. */
function execWords(instruction: Instruction): string[] {
  if (!(instruction instanceof JSONInstruction)) return []
  return instruction.getJSONStrings().map((argument) => argument.getJSONValue())
}

describe('the Dockerfiles', () => {
  it('are those of the apps that are known here', () => {
    const files = readdirSync(join(repositoryRoot, 'docker'))
    expect(files.filter((name) => name.endsWith('.Dockerfile'))).toEqual(
      images.map(({ app }) => `${app}.Dockerfile`),
    )
  })

  it('would be refused with a misspelt instruction', () => {
    expect(validate('FROM node\nCOPPY a b\n')).not.toEqual([])
  })
})

describe('.dockerignore', () => {
  it('lets nothing through but what it names, and that is there', () => {
    expect(read('.dockerignore')).toMatch(/^\*$/m)
    expect(allowed.filter((path) => !exists(path))).toEqual([])
  })
})

describe.each(images)('docker/$app.Dockerfile', ({ app, built, source, portVariable }) => {
  const dockerfile = readDockerfile(app)

  it('is one that the builder takes, without a warning', () => {
    expect(validate(dockerfile.source)).toEqual([])
  })

  it('begins both stages with the same image, of a Node that CI tests', () => {
    const [build, final, ...more] = dockerfile.bases
    expect(more).toEqual([])
    expect(final).toBe(build)
    const version = /^node:(\d+)-\w+-slim$/.exec(build ?? '')?.[1]
    expect(jobs.test.strategy.matrix.node).toContain(Number(version))
  })

  it('copies only what is there and what .dockerignore lets through', () => {
    const sources = dockerfile.parsed
      .getCOPYs()
      .filter((copy) => copy.getFromFlag() === null)
      .flatMap((copy) => copy.getArguments().slice(0, -1))
      .map((argument) => argument.getValue())
      .filter((path) => path !== '.')
    expect(sources).toContain('pnpm-lock.yaml')
    expect(sources.filter((path) => !allowed.includes(path))).toEqual([])
  })

  it('compiles only what .dockerignore lets through', () => {
    const project = `apps/${app}/tsconfig.lib.json`
    expect(dockerfile.source).toContain(`RUN pnpm exec tsc -b ${project}\n`)
    const folders = projectFolders(project)
    expect(folders).toContain('packages/core')
    expect(folders.filter((folder) => !allowed.includes(folder.split('/')[0] ?? ''))).toEqual([])
  })

  it('takes into the final stage what was deployed, and nothing else', () => {
    expect(dockerfile.finalOf('COPY').map(String)).toEqual(['COPY --from=build /app ./'])
    const keywords = dockerfile.final.map((instruction) => instruction.getKeyword())
    expect(keywords.filter((keyword) => ['RUN', 'ADD', 'ARG'].includes(keyword))).toEqual([])
  })

  it('runs as a user that is not root, named by its number', () => {
    expect(dockerfile.finalOf('USER').map(String)).toEqual(['USER 1000:1000'])
  })

  it('starts node itself, so that signals reach it, on a file of the built app', () => {
    const start = dockerfile.finalOf(portVariable === undefined ? 'ENTRYPOINT' : 'CMD')
    expect(start.map(execWords)).toEqual([['node', built]])
    expect(exists(`apps/${app}/${source}`)).toBe(true)
  })

  it('sets only where it listens: the rest, and every secret, comes when it is started', () => {
    const names = portVariable === undefined ? [] : ['LOAM_HOST', portVariable]
    expect(Object.keys(dockerfile.variables)).toEqual(['NODE_ENV', ...names])
    expect(dockerfile.variables['NODE_ENV']).toBe('production')
  })
})

describe.each(images.filter((image) => image.portVariable !== undefined))(
  'the image of $app',
  ({ app, portVariable }) => {
    const { finalOf, variables } = readDockerfile(app)

    it('listens on the port that it exposes, on every address of the container', () => {
      expect(variables['LOAM_HOST']).toBe('0.0.0.0')
      expect(finalOf('EXPOSE').map(String)).toEqual([`EXPOSE ${variables[portVariable]}`])
    })

    it('asks there whether it is ready, with node and without a shell', () => {
      const checks = finalOf('HEALTHCHECK').map(String)
      expect(checks).toHaveLength(1)
      const words = JSON.parse(/CMD (\[.*\])$/.exec(checks[0] ?? '')?.[1] ?? '[]') as string[]
      expect(words).toEqual(['node', '--eval', expect.stringContaining('/health/ready')])
      expect(words[2]).toContain(`\${process.env.${portVariable}}`)
    })
  },
)
