import { isObject } from './import-record.js'
import { jsonValues } from './json-stream.js'
import { locomoUserId } from './locomo.js'
import { openTextFile } from './text-file.js'

/** A question of a LoCoMo file. */
export interface LocomoQuestion {
  readonly text: string
  readonly category: number
  /** The evidence strings as they stand in the file; some are malformed. */
  readonly evidence: readonly string[]
}

/** A conversation of a LoCoMo file, as far as its questions go. */
export interface LocomoSample {
  readonly sampleId: string
  readonly userId: string
  /** Ids of all turns. */
  readonly turnIds: ReadonlySet<string>
  readonly questions: readonly LocomoQuestion[]
}

/** Reads the questions of a LoCoMo file, conversation by conversation. */
export async function* readLocomoSamples(path: string): AsyncGenerator<LocomoSample> {
  const file = await openTextFile(path)
  const isArray = file.head.trimStart().startsWith('[')
  let number = 0
  for await (const { value } of jsonValues(file.chunks(), [isArray ? '$.*' : '$'])) {
    number += 1
    if (!isObject(value)) continue
    const { sample_id: id, qa, conversation } = value
    const sampleId = typeof id === 'string' ? id : `conversation-${number}`
    yield {
      sampleId,
      userId: locomoUserId(sampleId),
      turnIds: new Set(turnIdsOf(conversation)),
      questions: Array.isArray(qa) ? qa.flatMap(readQuestion) : [],
    }
  }
}

function turnIdsOf(conversation: unknown): readonly string[] {
  if (!isObject(conversation)) return []
  return Object.values(conversation)
    .filter((turns) => Array.isArray(turns))
    .flatMap((turns: readonly unknown[]) => turns)
    .flatMap((turn) =>
      isObject(turn) && typeof turn['dia_id'] === 'string' ? [turn['dia_id']] : [],
    )
}

function readQuestion(value: unknown): readonly LocomoQuestion[] {
  if (!isObject(value) || typeof value['question'] !== 'string') return []
  const { question: text, category, evidence } = value
  return [
    {
      text,
      category: Number(category),
      evidence: Array.isArray(evidence) ? evidence.map(String) : [],
    },
  ]
}
