import { selectContextFiles, truncateContextFiles } from '@loam/bootstrap'
import { readContextFolder, seedContextFolder } from '@loam/bootstrap/folder'
import { buildSystemPrompt } from '@loam/prompt'

/** The system prompt of the agent that stands in a folder. What is missing there is written from templates first. */
export async function promptOfFolder(folder: string): Promise<string> {
  await seedContextFolder(folder, { type: 'open' })
  const { files } = await readContextFolder(folder)
  const { files: selected, unavailable } = selectContextFiles(files, 'direct')
  const { text, sections } = buildSystemPrompt({
    order: 'cache',
    agent: { key: 'folder', type: 'open' },
    time: { now: new Date() },
    tools: [{ name: 'write_file', description: 'Writes a file of the workspace.' }],
    contextFiles: truncateContextFiles(selected).map((file) => ({ ...file, origin: 'user' })),
    unavailableFiles: unavailable,
  })
  const sizes = sections.map(({ id, title, tokens }) => `${id} ${title}: about ${tokens} tokens`)
  return [text, '', ...sizes].join('\n')
}
