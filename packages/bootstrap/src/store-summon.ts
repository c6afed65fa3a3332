import type {
  Agent,
  Storage,
  StoredContextFile,
  Summon,
  SummonOutcome,
  SummonedFile,
} from '@loam/storage'
import type { ContextFile } from './file-names.js'

/** What there was when a model was asked. */
export interface SummonPlan {
  readonly agent: Agent
  readonly summon: Summon
  readonly files: readonly StoredContextFile[]
}

/** What is to be stored of an answer, and what is to be told of it. */
export interface WrittenFiles {
  readonly files: readonly ContextFile[]
  readonly report: readonly SummonedFile[]
  readonly failure?: Summon['error']
  readonly expertise?: string | undefined
  /** For an agent that has no name. */
  readonly displayName?: string | undefined
}

/** Why a file is not written that was nobody's to write. */
export const HAS_OWN_TEXT = 'It has a text of its own.'
const CHANGED_MEANWHILE = 'It was changed while the model wrote.'

/**
 * Stores what a model wrote, and how that went, in one transaction; nothing when the summon was cancelled or begun anew. What
 * somebody changed while the model wrote stays as they left it.
 */
export async function storeSummon(
  storage: Pick<Storage, 'transaction'>,
  {
    tenantId,
    plan,
    written,
    now,
  }: {
    readonly tenantId: string
    readonly plan: SummonPlan
    readonly written: WrittenFiles
    readonly now: () => Date
  },
): Promise<void> {
  const { id: agentId } = plan.agent
  const { expertise } = written
  await storage.transaction({ tenantId, userId: '' }, async (stores) => {
    const agent = await stores.agents.lock(agentId)
    const summon = await stores.summons.find(agentId)
    // Whoever begins or cancels one holds the agent too, so that this stays true until the end.
    const isWanted = summon?.state === 'running' && summon.generation === plan.summon.generation
    if (!agent || !isWanted) return
    const kept = new Set<string>()
    for (const file of written.files) {
      const before = plan.files.find(({ name }) => name === file.name)
      const replaced = await stores.contextFiles.replace({ agentId, userId: '', ...file }, before)
      if (!replaced) kept.add(file.name)
    }
    const report = written.report.map((file): SummonedFile =>
      kept.has(file.name) ? { name: file.name, outcome: 'kept', reason: CHANGED_MEANWHILE } : file,
    )
    const outcome = outcomeOf(report, written.failure, now())
    await stores.summons.finish(agentId, plan.summon.generation, outcome)
    const displayName = kept.has('IDENTITY.md') ? undefined : written.displayName
    await stores.agents.update(agentId, {
      status: 'active',
      ...(expertise !== undefined && { expertise }),
      ...(agent.displayName === undefined && displayName !== undefined && { displayName }),
    })
  })
}

function outcomeOf(
  files: readonly SummonedFile[],
  error: Summon['error'],
  finishedAt: Date,
): SummonOutcome {
  if (error) return { state: 'failed', files, error, finishedAt }
  const isPartial = files.some(
    ({ outcome, reason }) => outcome === 'kept' && reason !== HAS_OWN_TEXT,
  )
  return { state: isPartial ? 'partial' : 'completed', files, finishedAt }
}
