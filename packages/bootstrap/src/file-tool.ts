import type { StoredContextFile } from '@loam/storage'
import { contextFilePath } from './context-file-path.js'
import type { ContextFiles } from './create-context-files.js'
import type { ReadRequest } from './read-context-file.js'
import type { WriteRequest, WriteResult } from './write-context-file.js'

/** What a file tool gives for a path. */
interface ToolPath {
  readonly tenantId: string
  readonly path: string
  /** Folder of the agent's other files, absolute; a path directly in it may name a context file. */
  readonly workspace?: string | undefined
}

/** What a path leads to, when an agent's tool reads it. */
export type ToolRead =
  | { readonly kind: 'file'; readonly file: StoredContextFile | undefined }
  /** A virtual file; the text is the tool's answer. */
  | { readonly kind: 'notice'; readonly text: string }
  /** Not a context file: the tool goes on to wherever its files are. */
  | { readonly kind: 'other' }

/** What came of a path that an agent's tool writes. */
export type ToolWrite = WriteResult | Exclude<ToolRead, { readonly kind: 'file' }>

/** Stands in front of an agent's file tools, and takes what is a context file's. */
export interface ContextFileTool {
  /** @throws ForbiddenError for what may not be read; its message is for the model. */
  read(request: Omit<ReadRequest, 'name'> & ToolPath): Promise<ToolRead>
  /** @throws ForbiddenError for what may not be written; its message is for the model. */
  write(request: Omit<WriteRequest, 'name' | 'now'> & ToolPath): Promise<ToolWrite>
}

/**
 * Makes the interceptor of an agent's `read_file` and `write_file`.
 *
 * @example
 * const answer = await tool.read({ tenantId, agent, userId: 'ana', path: './TEAM.md' })
 * if (answer.kind === 'notice') return answer.text
 */
export function createContextFileTool(
  contextFiles: Pick<ContextFiles, 'read' | 'write'>,
): ContextFileTool {
  return {
    async read({ path, workspace, ...request }) {
      const place = contextFilePath(path, workspace)
      if (place.kind === 'other') return { kind: 'other' }
      if (place.kind === 'virtual') return notice(place.name)
      return { kind: 'file', file: await contextFiles.read({ ...request, name: place.name }) }
    },
    async write({ path, workspace, ...request }) {
      const place = contextFilePath(path, workspace)
      if (place.kind === 'other') return { kind: 'other' }
      if (place.kind === 'virtual') return notice(place.name)
      return await contextFiles.write({ ...request, name: place.name })
    },
  }
}

function notice(name: string): { readonly kind: 'notice'; readonly text: string } {
  const text = `${name} is already in the system prompt, where it is always up to date. It is no file that could be read or written.`
  return { kind: 'notice', text }
}
