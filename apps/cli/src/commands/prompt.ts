import type { ApiClient } from '../api/api-client.js'
import { route, withQuery } from '../api/route.js'
import { counted, type Output } from '../output.js'

interface Preview {
  readonly prompt: string
  readonly mode: string
  readonly sections: readonly {
    readonly id: string
    readonly title: string
    readonly characters: number
    readonly tokens: number
    readonly stable: boolean
  }[]
  readonly characters: number
  readonly tokens: number
  readonly firstRun: boolean
  readonly warnings: readonly string[]
}

/** What `loam prompt` is asked for. */
export interface PromptCommandOptions {
  readonly agent: string
  readonly user?: string | undefined
  readonly session?: string | undefined
  readonly mode?: string | undefined
  readonly sections?: boolean | undefined
}

/** Prints the system prompt that a user would have, or what it is made of. */
export async function printPrompt(
  { agent, user, session, mode, sections = false }: PromptCommandOptions,
  { client, output }: { readonly client: ApiClient; readonly output: Output },
): Promise<void> {
  const preview = await client.get<Preview>(
    withQuery(route`/v1/agents/${agent}/system-prompt-preview`, { userId: user, session, mode }),
  )
  output.result(preview)
  if (sections) describeSections(preview, output)
  else output.say(preview.prompt)
  for (const warning of preview.warnings) output.note(output.paint.yellow(warning))
}

function describeSections(
  { sections, characters, tokens, mode, firstRun }: Preview,
  output: Output,
): void {
  const width = Math.max(...sections.map(({ title }) => title.length), 5)
  const line = (id: string, title: string, length: string, estimate: string, place: string) =>
    `${id.padEnd(6)}  ${title.padEnd(width)}  ${length.padStart(10)}  ${estimate.padStart(8)}  ${place}`
  const { bold, dim } = output.paint
  output.say(bold(line('id', 'title', 'characters', '~tokens', 'half')))
  for (const { id, title, stable, ...size } of sections) {
    output.say(
      line(
        id,
        title,
        grouped(size.characters),
        grouped(size.tokens),
        stable ? 'stable' : dim('varies'),
      ),
    )
  }
  output.say()
  output.say(
    `${counted(characters, 'character')}, about ${counted(tokens, 'token')}, mode ${mode}${firstRun ? ', first meeting' : ''}`,
  )
}

function grouped(value: number): string {
  return value.toLocaleString('en')
}
