import { StorageUnavailableError, type Clock, type Logger } from '@loam/core'
import {
  accessFor,
  type Access,
  type Agent,
  type AgentUser,
  type SessionKind,
  type Storage,
  type StoredContextFile,
  type Stores,
} from '@loam/storage'
import { CONTEXT_FILE_NAMES, type ContextFile } from './file-names.js'
import { mergeContextFiles } from './merge.js'
import { ownFiles } from './own-files.js'
import { countRitualTurn, endsWithNextTurn, type RitualTurn } from './ritual.js'
import { filesFor, seedUserFiles, type KnownUser } from './seed-user-files.js'
import { selectContextFiles } from './select.js'
import { readContextFileSettings } from './settings.js'
import { truncateContextFiles, type TruncatedContextFile } from './truncate.js'

/** Whose files are wanted, and for what. */
export interface LoadRequest {
  readonly tenantId: string
  readonly agent: Pick<Agent, 'id' | 'type' | 'settings'>
  /** `''` is nobody in particular: the agent's own files alone. */
  readonly userId: string
  /** A promise if it is still being looked up, which need not keep the files waiting. */
  readonly sessionKind: SessionKind | PromiseLike<SessionKind>
  /**
   * Names the turn that the files are for; the same for one that is told twice. The first three turns of a first meeting
   * are counted by it. Default: nothing is counted.
   */
  readonly turnId?: string | undefined
  /** What the channel knows of the user. */
  readonly known?: KnownUser | undefined
  /** Shows what a turn would have, and changes nothing. Default false. */
  readonly preview?: boolean | undefined
  /** When the work began; see `Scope.sinceErasure`. Default: now. */
  readonly sinceErasure?: number | undefined
}

/** A file as a prompt has it, and whose it is. */
export interface LoadedContextFile extends TruncatedContextFile {
  readonly origin: 'agent' | 'user'
}

/** What an agent is to one user in one kind of session. */
export interface LoadedContextFiles {
  readonly files: readonly LoadedContextFile[]
  /** Names of files that there are and this session does not have. */
  readonly unavailable: readonly string[]
  /** Whether this is the first meeting, with `BOOTSTRAP.md` among the files. */
  readonly isFirstRun: boolean
  /** A note for the model, to be appended to the conversation as a message of the user's role. */
  readonly nudge?: string | undefined
  /** What a person should know: files that were cut, settings that are not valid. */
  readonly warnings: readonly string[]
}

/** What loading works with. */
export interface LoadOptions {
  readonly storage: Pick<Storage, 'transaction' | 'lastErasure'>
  readonly clock: Clock
  readonly logger: Logger
}

const SEED_ATTEMPTS = 3
const SEED_PAUSE_MS = 500

/** Loads the files of a turn: seeded at the first meeting, merged, selected for the session, and cut to their limits. */
export async function loadContextFiles(
  options: LoadOptions,
  given: LoadRequest,
): Promise<LoadedContextFiles> {
  // What is read here is not written back when the user is erased meanwhile.
  const request = { ...given, sinceErasure: given.sinceErasure ?? options.storage.lastErasure() }
  const { agent, userId } = request
  const { settings, issues } = readContextFileSettings(agent.settings)
  const warnings = issues.map(
    ({ path, message }) => `The setting ${path} is not valid, and has its default: ${message}.`,
  )
  const [state, sessionKind] = await Promise.all([
    prepared(options, request, warnings),
    request.sessionKind,
  ])
  const turn = await ritualTurn(options, request, sessionKind, state)
  const own = ownFiles(agent, state.own).filter(
    ({ name }) => name !== 'BOOTSTRAP.md' || !turn.ended,
  )
  const names = new Set(own.map(({ name }) => name))
  const merged = inLoadOrder(mergeContextFiles(inLoadOrder(state.shared), own))
  const { files: selected, unavailable } = selectContextFiles(merged, sessionKind)
  const files = truncateContextFiles(selected, settings.limits).map((file) => ({
    ...file,
    origin: names.has(file.name) ? ('user' as const) : ('agent' as const),
  }))
  for (const { name, truncated, originalLength } of files) {
    if (truncated) warnings.push(`${name} was cut: it has ${originalLength} characters.`)
  }
  for (const { name } of selected.filter(({ content }) => content.trim() !== '')) {
    if (files.every((file) => file.name !== name))
      warnings.push(`${name} was left out: the files before it fill the limit.`)
  }
  return {
    files,
    unavailable,
    isFirstRun: userId !== '' && files.some(({ name }) => name === 'BOOTSTRAP.md'),
    nudge: turn.nudge,
    warnings,
  }
}

