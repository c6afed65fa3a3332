import {
  InvalidInputError,
  LimitError,
  LoamError,
  ModelError,
  systemClock,
  silentLogger,
  toStorableText,
  toldToCallers,
  type ChatModel,
  type Clock,
  type Logger,
} from '@loam/core'
import type { Agent, Storage, StoredContextFile, Summon, SummonedFile } from '@loam/storage'
import { headOf } from '@loam/text'
import { SUMMONED_FILE_NAMES, type ContextFile } from './file-names.js'
import { fieldOf, withField } from './identity-fields.js'
import { parseSummonOutput, type SummonOutput } from './parse-summon-output.js'
import { HAS_OWN_TEXT, storeSummon, type SummonPlan, type WrittenFiles } from './store-summon.js'
import { regenerateMessages, summonMessages } from './summon-prompt.js'
import { templateOf, templates } from './templates/index.js'

/** What summoning works with. */
export interface SummonAgentOptions {
  readonly storage: Pick<Storage, 'transaction'>
  /** Undefined: the templates stay, and the record says why. */
  readonly chat: ChatModel | undefined
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined
  /** Default: silent. */
  readonly logger?: Logger | undefined
}

/** Which summon is to be done. */
export interface SummonJob {
  readonly tenantId: string
  readonly agentId: string
  /** An older one than the newest is not done. */
  readonly generation: number
}

// Spec 01, 3.1.
const TIMEOUT_MS = 300_000
const MAX_OUTPUT_TOKENS = 8_192
const TEMPERATURE = 0.7
const MAX_EXPERTISE_LENGTH = 200

/**
 * Lets a model write an agent's files, in one call, and stores all of them in one transaction. Whatever goes wrong, the
 * agent is active in the end, with what it had before or its templates; the record of the summon says what happened.
 *
 * Doing it again, or late, changes nothing: only the newest generation that is still running is stored.
 *
 * @throws LimitError when the tenant's day has no room for the call; the work waits and is done later.
 */
export async function summonAgent(
  options: SummonAgentOptions,
  { tenantId, agentId, generation }: SummonJob,
  { signal, jobId }: { readonly signal?: AbortSignal; readonly jobId?: string } = {},
): Promise<void> {
  const { storage, chat, clock = systemClock, logger = silentLogger } = options
  const access = { tenantId, userId: '' }
  const found = await storage.transaction(
    access,
    async (stores) => {
      const [agent, summon, files] = await Promise.all([
        stores.agents.find(agentId),
        stores.summons.find(agentId),
        stores.contextFiles.list(agentId, ''),
      ])
      return agent && summon && { agent, summon, files }
    },
    { readOnly: true },
  )
  if (found?.summon.generation !== generation || found.summon.state !== 'running') return
  await storeSummon(storage, {
    tenantId,
    plan: found,
    written: await writtenFor(found),
    now: () => clock.now(),
  })

  async function writtenFor(present: SummonPlan): Promise<WrittenFiles> {
    const own = ownTexts(present)
    if (own.length === SUMMONED_FILE_NAMES.length) return { files: [], report: own }
    try {
      return await ask(present)
    } catch (error) {
      if (signal?.aborted || LimitError.isInstance(error)) throw error
      const failure = describe(error)
      const fields = { agentId, ...failure, error }
      logger.warn('The files of an agent were not written by the model.', fields)
      return { files: [], report: [], failure }
    }
  }

  async function ask(present: SummonPlan): Promise<WrittenFiles> {
    if (!chat) throw new NoModel()
    const answer = await chat.chat(
      {
        messages: messagesFor(present),
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        temperature: TEMPERATURE,
        timeoutMs: TIMEOUT_MS,
      },
      { scope: { tenantId, agentId, userId: '' }, task: 'agent.summon', jobId, signal },
    )
    return choose(present, parseSummonOutput(answer.text, { finishReason: answer.finishReason }))
  }
}

