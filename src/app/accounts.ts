import { createPeople, type People } from '../accounts/people.ts'
import type { Seal } from '../accounts/types.ts'
import type { Storage } from '../storage/index.ts'
import type { Checked } from './check-options.ts'
import { openMailboxes, type OwnMailboxes } from './mailboxes.ts'
import { providerFetch } from './network.ts'
import { sealWith } from './secrets.ts'

export interface Accounts {
  readonly people: People
  readonly mailboxes: OwnMailboxes
  /** Encrypts what is stored for a user. */
  readonly seal: Seal
}

/** Opens accounts and related stores. */
export function openAccounts(options: Checked, { sql, key }: Pick<Storage, 'sql' | 'key'>): Accounts {
  const { config, clock } = options
  const seal = sealWith(key)
  const people = createPeople(sql, clock, seal, { ...config.people, send: providerFetch(options) })
  return { people, seal, mailboxes: openMailboxes(people.mailboxes, config.mail.personalServers, clock) }
}
