import type { LoamClient } from '@loam/client'

/** What the agent is told in a turn: the skills that it may use, and what it is asked to do. */
export async function showTurn(
  loam: LoamClient,
  turn: { readonly agent: string; readonly userId: string; readonly message: string },
): Promise<string> {
  const { skills, message, slash } = await loam.buildContext(turn)
  const listed = skills.listed.length === 0 ? 'none' : skills.listed.join(', ')
  const used = slash.kind === 'activate' ? `, by the skill ${slash.slug}` : ''
  return `${turn.agent} is asked: ${message}${used}\n  skills in its prompt: ${listed}`
}
