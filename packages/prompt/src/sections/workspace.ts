import { block, oneLine } from '../safe-text.js'
import { isText, lines, type SectionContext } from './section.js'

/** Where files are. */
export function renderWorkspace({ input }: SectionContext): string {
  const { path, notes } = input.workspace ?? {}
  return lines(
    '## Workspace',
    isText(path)
      ? `Your working folder is ${oneLine(path, 1024)}. Relative paths start there. Keep files inside it unless the user says otherwise.`
      : 'No folder is set for this session. Use relative paths, and leave it to the file tools where they start.',
    isText(notes) ? block('workspace_notes', notes) : undefined,
  )
}

/** What differs when tools run in a sandbox. */
export function renderSandbox({ input }: SectionContext): string {
  const { notes } = input.sandbox ?? {}
  return lines(
    '## Sandbox',
    'Your tools run in a sandbox, apart from the machine that hosts you. Only the workspace is sure to last; what you install or change elsewhere may be gone in the next turn. If the sandbox blocks something, say what you need rather than working around it.',
    isText(notes) ? block('sandbox_notes', notes) : undefined,
  )
}
