import { mayUse, type Caller, type Role, type Scope } from '../domain/caller.ts'

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

/** What lets somebody do something: it is theirs, they are an admin and it is the installation's, or it was given to these. */
export type Reason = 'own' | 'admin' | Grant

/**
 * The one place that decides who may do what with a source, and says why; without a reason nobody may. What is
 * somebody's own is theirs, and others', admins among them, only as far as they are given it. What is the installation's is the
 * admins', and others' likewise.
 */
export function permissionReasons(
  caller: Caller | undefined,
  action: Action,
  { owner, grants }: Shared,
): readonly Reason[] {
  if (caller === undefined || !mayUse(caller, NEEDED[action])) return []
  const isTheirs = owner === undefined ? caller.role === 'admin' : caller.userId === owner
  const looksAfter: readonly Reason[] = isTheirs ? [owner === undefined ? 'admin' : 'own'] : []
  if (action === 'share') return looksAfter
  return [
    ...looksAfter,
    ...grants.filter(({ to, level }) => (action === 'use' || level === 'editor') && isMeant(to, caller)),
  ]
}

/** Whether somebody has a reason. */
export function isPermitted(caller: Caller | undefined, action: Action, shared: Shared): boolean {
  return permissionReasons(caller, action, shared).length > 0
}

/** What somebody may do that they might not before, and the other way round. */
export interface Effect {
  readonly caller: Caller
  readonly gains: readonly Action[]
  readonly loses: readonly Action[]
}

/** Whom it makes a difference to when a source is given otherwise. */
export function effectsOf(callers: readonly Caller[], source: Shared, grants: readonly Grant[]): readonly Effect[] {
  return callers.flatMap((caller) => {
    const can = (shared: Shared): readonly Action[] => ACTIONS.filter((action) => isPermitted(caller, action, shared))
    const [before, after] = [can(source), can({ ...source, grants })]
    const gains = after.filter((action) => !before.includes(action))
    const loses = before.filter((action) => !after.includes(action))
    return gains.length + loses.length === 0 ? [] : [{ caller, gains, loses }]
  })
}

/**
 * Whether somebody may give what they look after to these. What is their own comes into the questions of whoever has it:
 * to everyone, and to groups that they are not in, it is only an admin's to give.
 */
export function canGrant({ role, groups }: Caller, { owner }: Pick<Shared, 'owner'>, to: Grantee): boolean {
  if (owner === undefined || role === 'admin' || to.startsWith('user:')) return true
  return groups.some((group) => to === `group:${group}`)
}

function isMeant(to: Grantee, { userId, groups }: Caller): boolean {
  return to === 'everyone' || to === `user:${userId}` || groups.some((group) => to === `group:${group}`)
}
