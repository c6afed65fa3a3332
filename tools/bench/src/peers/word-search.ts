import { pathToFileURL } from 'node:url'
import { installPeer } from './install-peer.js'

/** An index of texts that was built by someone else. */
export interface PeerIndex {
  readonly name: string
  /** Builds an index and returns its search. */
  readonly build: (
    documents: readonly { readonly id: string; readonly text: string }[],
    tokenize: (text: string) => string[],
  ) => (query: string, limit: number) => unknown
}

const ENTRY = `import MiniSearch from 'minisearch'
import { createRequire } from 'node:module'
const wink = createRequire(import.meta.url)('wink-bm25-text-search')
export { MiniSearch, wink }
`

/** What is used of the two packages. */
interface Packages {
  readonly MiniSearch: new (options: object) => {
    addAll(documents: readonly object[]): void
    search(query: string): readonly unknown[]
  }
  readonly wink: () => {
    defineConfig(config: object): void
    definePrepTasks(tasks: readonly ((text: string) => string[])[]): void
    addDoc(fields: object, id: string): void
    consolidate(): void
    search(query: string, limit: number): unknown
  }
}

/** minisearch and wink-bm25-text-search, given the same words of the same texts. */
export async function installWordSearch(peersFolder: string): Promise<readonly PeerIndex[]> {
  const entry = await installPeer(peersFolder, {
    name: 'word-search',
    dependencies: { minisearch: '7.2.0', 'wink-bm25-text-search': '3.1.2' },
    entry: ENTRY,
  })
  const { MiniSearch, wink } = (await import(pathToFileURL(entry).href)) as Packages
  return [
    {
      name: 'minisearch 7.2.0',
      build(documents, tokenize) {
        const index = new MiniSearch({
          fields: ['text'],
          tokenize,
          processTerm: (term: string) => term,
        })
        index.addAll(documents)
        return (query, limit) => index.search(query).slice(0, limit)
      },
    },
    {
      name: 'wink-bm25-text-search 3.1.2',
      build(documents, tokenize) {
        const index = wink()
        index.defineConfig({ fldWeights: { text: 1 }, bm25Params: { k1: 1.2, b: 0.75, k: 1 } })
        index.definePrepTasks([tokenize])
        for (const { id, text } of documents) index.addDoc({ text }, id)
        index.consolidate()
        return (query, limit) => index.search(query, limit)
      },
    },
  ]
}
