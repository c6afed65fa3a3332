import type { LoamClient } from '@loam/client'

/** What the agent is told in a turn: the skills that it has, and what it is asked to do. */
export async function showTurn(
  loam: LoamClient,
  turn: { readonly agent: string; readonly userId: string; readonly message: string },
): Promise<string> {
  const { skills, message, prompt } = await loam.buildContext(turn)
  const listed = skills.listed.length === 0 ? 'none' : skills.listed.join(', ')
  const isUsed = prompt.includes('# Brew tea')
  return [
    `${turn.agent} has the skills: ${listed}`,
    `and is asked: ${message}`,
    isUsed ? 'with the whole text of the skill in its prompt' : 'and knows no more about it',
  ].join('\n')
}
