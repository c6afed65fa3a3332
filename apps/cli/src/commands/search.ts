import type { ApiClient } from '../api/api-client.js'
import { route } from '../api/route.js'
import type { FoundItem, FoundItems } from '../api/shapes.js'
import { oneLine, type Output } from '../output.js'

/** What `loam search` asks for. */
export interface SearchCommandOptions {
  readonly agent: string
  readonly user?: string | undefined
  readonly maxResults?: number | undefined
  readonly minScore?: number | undefined
  readonly source?: readonly string[] | undefined
  readonly explain?: boolean | undefined
}

/** Finds what fits the query and prints it, best first. */
export async function runSearch(
  query: string,
  options: SearchCommandOptions,
  { client, output }: { readonly client: ApiClient; readonly output: Output },
): Promise<void> {
  const { agent, user, maxResults, minScore, source, explain } = options
  const found = await client.post<FoundItems>(route`/v1/agents/${agent}/memory/search`, {
    query,
    ...(user !== undefined && { userId: user }),
    ...(maxResults !== undefined && { maxResults }),
    ...(minScore !== undefined && { minScore }),
    ...(source !== undefined && source.length > 0 && { sources: source }),
    ...(explain === true && { explain }),
  })
  output.result(found)
  if (found.degraded !== undefined) output.note(`note: ${found.degraded}`)
  if (found.count === 0) output.say('Nothing was found.')
  for (const [index, item] of found.results.entries()) {
    output.say(formatItem(item, index + 1, output))
  }
}

/** A found item in two or three lines. */
export function formatItem(item: FoundItem, rank: number, { paint }: Output): string {
  const shared = item.scope === 'global' ? ' shared' : ''
  const head = `${String(rank).padStart(2)}. ${paint.bold(item.score.toFixed(2))}  ${paint.dim(`${item.createdAt.slice(0, 10)}  ${placeOf(item)}${shared}`)}`
  const lines = [head, `    ${oneLine(item.text)}`]
  if (item.explanation !== undefined) lines.push(paint.dim(`    ${whyFound(item)}`))
  return lines.join('\n')
}

/** Where an item stands: `session#sequence`, or `path:lines`. */
export function placeOf({
  source,
  session = '',
  sequence,
  path = '',
  ...lines
}: FoundItem): string {
  if (source === 'messages') return `${oneLine(session, 80)}#${sequence}`
  if (source === 'episodes') return `episode of ${oneLine(session, 80)}`
  return `${oneLine(path, 80)}:${lines.startLine}-${lines.endLine}`
}

/** In words, what an item's score is made of, strongest first. */
export function whyFound({ explanation }: FoundItem): string {
  if (explanation === undefined) return ''
  const { lexical, vector, neighbours, session, speaker, matchedTerms } = explanation
  const words =
    matchedTerms.length > 0 ? ` (${matchedTerms.map((term) => oneLine(term, 40)).join(', ')})` : ''
  const parts: readonly (readonly [string, number])[] = [
    [`words${words}`, lexical],
    ['meaning', vector],
    ['neighbours', neighbours],
    ['session', session],
    ['speaker', speaker],
  ]
  const shown = parts
    .filter(([, share]) => share >= 0.005)
    .toSorted(([, left], [, right]) => right - left)
    .map(([name, share]) => `${name} ${share.toFixed(2)}`)
  return `why: ${shown.join(', ')}`
}
