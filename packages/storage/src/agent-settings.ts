import { toInputIssues, type InputIssue } from '@loam/core'
import type { z } from 'zod'

/**
 * Reads what stands under a feature's name in an agent's settings. A value that breaks a rule has its default instead and is
 * named in `issues`, so that a mistake in one setting does not stop the agent.
 *
 * @param schema an object each of whose fields has a default.
 */
export function readAgentSettings<Schema extends z.ZodType>(
  agentSettings: Readonly<Record<string, unknown>>,
  feature: string,
  schema: Schema,
): { readonly settings: z.infer<Schema>; readonly issues: readonly InputIssue[] } {
  const given = agentSettings[feature] ?? {}
  const parsed = schema.safeParse(given)
  if (parsed.success) return { settings: parsed.data, issues: [] }
  const issues = toInputIssues(parsed.error).map(({ path, message }) => ({
    path: path === '' ? feature : `${feature}.${path}`,
    message,
  }))
  const faulty = new Set(parsed.error.issues.map(({ path }) => path[0]))
  const sound =
    typeof given === 'object'
      ? Object.fromEntries(Object.entries(given).filter(([key]) => !faulty.has(key)))
      : {}
  return { settings: schema.parse(sound), issues }
}
