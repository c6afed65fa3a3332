import type { StandardSchemaV1 } from '@modelcontextprotocol/server'

interface ListParams {
  readonly cursor?: string | undefined
}

/**
 * What may be said in a request for a list. Checked here, since the SDK blames itself for what a client sends, in words for
 * programmers. The list has one page, so that any cursor leads to it.
 */
export const listParams: StandardSchemaV1<ListParams, ListParams> = {
  '~standard': {
    version: 1,
    vendor: 'loam',
    validate(value) {
      const { cursor } = value as { readonly cursor?: unknown }
      if (cursor === undefined || typeof cursor === 'string') return { value: { cursor } }
      return { issues: [{ path: ['cursor'], message: 'Must be a text, or left out' }] }
    },
  },
}
