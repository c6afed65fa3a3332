/** Which part of a list is wanted. */
export interface PageRequest {
  /** Most items to return, 1 to 200. */
  readonly limit: number
  /** `nextCursor` of the page before; undefined for the first page. */
  readonly cursor?: string | undefined
}

/** One part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Present when there is more. Opaque. */
  readonly nextCursor?: string
}
