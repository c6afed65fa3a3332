import { toStorableText } from '@loam/core'
import { headOf } from '@loam/text'
import { withField } from './identity-fields.js'
import { templateOf } from './templates/index.js'

/** What a channel knows of a user. */
export interface ProfileFacts {
  readonly displayName?: string | undefined
  /** IANA name. */
  readonly timezone?: string | undefined
  readonly language?: string | undefined
}

const MAX_FACT_LENGTH = 100

/** Whether a `USER.md` says nothing yet: it is blank, or a line is exactly the empty field of the name (spec 01, 1.6). */
export function isBlankProfile(text: string): boolean {
  return (
    text.trim() === '' || /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*Name:\*\*|Name:)[ \t]*\r?$/m.test(text)
  )
}

/** A `USER.md` with what a channel knows. Whatever a display name holds, it stays on the line of its field. */
export function prefilledProfile({ displayName, timezone, language }: ProfileFacts): string {
  let text = templateOf('USER.md', 'predefined')
  text = withField(text, 'Name', oneLine(displayName))
  text = withField(text, 'What to call them', oneLine(displayName))
  text = withField(text, 'Timezone', oneLine(timezone))
  return withField(text, 'Language', oneLine(language))
}

/** On one line, without the marks that make headings, bullets and emphasis, and without what cannot be stored or turns text around. */
function oneLine(text = ''): string {
  const line = toStorableText(text)
    .replaceAll(/[\s\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '')
    .replaceAll(/[*_`#<>[\]|]/g, '')
    .replace(/^[\s\-+.>]+/, '')
    .trim()
  return headOf(line, MAX_FACT_LENGTH)
}