function messagesFor({ summon, files }: SummonPlan) {
  if (summon.kind === 'regenerate') {
    const current = files.filter(({ name }) => SUMMONED_FILE_NAMES.some((known) => known === name))
    return regenerateMessages({ files: current, instruction: summon.instruction })
  }
  return summonMessages({ description: summon.instruction, templates })
}

/** The files that are left alone since somebody wrote them: an edit by instruction leaves none. */
function ownTexts({ agent, summon, files }: SummonPlan): readonly SummonedFile[] {
  if (summon.kind === 'regenerate') return []
  return SUMMONED_FILE_NAMES.filter((name) => {
    const file = files.find((candidate) => candidate.name === name)
    return !isTemplate(file, agent)
  }).map((name) => ({ name, outcome: 'kept', reason: HAS_OWN_TEXT }))
}

/** Takes from an answer what may be stored: an edit names the files that it changes, the others leave what was written by hand. */
function choose(plan: SummonPlan, output: SummonOutput): WrittenFiles {
  const { agent, summon } = plan
  const own = new Map(ownTexts(plan).map((file) => [file.name, file]))
  const named = renamed(agent, output.files)
  const accepted = named
    .filter(({ name }) => !own.has(name))
    .map((file) => ({
      name: file.name,
      content: toStorableText(file.content),
    }))
  const problems = new Map(output.problems.map(({ name, reason }) => [name, reason]))
  const report: SummonedFile[] = SUMMONED_FILE_NAMES.flatMap((name): SummonedFile[] => {
    if (accepted.some((file) => file.name === name)) return [{ name, outcome: 'written' }]
    const kept = own.get(name)
    if (kept) return [kept]
    const reason = problems.get(name)
    // What an edit leaves out is to stay as it is.
    if (summon.kind === 'regenerate' && reason === undefined) return []
    return [{ name, outcome: 'kept', reason: reason ?? 'The model did not write it.' }]
  })
  const identity = accepted.find(({ name }) => name === 'IDENTITY.md')
  return {
    files: accepted,
    report,
    expertise: expertiseOf(summon, output),
    displayName: identity && (fieldOf(identity.content, 'Name') || undefined),
  }
}

/** A name that the agent's maker gave it stands above the one that the model chose. */
function renamed({ displayName }: Agent, files: readonly ContextFile[]): readonly ContextFile[] {
  if (displayName === undefined) return files
  return files.map((file) =>
    file.name === 'IDENTITY.md'
      ? { ...file, content: withField(file.content, 'Name', displayName) }
      : file,
  )
}

function isTemplate(file: StoredContextFile | undefined, agent: Agent): boolean {
  const content = file?.content.trim() ?? ''
  return (
    content === '' || (file !== undefined && content === templateOf(file.name, agent.type).trim())
  )
}

function expertiseOf({ kind, instruction }: Summon, { expertise }: SummonOutput) {
  if (expertise !== undefined) return toStorableText(expertise)
  if (kind === 'regenerate') return undefined
  return instruction.length <= MAX_EXPERTISE_LENGTH
    ? instruction
    : `${headOf(instruction, MAX_EXPERTISE_LENGTH - 1).trimEnd()}…`
}

/** There is nobody to ask. */
class NoModel extends Error {}

function describe(error: unknown): NonNullable<Summon['error']> {
  if (error instanceof NoModel) {
    const message =
      'No chat model is configured, so the agent has its templates. Set LOAM_CHAT_MODEL and summon it again, or edit its files.'
    return { code: 'no_model', message }
  }
  if (InvalidInputError.isInstance(error)) {
    return { code: 'unusable_answer', message: error.message }
  }
  if (ModelError.isInstance(error)) return { code: error.code, message: toldToCallers(error) }
  if (LoamError.isInstance(error)) return { code: error.code, message: error.message }
  return { code: 'internal', message: 'The files could not be written.' }
}
