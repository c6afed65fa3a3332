import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { marked, type Token } from 'marked'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../../workspace/root.mjs'
import { workspacePackages } from './workspace-packages.js'

const inFolder = (folder: string, options = { recursive: false }) =>
  readdirSync(join(repositoryRoot, folder), { ...options, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))

const documents = [
  ...inFolder('.'),
  ...inFolder('docs', { recursive: true }),
  ...workspacePackages.flatMap(({ folder }) => inFolder(folder)),
]

/** The links and pictures of a document that stay within the repository, without their `#…`. */
function relativeLinks(markdown: string): string[] {
  const links: string[] = []
  const collect = (token: Token) => {
    if (token.type === 'link' || token.type === 'image') links.push(String(token['href']))
  }
  // The list that it returns is of what asynchronous callbacks answer; this one is none.
  void marked.walkTokens(marked.lexer(markdown), collect)
  return links
    .filter((href) => !/^[a-z][a-z\d+.-]*:|^#/i.test(href))
    .map((href) => decodeURI(href.replace(/[?#].*$/, '')))
}

describe('relativeLinks', () => {
  it('finds links and pictures, and neither code nor addresses', () => {
    const markdown =
      '[a](docs/a.md#part) ![b](b%20c.png) [c](https://example.com) [d](#here) `[e](e.md)`\n\n' +
      '```\n[f](f.md)\n```\n\n[g][1]\n\n[1]: ../g/'
    expect(relativeLinks(markdown)).toEqual(['docs/a.md', 'b c.png', '../g/'])
  })
})

describe('links in documents', () => {
  it.each(documents)('of %s lead to something that exists', (document) => {
    const folder = dirname(join(repositoryRoot, document))
    const broken = relativeLinks(readFileSync(join(repositoryRoot, document), 'utf8')).filter(
      (href) => !existsSync(resolve(folder, href)),
    )
    expect(broken).toEqual([])
  })
})
