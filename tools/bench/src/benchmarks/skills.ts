import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSkillCatalog, createSkillIndex, readSkillFolder } from '@loam/skills'
import { tokenize } from '@loam/text'
import { parse } from 'yaml'
import { compare, type Comparison, type Side } from '../comparison.js'
import type { Corpus } from '../corpus.js'
import { installWordSearch, type PeerIndex } from '../peers/word-search.js'
import { quantile } from '../statistics.js'
import type { Benchmark, BenchmarkOptions } from './benchmark.js'

const SEARCHED_SKILLS = 10_000
const QUERIES = 500
const LOADED_SKILLS = 2_000
const LIMIT = 5

/** Searching ten thousand skills beside two search libraries, and loading two thousand files beside reading them. */
export const skills: Benchmark = async (options) => {
  const { peersFolder } = options
  const peers = peersFolder === undefined ? [] : await installWordSearch(peersFolder)
  return [...(await compareSearch(options, peers)), ...(await compareFolders(options))]
}

type Builder = PeerIndex

const own: Builder = {
  name: 'createSkillIndex',
  build(documents) {
    const index = createSkillIndex(
      documents.map(({ id, text }) => ({ slug: id, name: '', description: text })),
    )
    return (query, limit) => index.search(query, limit)
  },
}

async function compareSearch(
  { world, sizes, onProgress }: BenchmarkOptions,
  peers: readonly PeerIndex[],
): Promise<readonly Comparison[]> {
  const documents = Array.from({ length: SEARCHED_SKILLS }, (_, index) => ({
    id: `skill-${index}`,
    text: textOf(world.corpus, index),
  }))
  const queries = Array.from({ length: QUERIES }, (_, index) =>
    textOf(world.corpus, index * 7)
      .split(' ')
      .slice(0, 2 + (index % 4))
      .join(' '),
  )
  const building = (builder: Builder): Side => ({
    name: builder.name,
    measure: () => Promise.resolve(timeOf(() => builder.build(documents, tokenize)).ms),
  })
  const searching = (builder: Builder, share: number): Side => {
    let search: ReturnType<Builder['build']> | undefined
    return {
      name: builder.name,
      measure() {
        search ??= builder.build(documents, tokenize)
        const ready = search
        const times = queries.map((query) => timeOf(() => ready(query, LIMIT)).ms * 1_000)
        return Promise.resolve(quantile(times, share))
      },
    }
  }
  const remembering = (builder: Builder): Side => ({
    name: builder.name,
    measure: () => Promise.resolve(memoryOf(() => builder.build(documents, tokenize))),
  })
  const of = (side: (builder: Builder) => Side) => ({ ours: [side(own)], theirs: peers.map(side) })
  const shared = { better: 'lower', target: 1, rounds: sizes.rounds, onProgress } as const
  return [
    await compare({
      ...shared,
      title: 'Search of 10,000 skills, p50',
      unit: 'µs',
      ...of((builder) => searching(builder, 0.5)),
    }),
    await compare({
      ...shared,
      title: 'Search of 10,000 skills, p95',
      unit: 'µs',
      ...of((builder) => searching(builder, 0.95)),
    }),
    await compare({
      ...shared,
      title: 'Index of 10,000 skills, built',
      unit: 'ms',
      ...of(building),
    }),
    await compare({
      ...shared,
      title: 'Index of 10,000 skills, memory',
      unit: 'MiB',
      ...of(remembering),
    }),
  ]
}

async function compareFolders({
  world,
  sizes,
  onProgress,
}: BenchmarkOptions): Promise<readonly Comparison[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-bench-skills-'))
  try {
    for (let index = 0; index < LOADED_SKILLS; index += 1) {
      await mkdir(join(folder, `skill-${index}`))
      await writeFile(join(folder, `skill-${index}`, 'SKILL.md'), fileOf(world.corpus, index))
    }
    const shared = { unit: 'ms', better: 'lower', rounds: sizes.rounds, onProgress } as const
    return [
      await compare({
        ...shared,
        title: '2,000 files SKILL.md, loaded',
        target: 2,
        ours: [timed('readSkillFolder', () => readSkillFolder({ source: 'global', root: folder }))],
        theirs: [timed('the same files read, their YAML parsed', () => readAndParse(folder))],
      }),
      await compare({
        ...shared,
        title: 'A changed SKILL.md of 2,000, until it is served',
        target: 1_000,
        ours: [{ name: 'createSkillCatalog', measure: (round) => timeUntilServed(folder, round) }],
        theirs: [],
      }),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readAndParse(folder: string): Promise<number> {
  const names = await readdir(folder)
  const files = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name, 'SKILL.md'), 'utf8')
      return parse(text.split('\n---\n', 1)[0]?.slice(4) ?? '') as unknown
    }),
  )
  return files.length
}

async function timeUntilServed(folder: string, round: number): Promise<number> {
  const catalog = createSkillCatalog({ global: folder })
  try {
    await catalog.watch()
    const path = join(folder, 'skill-7', 'SKILL.md')
    const before = await readFile(path, 'utf8')
    const description = `changed ${round} `
    const started = performance.now()
    await writeFile(path, before.replace('description: ', `description: ${description}`))
    const isServed = async () =>
      (await catalog.find('skill-7'))?.description.startsWith(description) === true
    while (!(await isServed())) await delay(5)
    const took = performance.now() - started
    await writeFile(path, before)
    return took
  } finally {
    await catalog.close()
  }
}

function timed(name: string, work: () => Promise<unknown>): Side {
  return {
    name,
    async measure() {
      const started = performance.now()
      await work()
      return performance.now() - started
    },
  }
}

function timeOf<Result>(work: () => Result): { readonly ms: number; readonly result: Result } {
  const started = performance.now()
  const result = work()
  return { ms: performance.now() - started, result }
}

/** What is still there of a result after the garbage has been collected, in MiB. */
function memoryOf(work: () => unknown): number {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const used = () => {
    gc()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const before = used()
  const kept = work()
  const after = used()
  if (kept === undefined) throw new Error('There is nothing to measure.')
  return (after - before) / 2 ** 20
}

function textOf(corpus: Corpus, index: number): string {
  const [message] = corpus.messages(index, 1)
  return (message?.content ?? '')
    .replaceAll(/[\n:#"'{}[\]]/g, ' ')
    .slice(0, 300)
    .trim()
}

function fileOf(corpus: Corpus, index: number): string {
  return `---
name: skill-${index}
description: ${textOf(corpus, index)}
license: MIT
metadata:
  author: bench
  version: "1.0"
---
# Skill ${index}

${textOf(corpus, index + 1)}
`
}
