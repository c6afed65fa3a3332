import { fileURLToPath } from 'node:url'

/** Whether this runs from the TypeScript sources rather than compiled. */
const fromSource = import.meta.url.endsWith('.ts')

/** The folder of the repository. */
export const repositoryRoot = fileURLToPath(new URL('../../../..', import.meta.url))

/** What Node needs to run the files below. */
export const nodeArguments: readonly string[] = fromSource
  ? ['--import', 'tsx', '--conditions=@loam/source']
  : []

/** The main file of a process of this folder. */
export function processFile(name: string): string {
  return fileURLToPath(new URL(`${name}${fromSource ? '.ts' : '.js'}`, import.meta.url))
}

/** The main file of an app of the repository. */
export function appFile(app: 'api' | 'worker'): string {
  return `${repositoryRoot}apps/${app}/${fromSource ? 'src/main.ts' : 'dist/main.js'}`
}
