import { fileURLToPath } from 'node:url'
import type { DemoQuestion } from './demo-question.js'

/** The owner of conversations that name none. */
export const DEMO_USER = 'nell'

/** A conversation that comes with the command, written for it. */
export const EXAMPLE_FILE = fileURLToPath(new URL('../../examples/cottage.jsonl', import.meta.url))

/** What to ask about it, and which messages hold the answers: found by words, by its neighbour, and by meaning. */
export const EXAMPLE_QUESTIONS: readonly DemoQuestion[] = [
  {
    text: "What makes Nell's throat swell?",
    userId: DEMO_USER,
    expected: ['moving-in-7'],
  },
  {
    text: 'How much did the planks for the boat cost?',
    userId: DEMO_USER,
    expected: ['midsummer-3'],
  },
  {
    text: 'Which relative of the letter writer was found, and where does she live?',
    userId: DEMO_USER,
    expected: ['midsummer-5'],
  },
]
