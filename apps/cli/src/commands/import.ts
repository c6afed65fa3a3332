import type { ApiClient } from '../api/api-client.js'
import { ensureAgent } from '../api/ensure-agent.js'
import { importConversations, type ImportSummary } from '../import-conversations.js'
import { readConversations, type ImportFormat } from '../importers/read-conversations.js'
import { counted, oneLine, type Output } from '../output.js'
import { createProgress } from '../progress.js'

/** What `loam import` is told beside the file. */
export interface ImportCommandOptions {
  readonly agent: string
  readonly user?: string | undefined
  readonly format?: ImportFormat | undefined
  readonly session?: string | undefined
  readonly skipBad?: boolean | undefined
  readonly dryRun?: boolean | undefined
  /** False with `--no-runs`. */
  readonly runs?: boolean | undefined
}

/** Reads a file of conversations and stores what it holds. */
export async function runImport(
  path: string,
  options: ImportCommandOptions,
  {
    client,
    output,
    settle,
  }: {
    /** Undefined in a dry run, which needs none. */
    readonly client: ApiClient | undefined
    readonly output: Output
    readonly settle: () => Promise<void>
  },
): Promise<ImportSummary> {
  let bytesRead = 0
  const conversations = await readConversations(path, {
    format: options.format,
    userId: options.user,
    session: options.session,
    onProgress: (bytes) => {
      bytesRead = bytes
    },
  })
  output.note(`Reading ${formatName(conversations.format)} from ${oneLine(path)}`)
  const agentCreated = client === undefined ? false : await ensureAgent(client, options.agent)
  if (agentCreated) output.note(`Made the agent "${options.agent}", since there was none.`)

  const progress = createProgress(conversations.size, output)
  const summary = await importConversations(conversations.records(), {
    client,
    agent: options.agent,
    skipBad: options.skipBad,
    runs: options.runs,
    onBatch: ({ stored, duplicates }) =>
      progress.update(bytesRead, `${stored} stored, ${duplicates} already there`),
  }).finally(() => progress.stop())
  await settle()

  output.result({ format: conversations.format, agent: options.agent, agentCreated, ...summary })
  for (const line of describeImport(summary, options.dryRun === true)) output.say(line)
  return summary
}

/** What an import did, in sentences. */
export function describeImport(summary: ImportSummary, isDryRun: boolean): readonly string[] {
  const { sessions, stored, duplicates, badCount, bad } = summary
  const where = `in ${counted(sessions, 'session')}`
  const lines = isDryRun
    ? [
        `${counted(summary.messages, 'message')} ${where} can be stored. Nothing was, since this is a dry run.`,
      ]
    : [
        `Stored ${counted(stored, 'message')} ${where}; ${counted(duplicates, 'was', 'were')} already there.`,
      ]
  if (badCount > 0) lines.push(`Skipped ${counted(badCount, 'bad record')}:`)
  lines.push(...bad.map(({ place, problem }) => `  ${oneLine(place)}: ${oneLine(problem)}`))
  if (badCount > bad.length) lines.push(`  and ${badCount - bad.length} more`)
  return lines
}

function formatName(format: Exclude<ImportFormat, 'auto'>): string {
  return {
    jsonl: 'JSON Lines',
    openai: 'OpenAI messages',
    chatgpt: 'a ChatGPT export',
    locomo: 'a LoCoMo file',
  }[format]
}
