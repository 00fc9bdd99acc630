import { mayUse, type Caller, type Role, type Scope } from '../domain/caller.ts'

/** `use`: ask it, and let agents work with it. `edit`: add and remove contents. `share`: grant it to others. */
export const ACTIONS = ['use', 'edit', 'share'] as const
export type Action = (typeof ACTIONS)[number]

/** Levels of a grant: `reader` may ask, `editor` may also change the contents. */
export const LEVELS = ['reader', 'editor'] as const
export type Level = (typeof LEVELS)[number]

export type Grantee = 'everyone' | `group:${string}` | `user:${string}`

export interface Grant {
  readonly to: Grantee
  readonly level: Level
}

/** A source, as the permission check sees it. */
export interface Shared {
  /** The owner, such as of a mailbox; absent for a source of the installation. */
  readonly owner?: string
  readonly grants: readonly Grant[]
}

/** The role and API key scope that an action requires, on any source. */
const NEEDED: Readonly<Record<Action, { readonly role: Role; readonly scope: Scope }>> = {
  use: { role: 'viewer', scope: 'read' },
  edit: { role: 'member', scope: 'documents' },
  share: { role: 'member', scope: 'admin' },
}

/**
 * The only place that decides who may do what with a source. A source is available to its owner and to users with a
 * grant. Admins own the installation's sources, but have no access to users' own sources without a grant.
 */
export function isPermitted(caller: Caller | undefined, action: Action, { owner, grants }: Shared): boolean {
  if (caller === undefined || !mayUse(caller, NEEDED[action])) return false
  if (owner === undefined ? caller.role === 'admin' : caller.userId === owner) return true
  if (action === 'share') return false
  return grants.some(({ to, level }) => (action === 'use' || level === 'editor') && appliesTo(to, caller))
}

/** The actions that a change of grants adds for a user, and those it removes. */
export interface Effect {
  readonly caller: Caller
  readonly gains: readonly Action[]
  readonly loses: readonly Action[]
}

/** Users whose permissions differ between the present and the new grants. */
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
 * Whether the caller may grant a source to this grantee. Only an admin may grant a user's own source to everyone, or to
 * a group that the owner is not in: agents use it in the questions of every grantee.
 */
export function canGrant({ role, groups }: Caller, { owner }: Pick<Shared, 'owner'>, to: Grantee): boolean {
  if (owner === undefined || role === 'admin' || to.startsWith('user:')) return true
  return groups.some((group) => to === `group:${group}`)
}

function appliesTo(to: Grantee, { userId, groups }: Caller): boolean {
  return to === 'everyone' || to === `user:${userId}` || groups.some((group) => to === `group:${group}`)
}
