import type { Role, Scope } from '../domain/caller.ts'

/** An account. Its id is the owner of runs, documents and memory, and never changes. */
export interface Person {
  readonly userId: string
  /** With which they log in, as they wrote it; upper and lower case are one name. */
  readonly username: string
  readonly displayName: string
  readonly email?: string
  readonly role: Role
  readonly isDisabled: boolean
  /** Whoever has none signs in with a provider, or has chosen none yet. */
  readonly hasPassword: boolean
  /** Whether they have a second factor. */
  readonly hasSecondFactor: boolean
  /** Milliseconds since the epoch, as all times here. */
  readonly createdAt: number
}

/** A place where somebody is logged in. */
export interface Session {
  readonly sessionId: string
  /** What is known of the place, such as the browser's own name. */
  readonly fromWhere: string
  readonly startedAt: number
  readonly lastUsedAt: number
}

export interface ApiKey {
  readonly keyId: string
  readonly name: string
  /** The first characters, by which its owner knows it; the rest is kept nowhere. */
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

/** An invitation that nobody has used yet. */
export interface Invitation {
  readonly invitationId: string
  readonly role: Role
  /** The id of the admin, or `command line`; absent of those from before this was kept. */
  readonly madeBy?: string
  readonly madeAt: number
  readonly expiresAt: number
}

/** What is in the audit. */
export const AUDITED = [
  'add person',
  'invite',
  'withdraw invitation',
  'reset password',
  'take second factor',
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
  'keep verified question',
] as const
export type Audited = (typeof AUDITED)[number]

/** One change that an admin made. */
export interface AuditEntry {
  readonly id: number
  readonly at: number
  /** The id of the admin, or `command line`. */
  readonly changedBy: string
  readonly action: Audited
  /** Whom or what it changed. */
  readonly target: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** Which changes are looked for; all of those that are said hold. */
export interface AuditFilter extends Partial<Pick<AuditEntry, 'changedBy' | 'action' | 'target'>> {
  /** Only those that were made before the one of this id. */
  readonly before?: number
}

/** Who may make an account: everyone, whoever was invited, or nobody. The first person always may, and is admin. */
export const REGISTRATION = ['open', 'invitation', 'closed'] as const
export type Registration = (typeof REGISTRATION)[number]

/** Encrypts what is kept, for one place only, with the key of the installation. */
export interface Seal {
  close(text: string, place: string): Promise<string>
  /** Undefined when it was sealed with another key. */
  open(sealed: string, place: string): Promise<string | undefined>
}
