import { createContextFileTool, type ContextFiles } from '@loam/bootstrap'
import { NotFoundError, defineTool, type AgentTool } from '@loam/core'
import { isMemoryPath, type Memory } from '@loam/memory'
import type { Agent } from '@loam/storage'
import { headOf } from '@loam/text'
import { z } from 'zod'

/** What the file tools work with, and for whom. */
export interface FileToolsOptions {
  readonly contextFiles: Pick<ContextFiles, 'read' | 'write'>
  readonly memory: Pick<Memory, 'getDocument' | 'putDocument' | 'appendDocument'>
  readonly tenantId: string
  readonly agent: Agent
  readonly userId: string
  /** See `Scope.sinceErasure`. */
  readonly sinceErasure?: number | undefined
  /** Who speaks, when the user is a group. */
  readonly senderId?: string | undefined
}

/** Of what a write took the place of, so that the model can put back what it did not mean to lose. */
const MAX_REPLACED_CHARACTERS = 20_000

const WHERE =
  'A context file such as USER.md or SOUL.md, MEMORY.md, or a note below memory/ that ends in .md.'
const readSchema = z.object({ path: z.string().min(1).max(1_000).describe(WHERE) })
const writeSchema = z.object({
  path: z.string().min(1).max(1_000).describe(WHERE),
  content: z.string().max(1_000_000).describe('The text.'),
  append: z
    .boolean()
    .optional()
    .describe('Whether to add to the end of a note rather than to replace it. Default false.'),
})

/**
 * The tools `read_file` and `write_file` of a user of an agent: context files by the rules for the agent's own tool, and memory
 * paths in the memory. There are no other files.
 */
export function createFileTools(options: FileToolsOptions): readonly AgentTool[] {
  const { contextFiles, memory, tenantId, agent, userId, senderId, sinceErasure } = options
  const files = createContextFileTool(contextFiles)
  const scope = { tenantId, agentId: agent.id, userId, sinceErasure }
  const caller = { tenantId, agent, userId, sender: { senderId } }
  return [
    defineTool({
      name: 'read_file',
      title: 'Read a file',
      description: 'Reads one of your context files, or a note from memory.',
      inputSchema: readSchema,
      isReadOnly: true,
      isOpenWorld: false,
      async run({ path }) {
        const found = await files.read({ ...caller, path })
        if (found.kind === 'notice') return found.text
        if (found.kind === 'file') return found.file?.content ?? `There is no ${path} yet.`
        if (!isMemoryPath(path)) throw noSuchFile(path)
        return (await memory.getDocument(scope, path)).content
      },
    }),
    defineTool({
      name: 'write_file',
      title: 'Write a file',
      description:
        'Writes one of your context files, or a note to memory. What you want to know in later conversations belongs into MEMORY.md or memory/<topic>.md.',
      inputSchema: writeSchema,
      isReadOnly: false,
      isOpenWorld: false,
      async run({ path, content, append = false }, { signal }) {
        const written = await files.write({ ...caller, sinceErasure, path, content })
        if ('outcome' in written) {
          return written.outcome === 'onboarded' ? 'The first meeting has ended.' : `Wrote ${path}.`
        }
        if (written.kind === 'notice') return written.text
        if (!isMemoryPath(path)) throw noSuchFile(path)
        if (append) {
          await memory.appendDocument(scope, { path, content }, { signal })
          return `Added to ${path}.`
        }
        const before = await memory.getDocument(scope, path).catch(() => undefined)
        await memory.putDocument(scope, { path, content }, { signal })
        return before === undefined || before.userId !== userId
          ? `Wrote ${path}.`
          : `Wrote ${path}. It said before:\n${headOf(before.content, MAX_REPLACED_CHARACTERS)}`
      },
    }),
  ]
}

function noSuchFile(path: string): NotFoundError {
  return new NotFoundError({ message: `There is no file ${JSON.stringify(path)} here. ${WHERE}` })
}
