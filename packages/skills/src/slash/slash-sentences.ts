/** What a turn says to the model in place of a command. */
export interface SlashSentences {
  /** For a skill that was named without anything to do. */
  readonly activate: string
  readonly list: string
  readonly help: string
  readonly unknown: string
  /** Where no skill can be listed. */
  readonly noSkills: string
}

/** In English; a model answers in the language of the conversation. */
export const SLASH_SENTENCES: SlashSentences = {
  activate: 'Please use the skill that was just activated. Ask me for whatever it needs to begin.',
  list: 'Please show me the list of skills that are available here, with one line for each.',
  help: 'Please tell me what the skill described in your instructions does, and how to use it.',
  unknown:
    'I typed a command for which there is no skill. Please say so, and offer the similar ones that your instructions name.',
  noSkills: 'There are none that may be used here.',
}
