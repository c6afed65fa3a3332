import { metadata } from '../safe-text.js'
import { isText, lines, type SectionContext } from './section.js'

/** What runs where. */
export function renderRuntime({ input, mode }: SectionContext): string {
  const { model, version, host } = input.runtime ?? {}
  return lines(
    '## Runtime',
    fact('agent', input.agent.key),
    fact('channel', input.channel?.platform),
    fact('model', model),
    fact('version', version),
    fact('host', host),
    `- prompt mode: ${mode}`,
  )
}

function fact(label: string, value: string | undefined): string | undefined {
  return isText(value) ? `- ${label}: ${metadata(value)}` : undefined
}
