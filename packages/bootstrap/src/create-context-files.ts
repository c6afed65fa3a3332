import { silentLogger, systemClock, type Clock, type Logger } from '@loam/core'
import {
  accessFor,
  type Agent,
  type ContextFileVersion,
  type Storage,
  type StoredContextFile,
} from '@loam/storage'
import { deleteContextFile, type DeleteRequest } from './delete-context-file.js'
import { checkContextFile, type ContextFileName } from './file-names.js'
import type { MayEditGroup } from './group-gate.js'
import {
  loadContextFiles,
  type LoadRequest,
  type LoadedContextFiles,
} from './load-context-files.js'
import { ownFiles } from './own-files.js'
import { putChecked, type FileCheck } from './put-checked.js'
import { readContextFile, type ReadRequest } from './read-context-file.js'
import {
  checkAgentLevel,
  checkRitual,
  checkUserLevel,
  endRitual,
  writeContextFile,
  type WriteRequest,
  type WriteResult,
} from './write-context-file.js'

/** What context files work with. */
export interface ContextFilesOptions {
  readonly storage: Pick<Storage, 'transaction' | 'lastErasure'>
  /** Who may change the files of a group. Default: those whom the agent's settings name. */
  readonly mayEditGroup?: MayEditGroup | undefined
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined
  /** Default: silent. */
  readonly logger?: Logger | undefined
}

/** One file of one owner: the agent (`userId` `''`) or a user. */
export interface FilePlace {
  readonly tenantId: string
  readonly agentId: string
  readonly userId: string
  readonly name: ContextFileName
}

/** A file that a user of an agent has, and where it comes from. */
export interface MergedFile {
  readonly file: StoredContextFile
  readonly origin: 'agent' | 'user'
}

/** The context files of agents in a store. */
export interface ContextFiles {
  /** What a turn's prompt has: see `LoadRequest`. */
  load(request: LoadRequest): Promise<LoadedContextFiles>
  /** Reads as the agent's own tool; see `readContextFile`. */
  read(request: ReadRequest & { readonly tenantId: string }): Promise<StoredContextFile | undefined>
  /** Writes as the agent's own tool; see `writeContextFile`. */
  write(request: Omit<WriteRequest, 'now'> & { readonly tenantId: string }): Promise<WriteResult>
  /** The files that a user has: their own, and the agent's where they have none. */
  merged(
    tenantId: string,
    agent: Pick<Agent, 'id' | 'type'>,
    userId: string,
  ): Promise<readonly MergedFile[]>
  /** Reads exactly that file, as an operator. */
  find(place: FilePlace): Promise<StoredContextFile | undefined>
  /** Writes exactly that file, as an operator: without the rules for the agent's tool; `check` may refuse what it says at present. */
  put(place: FilePlace, content: string, check?: FileCheck): Promise<StoredContextFile>
  /** Deletes exactly that file, as an operator. Returns false when there is none. */
  delete(place: FilePlace): Promise<boolean>
  /** Deletes a user's own file, by the rules for the agent's tool; see `deleteContextFile`. */
  remove(request: Omit<DeleteRequest, 'now'> & { readonly tenantId: string }): Promise<boolean>
  /** What the file said before, newest first. */
  versions(place: FilePlace): Promise<readonly ContextFileVersion[]>
}

/**
 * Composes the context files of a store: read and written by one set of rules, seeded at first meetings.
 *
 * @example
 * const contextFiles = createContextFiles({ storage })
 * const { files } = await contextFiles.load({ tenantId, agent, userId: 'ana', sessionKind: 'direct' })
 */
export function createContextFiles(options: ContextFilesOptions): ContextFiles {
  const { storage, mayEditGroup, clock = systemClock, logger = silentLogger } = options
  return {
    load: (request) => loadContextFiles({ storage, clock, logger }, request),
    read: ({ tenantId, ...request }) =>
      storage.transaction(
        { tenantId, userId: request.userId },
        (stores) => readContextFile(stores, request),
        { readOnly: true },
      ),
    write: ({ tenantId, ...request }) => {
      const { agent, userId, sinceErasure } = request
      const access = accessFor({ tenantId, agentId: agent.id, userId, sinceErasure })
      return storage.transaction(access, (stores) =>
        writeContextFile(stores, { ...request, now: clock.now() }, mayEditGroup),
      )
    },
    async merged(tenantId, agent, userId) {
      const [shared, own] = await storage.transaction(
        { tenantId, userId },
        ({ contextFiles }) =>
          Promise.all([
            contextFiles.list(agent.id, ''),
            userId === '' ? [] : contextFiles.list(agent.id, userId),
          ]),
        { readOnly: true },
      )
      const mine = ownFiles(agent, own)
      const names = new Set(mine.map(({ name }) => name))
      return [
        ...mine.map((file) => ({ file, origin: 'user' as const })),
        ...shared
          .filter(({ name }) => !names.has(name))
          .map((file) => ({ file, origin: 'agent' as const })),
      ].toSorted((a, b) => (a.file.name < b.file.name ? -1 : 1))
    },
    find: ({ tenantId, agentId, userId, name }) =>
      storage.transaction(
        { tenantId, userId },
        ({ contextFiles }) => contextFiles.find(agentId, userId, name),
        { readOnly: true },
      ),
    async put({ tenantId, agentId, userId, name }, content, check) {
      checkContextFile(name, content)
      if (userId === '') checkAgentLevel(name)
      else checkUserLevel(name)
      return await storage.transaction({ tenantId, userId }, async (stores) => {
        if (name === 'BOOTSTRAP.md') await checkRitual(stores, agentId, userId)
        return await putChecked(stores, { agentId, userId, name, content }, check)
      })
    },
    delete: ({ tenantId, agentId, userId, name }) =>
      storage.transaction({ tenantId, userId }, (stores) =>
        name === 'BOOTSTRAP.md' && userId !== ''
          ? endRitual(stores, { agentId, userId, now: clock.now() })
          : stores.contextFiles.delete(agentId, userId, name),
      ),
    remove: ({ tenantId, ...request }) =>
      storage.transaction({ tenantId, userId: request.userId }, (stores) =>
        deleteContextFile(stores, { ...request, now: clock.now() }, mayEditGroup),
      ),
    versions: ({ tenantId, agentId, userId, name }) =>
      storage.transaction(
        { tenantId, userId },
        ({ contextFiles }) => contextFiles.versions(agentId, userId, name),
        { readOnly: true },
      ),
  }
}
