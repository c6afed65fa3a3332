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
  const named = longest(
    skills.flatMap((skill) =>
      namesOf(skill)
        .filter((name) => beginsWith(words, name))
        .map((name) => ({ skill, words: name.length, length: name.join(' ').length })),
    ),
  )
  const [first] = words
  const begun =
    partial && named.length === 0 && first !== undefined
      ? skills
          .filter((skill) => namesOf(skill).some((name) => name.join(' ').startsWith(first.folded)))
          .map((skill) => ({ skill, words: 1 }))
      : []
  const [found, ...others] = named.length > 0 ? named : begun
  if (found === undefined) return undefined
  const { skill } = found
  // Two skills that have it are two answers, and so none.
  if (others.some((other) => other.skill.slug !== skill.slug)) return undefined
  return { skill, remainder: text.slice(words[found.words - 1]?.end).trimStart() }
}

function longest<Named extends { readonly length: number }>(
  found: readonly Named[],
): readonly Named[] {
  const length = found.reduce((most, named) => Math.max(most, named.length), 0)
  return found.filter((named) => named.length === length)
}

/** Up to three skills whose slug or name is like the beginning of the text, nearest first, ties by slug. */
export function suggestSkills<Entry extends SkillSummary>(
  text: string,
  skills: readonly Entry[],
): readonly Entry[] {
  const target = wordsOf(text)[0]?.folded ?? ''
  const limit = Math.min(MAX_DISTANCE, Math.floor(lengthOf(target) / 3))
  return skills
    .map((skill) => ({ skill, away: distanceTo(target, skill, limit) }))
    .filter(({ away }) => away <= limit)
    .toSorted((a, b) => a.away - b.away || compareText(a.skill.slug, b.skill.slug))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ skill }) => skill)
}

/** What a person typed where the name of a skill is expected: for an answer, not for comparing. */
export function targetOf(text: string): string {
  return text.slice(0, MAX_NAME_CHARACTERS).split(/\s/, 1)[0] ?? ''
}

function distanceTo(target: string, { slug, name }: SkillSummary, limit: number): number {
  if (lengthOf(target) < MIN_PART_CHARACTERS) return Infinity
  const [ownSlug, ownName] = [fold(slug), fold(name)]
  if (ownSlug.startsWith(target) || ownName.includes(target)) return 0
  const own = [ownSlug, ownName].flatMap((text) => [
    text,
    // So that a slip in the first word of a long name is found, too.
    text.slice(0, target.length),
  ])
  // What differs more in length is further away, and need not be compared.
  const near = own.filter((text) => Math.abs(text.length - target.length) <= limit)
  return Math.min(...near.map((text) => distance(target, text)), Infinity)
}

function lengthOf(text: string): number {
  return Array.from(text).length
}

interface Word {
  readonly folded: string
  /** Where it ends in the text. */
  readonly end: number
}

function wordsOf(text: string): readonly Word[] {
  const looked = text.slice(0, MAX_NAME_CHARACTERS)
  const words = Array.from(looked.matchAll(/\S+/g), (match) => ({
    folded: fold(match[0]),
    end: match.index + match[0].length,
  }))
  // The half of a word is not the word.
  const isCut = words.at(-1)?.end === looked.length && /^\S/.test(text.slice(looked.length))
  return isCut ? words.slice(0, -1) : words
}

function namesOf({ slug, name }: SkillSummary): readonly (readonly string[])[] {
  return [slug, name]
    .map((text) => fold(text).split(/\s+/).filter(Boolean))
    .filter((words) => words.length > 0)
}

function beginsWith(words: readonly Word[], name: readonly string[]): boolean {
  return name.every((part, index) => words[index]?.folded === part)
}

function fold(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}
