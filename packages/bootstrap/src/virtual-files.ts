import { headOf } from '@loam/text'
import type { ContextFile } from './file-names.js'

/** A team that an agent is a member of. */
export interface Team {
  readonly name: string
  /** This agent's part in it. */
  readonly role?: string | undefined
  readonly members: readonly TeamMember[]
  /** How they work together, in a sentence. */
  readonly workflow?: string | undefined
}

export interface TeamMember {
  readonly name: string
  readonly role?: string | undefined
  readonly description?: string | undefined
}

/** An agent that work may be handed to. */
export interface DelegationTarget {
  readonly name: string
  readonly description?: string | undefined
}

/** What the virtual files are made from. */
export interface VirtualFilesInput {
  readonly agent: { readonly name: string; readonly expertise?: string | undefined }
  readonly team?: Team | undefined
  readonly delegationTargets: readonly DelegationTarget[]
  /** Names of context files that there are and this session does not have. */
  readonly unavailableFiles: readonly string[]
  /** In a first meeting there are none, so that it is about the meeting alone (seed, section 1). */
  readonly isFirstRun: boolean
}

/** Most targets that are listed one by one (seed, section 1). */
export const MAX_LISTED_TARGETS = 15

/** DELEGATION.md, TEAM.md and AVAILABILITY.md, as far as there is something to say in them. */
export function virtualFilesFor(input: VirtualFilesInput): readonly ContextFile[] {
  if (input.isFirstRun) return []
  const { team, delegationTargets } = input
  return [
    ...(delegationTargets.length > 0
      ? [{ name: 'DELEGATION.md', content: renderDelegation(delegationTargets) }]
      : []),
    ...(team ? [{ name: 'TEAM.md', content: renderTeam(team) }] : []),
    { name: 'AVAILABILITY.md', content: renderAvailability(input) },
  ]
}

/** Whom work may be handed to: each of up to 15, or only how many there are. */
export function renderDelegation(targets: readonly DelegationTarget[]): string {
  if (targets.length > MAX_LISTED_TARGETS) {
    return `# Delegation\n\nYou may hand work to ${targets.length} other agents, each with a field of its own. They are too many to list here: say what is to be done, and the system chooses who does it.\n`
  }
  const list = targets.map(({ name, description }) => entry(name, undefined, description))
  return `# Delegation\n\nYou may hand work to these agents when it is in their field rather than yours:\n\n${list.join('\n')}\n`
}

/** Who is in the team, and how it works. */
export function renderTeam({ name, role, members, workflow }: Team): string {
  const part = isBlank(role) ? '' : `\nYour part in it: ${line(role)}\n`
  const list = members.map((member) => entry(member.name, member.role, member.description))
  const how = isBlank(workflow)
    ? 'Take what is in your part, and leave to the others what is in theirs.'
    : line(workflow)
  return `# Team ${line(name)}\n${part}\nMembers:\n\n${list.length > 0 ? list.join('\n') : '- nobody else yet'}\n\n${how}\n`
}

/** What the agent is there for, and what it does not have here: files, teammates, others to hand work to. */
export function renderAvailability(input: Omit<VirtualFilesInput, 'isFirstRun'>): string {
  const { agent, team, delegationTargets, unavailableFiles } = input
  const lines = [
    isBlank(agent.expertise)
      ? `${line(agent.name)} is available for this conversation.`
      : `${line(agent.name)} is available for this conversation. Field: ${line(agent.expertise)}`,
  ]
  if (!team) lines.push('You are in no team: there are no teammates to assign work to or wait for.')
  if (delegationTargets.length === 0) lines.push('You cannot hand work to other agents.')
  const missing = unavailableFiles.map(line).filter((name) => name !== '')
  if (missing.length > 0) {
    lines.push(
      `These files are NOT available in this session: ${missing.join(', ')}. Do not try to read or write them, and do not guess what they say.`,
    )
  }
  return `# Availability\n\n${lines.map((text) => `- ${text}`).join('\n')}\n`
}

function entry(name: string, role: string | undefined, description: string | undefined): string {
  const part = isBlank(role) ? '' : ` (${line(role)})`
  const about = isBlank(description) ? '' : `: ${line(description)}`
  return `- ${line(name)}${part}${about}`
}

const MAX_LINE_LENGTH = 500

function isBlank(text: string | undefined): text is '' | undefined {
  return text === undefined || line(text) === ''
}

/** On one line, whatever it holds. */
function line(text: string): string {
  return headOf(text.replaceAll(/[\s\u0085\u2028\u2029]+/g, ' ').trim(), MAX_LINE_LENGTH)
}
