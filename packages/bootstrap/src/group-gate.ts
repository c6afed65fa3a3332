import { ForbiddenError, isGroupUser } from '@loam/core'
import type { ContextFileName } from './file-names.js'
import type { ContextFileSettings } from './settings.js'

/** Who wants to write in the name of a group. */
export interface GroupSender {
  /** The person who spoke, as the channel names them; what follows a `|` is not part of the id. */
  readonly senderId?: string | undefined
  /** Their role on the channel. Admins, operators and owners may write. */
  readonly role?: string | undefined
}

/** Says whether someone may change a group's context files. Whatever goes wrong with it, they may not. */
export type MayEditGroup = (request: {
  readonly group: string
  readonly senderId: string
}) => boolean | Promise<boolean>

const GUARDED: ReadonlySet<ContextFileName> = new Set([
  'SOUL.md',
  'IDENTITY.md',
  'AGENTS.md',
  'TOOLS.md',
  'USER.md',
  'USER_PREDEFINED.md',
])
const ROLES: ReadonlySet<string> = new Set(['admin', 'operator', 'owner'])

/** Asks the agent's settings who may change the files of its groups. */
export function editorsOf({ groupEditors }: ContextFileSettings): MayEditGroup {
  return ({ group, senderId }) =>
    groupEditors.some(
      (editor) =>
        editor.senderId === senderId && (editor.group === undefined || editor.group === group),
    )
}

/**
 * Lets a change in the name of a group pass if its sender may change the group's files (spec 01, 1.5). A group holds no first
 * meeting, in which anybody might write `USER.md`.
 *
 * @throws ForbiddenError also without a sender who is a person, without `mayEdit`, and when `mayEdit` fails.
 */
export async function checkGroupChange(
  name: ContextFileName,
  group: string,
  {
    sender,
    mayEdit,
  }: {
    readonly sender: GroupSender
    readonly mayEdit: MayEditGroup | undefined
  },
): Promise<void> {
  if (!isGroupUser(group) || !GUARDED.has(name)) return
  const [senderId = ''] = (sender.senderId ?? '').split('|')
  if (senderId.trim() === '' || isGroupUser(senderId)) {
    throw new ForbiddenError({
      message: `${name} of a group is changed in the name of a person. Tell who sent the message (senderId).`,
    })
  }
  if (sender.role !== undefined && ROLES.has(sender.role.toLowerCase())) return
  if (await isAllowed(mayEdit, { group, senderId })) return
  throw new ForbiddenError({
    message: `"${senderId}" may not change ${name} of this group. An administrator can allow it, under contextFiles.groupEditors in the agent's settings.`,
  })
}

async function isAllowed(
  mayEdit: MayEditGroup | undefined,
  request: Parameters<MayEditGroup>[0],
): Promise<boolean> {
  try {
    return (await mayEdit?.(request)) === true
  } catch {
    return false
  }
}
