import { oneLine } from '../safe-text.js'
import type { ToolInput } from '../system-prompt-input.js'
import { hasTool, isText, lines, type SectionContext } from './section.js'

/** The tools, sorted by name, so that the same tools give the same prompt; and how to act with them. */
export function renderTooling(context: SectionContext): string {
  const { mode } = context
  const parts = [
    toolList(context),
    mode === 'full' || mode === 'task' ? EXECUTION_BIAS : undefined,
    mode === 'full' ? TOOL_CALL_STYLE : undefined,
  ]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

function toolList(context: SectionContext): string {
  const tools = sortTools(context.input.tools ?? [])
  if (tools.length === 0) return NO_TOOLS
  return lines(
    '## Tooling',
    'These are all your tools. The list is authoritative: use names exactly as written, and neither call nor promise a tool that is not on it.',
    ...tools.map(toolLine),
    context.input.sandbox === undefined ? undefined : 'Tools run inside a sandbox.',
    hasTool(context, 'write_file')
      ? 'Write at most 12,000 characters per call of `write_file`; write longer files in several parts.'
      : undefined,
  )
}

function toolLine({ name, description }: ToolInput): string {
  const about = isText(description) ? oneLine(description, 200) : '(custom tool)'
  return `- ${oneLine(name, 128)}: ${about}`
}

function sortTools(tools: readonly ToolInput[]): ToolInput[] {
  const byName = tools.toSorted(
    (a, b) => compare(a.name, b.name) || compare(a.description ?? '', b.description ?? ''),
  )
  return byName.filter(({ name }, index) => name !== byName[index - 1]?.name)
}

// By code unit: `localeCompare` would depend on the machine.
function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

const NO_TOOLS = `## Tooling
You have no tools in this session. Answer from this prompt and what you know, and never pretend to have used a tool.`

const EXECUTION_BIAS = `### Execution Bias
- When a request can be acted on, act in this reply. A plan or a promise is not a result.
- Ask only if the answer would change what you do and you cannot find it out yourself.
- If a way fails, try another before you give up. Check the result before you call it done.`

const TOOL_CALL_STYLE = `### Tool Call Style
- Make routine calls without a word about them.
- Before work that takes long, or cannot be undone, say in one natural sentence, in the user's language, what you are about to do.
- Never mention the names of tools to the user.`
