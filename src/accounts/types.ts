import type { Role, Scope } from '../domain/caller.ts'

/** An account. Its id is the owner of runs, documents and memory, and never changes. */
export interface Person {
  readonly userId: string
  /** Username as entered. Comparison ignores case. */
  readonly username: string
  readonly displayName: string
  readonly role: Role
  readonly isDisabled: boolean
  /** False for users who sign in with a provider, or have not set a password yet. */
  readonly hasPassword: boolean
  /** Milliseconds since the epoch, as all times in this file. */
  readonly createdAt: number
}

/** A session of a signed-in user. */
export interface Session {
  readonly sessionId: string
  /** Description of the client, such as the name of the browser. */
  readonly fromWhere: string
  readonly startedAt: number
  readonly lastUsedAt: number
}

export interface ApiKey {
  readonly keyId: string
  readonly name: string
  /** The first characters, by which the owner recognises the key. The rest is not stored. */
  readonly beginsWith: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly expiresAt?: number
  readonly lastUsedAt?: number
}

export interface Group {
  readonly groupId: string
  readonly name: string
  readonly members: number
}

/** Actions that are audited. */
export const AUDITED = [
  'add person',
  'reset password',
  'set role',
  'disable person',
  'enable person',
  'export person',
  'erase person',
  'create group',
  'remove group',
  'add to group',
  'remove from group',
  'give source',
  'take source',
  'create collection',
  'rename collection',
  'remove collection',
  'give collection',
  'take collection',
  'set limit',
  'set mailbox',
  'erase mailbox',
  'read executions',
  'read stored table',
  'read access',
  'accept tools',
  'connect source',
  'disconnect source',
] as const
export type Audited = (typeof AUDITED)[number]

/** An audit entry. */
export interface AuditEntry {
  readonly id: number
  readonly at: number
  /** ID of the admin, or `command line`. */
  readonly changedBy: string
  readonly action: Audited
  /** ID of the changed object. */
  readonly target: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** Filter of audit entries. All given fields must match. */
export interface AuditFilter extends Partial<Pick<AuditEntry, 'changedBy' | 'action' | 'target'>> {
  /** Only entries older than the one with this ID. */
  readonly before?: number
}

/** Who may register: everyone or nobody. The first user always may, and becomes admin. */
export const REGISTRATION = ['open', 'closed'] as const
export type Registration = (typeof REGISTRATION)[number]

export type { Seal } from '../storage/sql/sql-store.ts'
