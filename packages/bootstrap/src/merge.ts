import type { ContextFile } from './file-names.js'

/**
 * The files that one user has: their own in their order, then those of the base whose names are not among them. So a
 * user's file wins by its name, and what only the base has survives (seed, section 6).
 */
export function mergeContextFiles<File extends ContextFile>(
  base: readonly File[],
  user: readonly File[],
): File[] {
  const names = new Set(user.map(({ name }) => name))
  return [...user, ...base.filter(({ name }) => !names.has(name))]
}
