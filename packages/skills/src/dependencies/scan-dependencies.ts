import { builtinModules } from 'node:module'
import { compareText } from '@loam/text'
import type { SkillFile } from '../archive/skill-file.js'
import { listField } from '../frontmatter/read-fields.js'
import { PYTHON_MODULES } from './python-modules.js'

/** What a skill needs to be on the machine that runs its scripts. Nothing is installed by Loam. */
export interface SkillDependencies {
  /** `declared`: by the field `deps`, which is then the whole truth; `scanned`: from its scripts. */
  readonly origin: 'declared' | 'scanned'
  /** Programs that run its scripts, such as `python3`. */
  readonly runtimes: readonly string[]
  /** Packages of Python by their names to import, or to install where they are declared. */
  readonly python: readonly string[]
  readonly node: readonly string[]
  /** Of the operating system. */
  readonly system: readonly string[]
  /** As `owner/name`. */
  readonly github: readonly string[]
  /** Declared names that cannot be such, and were left out. */
  readonly ignored: readonly string[]
}

const MAX_SCRIPT_LEVELS = 3
const MAX_SCRIPT_CHARACTERS = 1_000_000

/**
 * Finds what the scripts of a skill need, by looking at them: interpreters, imports of Python beyond its own modules, imports
 * of Node reduced to packages (spec 03, 4.10). A list `deps` in the frontmatter (`pip:`, `npm:`, `system:`, `github:`; without a
 * prefix it is of the system) takes the place of what is found, and `exclude_deps` leaves names out of either.
 */
export function scanDependencies(
  files: readonly SkillFile[],
  frontmatter: Readonly<Record<string, unknown>>,
): SkillDependencies {
  const declared = listField(frontmatter, 'deps')
  const excluded = new Set(listField(frontmatter, 'exclude_deps').map((name) => parse(name).name))
  const found = declared.length > 0 ? fromDeclaration(declared) : fromScripts(files)
  const names = (some: Iterable<string>) =>
    Array.from(new Set(some))
      .filter((name) => !excluded.has(name))
      .toSorted(compareText)
  return {
    origin: declared.length > 0 ? 'declared' : 'scanned',
    runtimes: names(found.runtimes),
    python: names(found.python),
    node: names(found.node),
    system: names(found.system),
    github: names(found.github),
    ignored: found.ignored,
  }
}

interface Found {
  readonly runtimes: string[]
  readonly python: string[]
  readonly node: string[]
  readonly system: string[]
  readonly github: string[]
  readonly ignored: string[]
}

function nothing(): Found {
  return { runtimes: [], python: [], node: [], system: [], github: [], ignored: [] }
}

function fromDeclaration(declared: readonly string[]): Found {
  const found = nothing()
  for (const text of declared) {
    const { kind, name } = parse(text)
    if (name.includes('..') || !NAMES[kind].test(name)) found.ignored.push(text.slice(0, 200))
    else found[kind].push(name)
  }
  return found
}

type Kind = 'python' | 'node' | 'system' | 'github'

function parse(text: string): { readonly kind: Kind; readonly name: string } {
  const [, prefix = '', name = text] = /^(pip|npm|system|github):(.*)$/.exec(text) ?? []
  return { kind: KINDS.get(prefix) ?? 'system', name: name.trim() }
}

function fromScripts(files: readonly SkillFile[]): Found {
  const found = nothing()
  const scripts = files.filter(
    ({ path }) => path.startsWith('scripts/') && path.split('/').length <= MAX_SCRIPT_LEVELS + 1,
  )
  const local = new Set(
    scripts.flatMap(({ path }) => path.split('/').map((part) => part.replace(/\.py$/, ''))),
  )
  for (const { path, content } of scripts) {
    const text = new TextDecoder().decode(content).slice(0, MAX_SCRIPT_CHARACTERS)
    const interpreter = SHEBANG.exec(text)?.[1]
    const extension = /\.(\w+)$/.exec(path)?.[1] ?? ''
    const runtime = interpreter ?? RUNTIMES.get(extension)
    if (runtime === undefined) continue
    found.runtimes.push(runtime)
    if (runtime.startsWith('python')) found.python.push(...pythonImports(text, local))
    if (NODE_RUNTIMES.has(runtime)) found.node.push(...nodeImports(text))
  }
  return found
}

function pythonImports(text: string, local: ReadonlySet<string>): readonly string[] {
  const modules = Array.from(text.matchAll(PYTHON_IMPORT), ([, from, imported]) =>
    from === undefined
      ? (imported ?? '').split(',').map((name) => name.trim().split(/\s/)[0])
      : [from],
  )
  return modules
    .flat()
    .map((name = '') => name.split('.')[0] ?? '')
    .filter((name) => name !== '' && !PYTHON_MODULES.has(name) && !name.startsWith('_'))
    .filter((name) => !local.has(name))
}

function nodeImports(text: string): readonly string[] {
  return Array.from(text.matchAll(NODE_IMPORT), ([, , name = '']) => name)
    .filter((name) => !name.startsWith('.') && !name.startsWith('/') && !name.includes(':'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    )
    .filter((name) => !builtinModules.includes(name) && NAMES.node.test(name))
}

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['pip', 'python'],
  ['npm', 'node'],
  ['system', 'system'],
  ['github', 'github'],
])
const NAMES: Readonly<Record<Kind, RegExp>> = {
  python: /^[A-Za-z0-9][\w.-]{0,99}(?:\[[\w,-]{1,100}\])?(?:[=<>~!]=?[\w.*]{1,50})?$/,
  node: /^(?:@[a-z0-9~-][\w.~-]{0,99}\/)?[a-z0-9~-][\w.~-]{0,99}(?:@[\w.^~-]{1,50})?$/i,
  system: /^[a-z0-9][\w.+-]{0,99}$/i,
  github: /^[\w-]{1,39}\/[\w.-]{1,100}$/,
}
const SHEBANG = /^#!\s*(?:\/usr\/bin\/env\s+(?:-S\s+)?|\S*\/)([\w.+-]+)/
// A map, for an extension may be called like something that every object has.
const RUNTIMES: ReadonlyMap<string, string> = new Map([
  ['py', 'python3'],
  ['js', 'node'],
  ['mjs', 'node'],
  ['cjs', 'node'],
  ['ts', 'node'],
  ['sh', 'sh'],
  ['bash', 'bash'],
  ['rb', 'ruby'],
  ['pl', 'perl'],
  ['ps1', 'pwsh'],
])
const NODE_RUNTIMES: ReadonlySet<string> = new Set(['node', 'tsx', 'ts-node', 'bun', 'deno'])
const PYTHON_IMPORT =
  /^[ \t]*(?:from[ \t]+([A-Za-z_][\w.]*)[ \t]+import\b|import[ \t]+([A-Za-z_][\w., \t]*))/gm
// Bounded, since each of many blanks would be tried as the last one.
const NODE_IMPORT =
  /\b(?:from|import|require)\s{0,20}(?:\(\s{0,100})?(['"])([@\w][\w./:@-]{0,200})\1/g
