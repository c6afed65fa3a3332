import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../../workspace/run-command.mjs'
import { tool } from '../../../workspace/tool.mjs'

/** The deployable processes. */
export type App = 'api' | 'worker'

/** The folder of the repository. */
export const repositoryRoot = fileURLToPath(new URL('../../../..', import.meta.url))

let known: Promise<(app: App) => readonly string[]> | undefined

/**
 * What Node is told to run an app: the compiled one, which starts in less than half of the time of the sources, and is
 * compiled first if a source has changed since; the sources if they do not compile.
 */
export function appCode(): Promise<(app: App) => readonly string[]> {
  return (known ??= choose())
}

async function choose(): Promise<(app: App) => readonly string[]> {
  if (isCompiled()) return compiled
  const isMade = await oneAtATime(async () => isCompiled() || (await compile()))
  return isMade ? compiled : source
}

function compiled(app: App): readonly string[] {
  return [join(repositoryRoot, 'apps', app, 'dist/main.js')]
}

function source(app: App): readonly string[] {
  const main = join(repositoryRoot, 'apps', app, 'src/main.ts')
  return ['--import=tsx', '--conditions=@loam/source', main]
}

/** What the apps can be made of. */
function projects(): string[] {
  const packages = readdirSync(join(repositoryRoot, 'packages'))
  return [...packages.map((name) => `packages/${name}`), 'apps/api', 'apps/worker']
    .map((path) => join(repositoryRoot, path))
    .filter((path) => existsSync(join(path, 'tsconfig.lib.json')))
}

function isCompiled(): boolean {
  return projects().every((project) => {
    const stamp = statSync(join(project, 'dist/lib.tsbuildinfo'), { throwIfNoEntry: false })
    return stamp !== undefined && newestSource(project) < stamp.mtimeMs
  })
}

function newestSource(project: string): number {
  const folder = join(project, 'src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return Math.max(...files.map((file) => statSync(join(folder, file)).mtimeMs))
}

async function compile(): Promise<boolean> {
  const [node, tsc] = tool('typescript7', 'tsc')
  const apps = (['api', 'worker'] as const).map((app) => `apps/${app}/tsconfig.lib.json`)
  const { code } = await runCommand(node, [tsc, '-b', ...apps], { capture: true })
  return code === 0
}

const PATIENCE_MS = 120_000

/** Other test files may be about to compile too. */
async function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = join(repositoryRoot, '.cache/faults-compiling')
  await mkdir(join(repositoryRoot, '.cache'), { recursive: true })
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const isOurs = await mkdir(turn).then(
      () => true,
      () => false,
    )
    // After so long, whoever had it is gone.
    if (isOurs || performance.now() > end) break
    await delay(100)
  }
  try {
    return await work()
  } finally {
    await rm(turn, { recursive: true, force: true })
  }
}
