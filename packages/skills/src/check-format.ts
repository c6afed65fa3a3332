import type { SkillWarning } from './skill.js'

/** Limits of the Agent Skills format (agentskills.io, "Specification"). */
export const FORMAT_LIMITS = {
  maxNameCharacters: 64,
  maxDescriptionCharacters: 1_024,
  maxCompatibilityCharacters: 500,
} as const

/**
 * What the Agent Skills format would reject in a skill, each as a warning of the code `format`; the skill is used all the same.
 */
export function checkFormat(
  slug: string,
  fields: Readonly<Record<string, unknown>>,
): readonly SkillWarning[] {
  const faults = [
    ...nameFaults(slug, fields['name']),
    ...descriptionFaults(fields['description']),
    ...compatibilityFaults(fields['compatibility']),
    ...metadataFaults(fields['metadata']),
    ...Object.keys(fields)
      .filter((field) => !KNOWN_FIELDS.has(field))
      .map((field) => `The format knows no field "${field.slice(0, 100)}"; put it under metadata.`),
  ]
  return faults.map((message) => ({ code: 'format', message }))
}

function nameFaults(slug: string, name: unknown): string[] {
  if (isBlank(name)) {
    return ['There is no name. Give the name of the folder.']
  }
  if (typeof name !== 'string') return ['name is no text. Put it in quotes.']
  const { maxNameCharacters } = FORMAT_LIMITS
  const faults: string[] = []
  const length = lengthOf(name)
  if (length > maxNameCharacters) {
    faults.push(`name has ${length} characters; it may have ${maxNameCharacters}.`)
  }
  if (!FORMAT_NAME.test(name.normalize('NFC'))) {
    faults.push(
      `name is ${quoted(name)}; it may have lower-case letters, digits and single hyphens between them.`,
    )
  }
  if (name.normalize('NFC') !== slug.normalize('NFC')) {
    faults.push(
      `name is ${quoted(name)} and the folder is ${quoted(slug)}; they have to be the same.`,
    )
  }
  return faults
}

function descriptionFaults(description: unknown): string[] {
  const { maxDescriptionCharacters: most } = FORMAT_LIMITS
  if (isBlank(description)) {
    return [
      'There is no description. Say in a sentence or two what the skill does and when to use it.',
    ]
  }
  if (typeof description !== 'string') return ['description is no text. Put it in quotes.']
  const length = lengthOf(description)
  return length > most ? [`description has ${length} characters; it may have ${most}.`] : []
}

function compatibilityFaults(compatibility: unknown): string[] {
  if (compatibility === undefined) return []
  const { maxCompatibilityCharacters: most } = FORMAT_LIMITS
  if (
    typeof compatibility !== 'string' ||
    isBlank(compatibility) ||
    lengthOf(compatibility) > most
  ) {
    return [`compatibility has to be a text of 1 to ${most} characters.`]
  }
  return []
}

function metadataFaults(metadata: unknown): string[] {
  if (metadata === undefined) return []
  const isMap = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
  return isMap && Object.values(metadata).every((value) => typeof value === 'string')
    ? []
    : ['metadata has to be a map of texts.']
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

/** Of characters, of which some take two places in a string. */
function lengthOf(text: string): number {
  return Array.from(text).length
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
])
const FORMAT_NAME = /^[\p{Ll}\p{Lo}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{N}]+)*$/u
