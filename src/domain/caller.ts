/**
 * Roles, from the least to the most powerful: a viewer reads, a member asks and decides, an admin runs the
 * installation.
 */
export const ROLES = ['viewer', 'member', 'admin'] as const
export type Role = (typeof ROLES)[number]

/**
 * Permissions of an API key. `read`: see what its owner sees. `ask`: start runs, follow and cancel them by id, and
 * change conversations, memory, teams and evaluations. `decide`: see and answer approvals and questions.
 * `documents`: add and remove documents. `admin`: the other four, and erasing data, schedules, keys, sharing and the
 * account; for admins also the installation. A signed-in user has all of them, within their role.
 */
export const SCOPES = ['read', 'ask', 'decide', 'documents', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** The scopes that these scopes include; `admin` includes all. */
export function scopesWith(given: readonly Scope[]): readonly Scope[] {
  return given.includes('admin') ? SCOPES : given
}

/** Who makes a request. */
export interface Caller {
  /** The owner of their runs, documents and memory. */
  readonly userId: string
  readonly role: Role
  readonly groups: readonly string[]
  readonly scopes: readonly Scope[]
  /** `demo`: no accounts exist, and the local user was signed in automatically. */
  readonly kind: 'person' | 'key' | 'demo'
  /** Of the key that was shown. */
  readonly keyId?: string
  /** Of the sign-in. */
  readonly sessionId?: string
}

/** Requirements of an endpoint: a minimum role, and one of the scopes for API keys. */
export interface Needed {
  readonly role: Role
  readonly scope: Scope
  readonly orScope?: Scope
}

/** Who may use an endpoint. */
export type Access = 'public' | Needed

/** Whether a caller has the required role and scope. */
export function mayUse({ role, scopes }: Caller, needed: Needed): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed.role) && hasScope(scopes, needed)
}

/** Whether these have one of the scopes that it takes. */
export function hasScope(scopes: readonly Scope[], { scope, orScope = scope }: Needed): boolean {
  return scopes.includes(scope) || scopes.includes(orScope)
}

/** The required scopes, as text. */
export function scopeNeeded({ scope, orScope }: Needed): string {
  return orScope === undefined ? scope : `${scope} or ${orScope}`
}