/** What is stored of an agent and one of its users. */
interface State {
  readonly shared: readonly StoredContextFile[]
  readonly own: readonly ContextFile[]
  readonly user: AgentUser | undefined
}

async function readState(
  { contextFiles, agentUsers }: Pick<Stores, 'contextFiles' | 'agentUsers'>,
  agentId: string,
  userId: string,
): Promise<State> {
  const [shared, own, user] = await Promise.all([
    contextFiles.list(agentId, ''),
    userId === '' ? [] : contextFiles.list(agentId, userId),
    userId === '' ? undefined : agentUsers.find(agentId, userId),
  ])
  return { shared, own, user }
}

/** The stored files; at a first meeting they are written first, or, when that fails, made up for this turn alone. */
async function prepared(
  { storage, clock, logger }: LoadOptions,
  { tenantId, agent, userId, known, preview = false, sinceErasure }: LoadRequest,
  warnings: string[],
): Promise<State> {
  const access: Access = { tenantId, userId }
  const writingAccess = accessFor({ tenantId, agentId: agent.id, userId, sinceErasure })
  const read = (stores: Stores) => readState(stores, agent.id, userId)
  const state = await storage.transaction(access, read, { readOnly: true })
  if (!isToBeSeeded(state, agent, userId)) return state
  if (!preview) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await storage.transaction(writingAccess, async (stores) => {
          await seedUserFiles(stores, { agent, userId, known, now: clock.now() })
          return await read(stores)
        })
      } catch (error) {
        if (!StorageUnavailableError.isInstance(error)) throw error
        if (attempt === SEED_ATTEMPTS) break
        await new Promise((resolve) => {
          setTimeout(resolve, SEED_PAUSE_MS)
        })
      }
    }
    logger.warn('The files of a new user could not be stored; this turn has the templates.', {
      agentId: agent.id,
    })
    warnings.push('The files of a new user could not be stored; this turn has the templates.')
  }
  return {
    ...state,
    own: filesFor({ agent, shared: state.shared, userId, user: state.user, known }),
  }
}

function isToBeSeeded(
  { user, own }: State,
  { type }: Pick<Agent, 'type'>,
  userId: string,
): boolean {
  if (userId === '') return false
  if (user === undefined) return true
  return own.length === 0 && (type === 'open' || user.onboardedAt === undefined)
}

async function ritualTurn(
  { storage, clock }: LoadOptions,
  { tenantId, agent, userId, turnId, preview, sinceErasure }: LoadRequest,
  sessionKind: SessionKind,
  { own, shared, user }: State,
): Promise<RitualTurn> {
  const isMeeting =
    userId !== '' && sessionKind === 'direct' && own.some(({ name }) => name === 'BOOTSTRAP.md')
  if (!isMeeting) return { ended: false }
  if (preview) return { ended: endsWithNextTurn(user) }
  if (turnId === undefined) return { ended: false }
  const access = accessFor({ tenantId, agentId: agent.id, userId, sinceErasure })
  return await storage.transaction(access, (stores) =>
    countRitualTurn(stores, { agent, userId, turnId, files: own, shared, now: clock.now() }),
  )
}

function inLoadOrder<File extends ContextFile>(files: readonly File[]): File[] {
  const place = ({ name }: File) => CONTEXT_FILE_NAMES.findIndex((known) => known === name)
  return files.toSorted((a, b) => place(a) - place(b))
}
