/** What a model is told of the tools that Loam gives an agent, by clients that pass it on. */
export const AGENT_INSTRUCTIONS = [
  'Loam remembers this user from one conversation to the next.',
  'Call memory_search before you answer anything that earlier conversations may tell, and memory_get for a note as a whole.',
  'When you learn something that will matter later, keep it with write_file in MEMORY.md or memory/<topic>.md; read the file first, since writing replaces it, or append.',
  'Call skill_search before a task for which there may be a proven way, and use_skill for the one that fits.',
].join(' ')
