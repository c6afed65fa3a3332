/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Present when there is more. */
  readonly nextCursor?: string | undefined
}

/**
 * All items of a list, asked for page by page as they are read.
 *
 * @example
 * for await (const agent of everyItem((page) => client.listAgents(page))) console.log(agent.key)
 */
export async function* everyItem<Item>(
  list: (page: { readonly cursor?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | undefined
  do {
    const page = await list(cursor === undefined ? {} : { cursor })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
