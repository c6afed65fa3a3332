import type { Finding } from './finding.js'

/** A warning as the API tells it. */
export interface SkillWarningItem {
  readonly source: string
  readonly slug: string
  readonly warning: { readonly code: string; readonly message: string }
}

/** Skills that are named one by one; of the others the number is told. */
const MAX_NAMED = 10

/** What is wrong with skills of folders. What only the Agent Skills format would reject works, and is no finding. */
export function describeSkillWarnings(items: readonly SkillWarningItem[]): readonly Finding[] {
  const serious = items.filter(({ warning }) => warning.code !== 'format')
  if (serious.length === 0) return []
  const findings = serious.slice(0, MAX_NAMED).map(({ source, slug, warning }) => ({
    area: 'Skills' as const,
    name: 'skill',
    state: 'warning' as const,
    detail: `${source}/${slug}: ${warning.message}`,
  }))
  const left = serious.length - findings.length
  if (left === 0) return findings
  const detail = `${left} more warnings. "loam skills validate <folder>" lists them all.`
  return [...findings, { area: 'Skills', name: 'skill', state: 'warning', detail }]
}
