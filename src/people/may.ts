import { mayUse, type Caller, type Role, type Scope } from '../core/caller.ts'

/**
 * `use`: ask it, and let agents work with it. `edit`: add and remove what is in it. `share`: say who else may.
 */
export const ACTIONS = ['use', 'edit', 'share'] as const
export type Action = (typeof ACTIONS)[number]

/** What somebody is given: to ask it, or to change what is in it as well. */
export const LEVELS = ['reader', 'editor'] as const
export type Level = (typeof LEVELS)[number]

export type Grantee = 'everyone' | `group:${string}` | `user:${string}`

export interface Grant {
  readonly to: Grantee
  readonly level: Level
}

/** A source, as far as it matters here. */
export interface Shared {
  /** Whose own it is, such as a mailbox; absent for one of the installation. */
  readonly owner?: string
  readonly grants: readonly Grant[]
}

/** What somebody must be able to do at all, whichever source it is. */
const NEEDED: Readonly<Record<Action, { readonly role: Role; readonly scope: Scope }>> = {
  use: { role: 'viewer', scope: 'read' },
  edit: { role: 'member', scope: 'documents' },
  share: { role: 'member', scope: 'admin' },
}

/**
 * The one place that decides who may do what with a source (SPEC B9). What is somebody's own is theirs, and others', admins
 * among them, only as far as they are given it. What is the installation's is the admins', and others' likewise.
 */
export function may(caller: Caller | undefined, action: Action, { owner, grants }: Shared): boolean {
  if (caller === undefined || !mayUse(caller, NEEDED[action])) return false
  if (owner === undefined ? caller.role === 'admin' : caller.userId === owner) return true
  if (action === 'share') return false
  return grants.some(({ to, level }) => (action === 'use' || level === 'editor') && isMeant(to, caller))
}

/**
 * Whether somebody may give what they look after to these. What is their own comes into the questions of whoever has it:
 * to everyone, and to groups that they are not in, it is only an admin's to give.
 */
export function mayGive({ role, groups }: Caller, { owner }: Pick<Shared, 'owner'>, to: Grantee): boolean {
  if (owner === undefined || role === 'admin' || to.startsWith('user:')) return true
  return groups.some((group) => to === `group:${group}`)
}

function isMeant(to: Grantee, { userId, groups }: Caller): boolean {
  return to === 'everyone' || to === `user:${userId}` || groups.some((group) => to === `group:${group}`)
}
