import { compareText, sliceText } from '@loam/text'
import { SCAN_RULES, type ScanRuleName } from './scan-rules.js'
import type { SkillFile } from './skill-file.js'

/** A line that a person should look at. */
export interface ScanFinding {
  readonly path: string
  /** From 1. */
  readonly line: number
  /** `not_scanned` where the scan ended because there was too much. */
  readonly rule: ScanRuleName
  /** What was found and some of what stands around it, at most 120 characters, without control characters. */
  readonly excerpt: string
}

/** How much is scanned, and how much is told. */
export const SCAN_LIMITS = {
  maxFindings: 200,
  maxLineCharacters: 2_000,
  maxExcerptCharacters: 120,
  /** Of all files together, with 40 more for each line, however short. SKILL.md comes first. */
  maxCharacters: 8 * 1024 * 1024,
} as const

/**
 * Looks through SKILL.md and all scripts for what harms a machine or gives secrets away (spec 03, 4.10). Scripts are text
 * files with the extension of one, or whose first line names an interpreter.
 *
 * The findings are a help for a reviewer and no protection: a list of expressions is easily evaded, and it also hits harmless
 * documentation.
 *
 * @example
 * scanSkillFiles([{ path: 'run.sh', content: new TextEncoder().encode('sudo ls') }])[0]?.rule // 'privileges'
 */
export function scanSkillFiles(files: readonly SkillFile[]): ScanFinding[] {
  const findings: ScanFinding[] = []
  let remaining: number = SCAN_LIMITS.maxCharacters
  for (const { path, content } of files.toSorted(skillFileFirst)) {
    const text = isBinary(content) ? '' : decode(content)
    if (!looksLikeScript(path, text)) continue
    for (const [place, whole] of text.split(LINE_END).entries()) {
      if (findings.length >= SCAN_LIMITS.maxFindings) return findings
      const line = whole.slice(0, SCAN_LIMITS.maxLineCharacters)
      const cost = line.length + LINE_COST
      if (cost > remaining) {
        const excerpt = 'There is more than is scanned. Read the rest yourself.'
        return [...findings, { path, line: place + 1, rule: 'not_scanned', excerpt }]
      }
      remaining -= cost
      const hit = firstHit(line)
      if (hit) findings.push({ path, line: place + 1, ...hit })
    }
  }
  return findings
}

function firstHit(line: string): Pick<ScanFinding, 'rule' | 'excerpt'> | undefined {
  if (line.length < SHORTEST_HIT) return undefined
  for (const { name, steps } of SCAN_RULES) {
    const index = findSteps(line, steps)
    if (index !== undefined) return { rule: name, excerpt: excerptAt(line, index) }
  }
  return undefined
}

/** Where the first step fits, if the others fit after it. The leftmost fit leaves most room, so no other need be tried. */
function findSteps(line: string, steps: readonly RegExp[]): number | undefined {
  let index: number | undefined
  let rest = line
  for (const step of steps) {
    const match = step.exec(rest)
    if (!match) return undefined
    index ??= match.index
    rest = rest.slice(match.index + match[0].length)
  }
  return index
}

function excerptAt(line: string, index: number): string {
  const start = Math.max(0, index - 20)
  return sliceText(line, start, start + SCAN_LIMITS.maxExcerptCharacters)
    .replaceAll(CONTROL, ' ')
    .trim()
}

function looksLikeScript(path: string, text: string): boolean {
  if (path === 'SKILL.md') return true
  const name = path.split('/').at(-1)?.toLowerCase() ?? ''
  const extension = name.includes('.') ? name.split('.').at(-1) : undefined
  return text.startsWith('#!') || SCRIPT_NAMES.has(name) || SCRIPT_EXTENSIONS.has(extension ?? '')
}

function skillFileFirst(first: SkillFile, second: SkillFile): number {
  const order = Number(second.path === 'SKILL.md') - Number(first.path === 'SKILL.md')
  return order === 0 ? compareText(first.path, second.path) : order
}

function isBinary(content: Uint8Array): boolean {
  return !isUtf16(content) && content.subarray(0, 8_192).includes(0)
}

// As Windows writes its scripts.
function isUtf16(content: Uint8Array): boolean {
  return content[0] === 0xff && content[1] === 0xfe
}

function decode(content: Uint8Array): string {
  return new TextDecoder(isUtf16(content) ? 'utf-16le' : 'utf-8').decode(content)
}

// Trying all rules takes its time on the shortest line too.
const LINE_COST = 40
const SHORTEST_HIT = 4
const LINE_END = /\r\n|\r|\n/
const CONTROL = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu
const SCRIPT_NAMES: ReadonlySet<string> = new Set([
  'makefile',
  'dockerfile',
  'justfile',
  'rakefile',
])
const SCRIPT_EXTENSIONS: ReadonlySet<string> = new Set(
  'sh bash zsh fish ksh command py pyw ipynb js mjs cjs ts mts cts tsx jsx rb pl pm php lua r ps1 psm1 bat cmd vbs applescript sql awk tcl go rs java kt swift groovy mk'.split(
    ' ',
  ),
)
