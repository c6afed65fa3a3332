import { distance } from 'fastest-levenshtein'
import { compareText } from '@loam/text'
import type { SkillSummary } from '../skill.js'

/** A skill that a text begins with, and what comes behind its name. */
export interface SkillMatch<Entry extends SkillSummary> {
  readonly skill: Entry
  readonly remainder: string
}

/** Longest text that is compared with names. */
const MAX_NAME_CHARACTERS = 300
/** A typing error counts up to this distance, and up to a third of what was typed (spec 03, 4.8). */
const MAX_DISTANCE = 3
const MAX_SUGGESTIONS = 3
/** From so many characters on, the beginning or a part of a name is enough to suggest it. */
const MIN_PART_CHARACTERS = 3

/**
 * Finds the skill whose slug or name the text begins with: whole words, whatever their case and the blanks between them. The
 * longest counts; of two skills with names of one length neither. With `partial` the beginning of a single skill's name is
 * enough, too.
 */
export function matchSkill<Entry extends SkillSummary>(
  text: string,
  skills: readonly Entry[],
  { partial }: { readonly partial: boolean },
): SkillMatch<Entry> | undefined {
  const words = wordsOf(text)
  let best: { skills: Set<Entry>; length: number } | undefined
  for (const skill of skills) {
    for (const name of namesOf(skill)) {
      const length = nameLength(name)
      if (!beginsWith(words, name) || (best !== undefined && length < best.length)) continue
      if (best === undefined || length > best.length) best = { skills: new Set(), length }
      best.skills.add(skill)
    }
  }
  if (best === undefined && partial) {
    const [first] = words
    const begun = skills.filter((skill) =>
      namesOf(skill).some((name) => first !== undefined && name.join(' ').startsWith(first.folded)),
    )
    if (first !== undefined && begun.length > 0) best = { skills: new Set(begun), length: 1 }
    const [skill] = best?.skills ?? []
    if (skill === undefined || best?.skills.size !== 1) return undefined
    return { skill, remainder: text.slice(first?.end).trimStart() }
  }
  const [skill, other] = best?.skills ?? []
  if (skill === undefined || other !== undefined || best === undefined) return undefined
  const name = namesOf(skill).find(
    (candidate) => nameLength(candidate) === best.length && beginsWith(words, candidate),
  )
  return { skill, remainder: text.slice(words[(name?.length ?? 1) - 1]?.end).trimStart() }
}

/** Up to three skills whose slug or name is like the beginning of the text, nearest first, ties by slug. */
export function suggestSkills<Entry extends SkillSummary>(
  text: string,
  skills: readonly Entry[],
): readonly Entry[] {
  const target = wordsOf(text)[0]?.folded ?? ''
  const limit = Math.min(MAX_DISTANCE, Math.floor(Array.from(target).length / 3))
  return skills
    .map((skill) => ({ skill, away: distanceTo(target, skill) }))
    .filter(({ away }) => away <= limit)
    .toSorted((a, b) => a.away - b.away || compareText(a.skill.slug, b.skill.slug))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ skill }) => skill)
}

/** What a person typed where the name of a skill is expected: for an answer, not for comparing. */
export function targetOf(text: string): string {
  return text.slice(0, MAX_NAME_CHARACTERS).split(/\s/, 1)[0] ?? ''
}

function distanceTo(target: string, { slug, name }: SkillSummary): number {
  if (target.length < MIN_PART_CHARACTERS) return Infinity
  const [ownSlug, ownName] = [fold(slug), fold(name)]
  if (ownSlug.startsWith(target) || ownName.includes(target)) return 0
  return Math.min(
    ...[ownSlug, ownName].flatMap((own) => [
      distance(target, own),
      // So that a slip in the first word of a long name is found, too.
      distance(target, own.slice(0, target.length)),
    ]),
  )
}

interface Word {
  readonly folded: string
  /** Where it ends in the text. */
  readonly end: number
}

function wordsOf(text: string): readonly Word[] {
  const looked = text.slice(0, MAX_NAME_CHARACTERS)
  return Array.from(looked.matchAll(/\S+/g), (match) => ({
    folded: fold(match[0]),
    end: match.index + match[0].length,
  }))
}

function namesOf({ slug, name }: SkillSummary): readonly (readonly string[])[] {
  return [slug, name]
    .map((text) => fold(text).split(/\s+/).filter(Boolean))
    .filter((words) => words.length > 0)
}

function nameLength(name: readonly string[]): number {
  return name.join(' ').length
}

function beginsWith(words: readonly Word[], name: readonly string[]): boolean {
  return name.every((part, index) => words[index]?.folded === part)
}

function fold(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}
