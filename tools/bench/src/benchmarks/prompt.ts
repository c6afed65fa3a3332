import { buildSystemPrompt, type SystemPromptInput } from '@loam/prompt'
import { estimateTokens } from '@loam/text'
import { compare } from '../comparison.js'
import type { Corpus } from '../corpus.js'
import { quantile } from '../statistics.js'
import type { Benchmark } from './benchmark.js'

const BUILDS = 2_000
/** What the limits of the files leave room for. */
const FILES_LENGTH = 24_000
const FILE_NAMES = [
  'AGENTS.md',
  'SOUL.md',
  'TOOLS.md',
  'IDENTITY.md',
  'USER.md',
  'USER_PREDEFINED.md',
  'MEMORY.md',
  'A.md',
  'B.md',
  'C.md',
]
const VIRTUAL_FILE_NAMES = ['DELEGATION.md', 'TEAM.md', 'AVAILABILITY.md']
const SKILLS = 20
const TOOLS = 20

/** The median time of building a prompt of thirteen full files and twenty skills, against joining and counting the same texts. */
export const prompt: Benchmark = async ({ world, sizes, onProgress }) => {
  const input = inputOf(world.corpus)
  const texts = textsOf(input)
  return [
    await compare({
      title: 'A prompt of thirteen files and twenty skills, p50',
      unit: 'µs',
      better: 'lower',
      target: 3,
      ours: [side('buildSystemPrompt', () => buildSystemPrompt(input).text.length)],
      theirs: [
        side('the same texts joined and counted', () => {
          const text = texts.join('\n')
          return text.length + estimateTokens(text)
        }),
      ],
      rounds: sizes.rounds,
      onProgress,
    }),
  ]
}

function side(name: string, build: () => number) {
  return {
    name,
    measure() {
      const times: number[] = []
      let sum = 0
      for (let count = 0; count < BUILDS; count += 1) {
        const started = performance.now()
        sum += build()
        times.push((performance.now() - started) * 1_000)
      }
      if (sum === 0) throw new Error(`${name} made nothing.`)
      return Promise.resolve(quantile(times, 0.5))
    },
  }
}

function inputOf(corpus: Corpus): SystemPromptInput {
  const length = Math.floor(FILES_LENGTH / (FILE_NAMES.length + VIRTUAL_FILE_NAMES.length))
  const words = corpus
    .messages(0, 2_000)
    .map(({ content }) => content)
    .join('\n')
  const textOf = (index: number) => words.slice(index * length, (index + 1) * length)
  const lineOf = (index: number) => textOf(index).replaceAll('\n', ' ')
  return {
    agent: { key: 'bench', type: 'predefined' },
    order: 'cache',
    user: { id: 'ana', displayName: 'Ana' },
    channel: { platform: 'telegram', kind: 'group', title: 'The garden' },
    time: { now: new Date(), timezone: 'Europe/Berlin' },
    tools: Array.from({ length: TOOLS }, (_, index) => ({
      name: `tool_${index}`,
      description: lineOf(40 + index).slice(0, 120),
    })),
    skills: {
      mode: 'inline',
      available: Array.from({ length: SKILLS }, (_, index) => ({
        slug: `skill-${index}`,
        name: `Skill ${index}`,
        description: lineOf(70 + index).slice(0, 150),
      })),
    },
    contextFiles: FILE_NAMES.map((name, index) => ({
      name,
      content: textOf(index),
      origin: index < 7 ? 'agent' : 'user',
    })),
    virtualFiles: VIRTUAL_FILE_NAMES.map((name, index) => ({ name, content: textOf(20 + index) })),
  }
}

/** Everything that the caller gives, and the texts of the sections themselves. */
function textsOf(input: SystemPromptInput): readonly string[] {
  const own = buildSystemPrompt({ ...input, contextFiles: [], virtualFiles: [], tools: [] }).text
  return [
    own,
    ...(input.contextFiles ?? []).map(({ content }) => content),
    ...(input.virtualFiles ?? []).map(({ content }) => content),
    ...(input.tools ?? []).map(({ name, description = '' }) => `${name}: ${description}`),
  ]
}
