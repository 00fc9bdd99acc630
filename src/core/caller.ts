/** What people may do, the most at the end: a viewer reads, a member asks and decides, an admin runs the installation. */
export const ROLES = ['viewer', 'member', 'admin'] as const
export type Role = (typeof ROLES)[number]

/**
 * What an API key is good for. `read`: see what its owner sees. `ask`: start runs and conversations, and end them.
 * `decide`: approvals and questions. `documents`: add and remove documents. `admin`: what only admins may. A person who has
 * signed in has all of them, within their role.
 */
export const SCOPES = ['read', 'ask', 'decide', 'documents', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Who makes a request. */
export interface Caller {
  /** The owner of their runs, documents and memory. */
  readonly userId: string
  readonly role: Role
  readonly groups: readonly string[]
  readonly scopes: readonly Scope[]
  /** `demo`: nobody has an account here, and the one user of the machine was signed in by itself. */
  readonly kind: 'person' | 'key' | 'demo'
}

/** Who may use an endpoint: `public`, or those of a role and above, with a key that has the scope. */
export type Access = 'public' | { readonly role: Role; readonly scope: Scope }

/** Whether a caller may use what asks for this access. */
export function mayUse(caller: Caller, access: Exclude<Access, 'public'>): boolean {
  return ROLES.indexOf(caller.role) >= ROLES.indexOf(access.role) && caller.scopes.includes(access.scope)
}
