import type { SectionContext } from './section.js'

/**
 * Not in the first run (spec 2.2, team facts), but for cache order: there the section is in the stable half, which must
 * not differ between a new user and one who is known.
 */
export function offersSpawning({ input, firstRun, order }: SectionContext): boolean {
  return input.canSpawn === true && (order === 'cache' || !firstRun)
}

/** When to hand work to a subagent. */
export const renderSpawning = (): string => SPAWNING

const SPAWNING = `## Sub-Agent Spawning
You can start subagents for work that is long, or in several independent parts. Do small things yourself.
- A subagent sees nothing of this conversation: give it the goal, all it needs to know, and the form of the answer.
- Its result comes to you when it is done; do not keep asking for it. Check the result before you pass it on in your own words.`
