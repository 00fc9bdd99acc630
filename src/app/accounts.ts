import { createPeople } from '../accounts/people.ts'
import type { Storage } from '../storage/index.ts'
import type { Settings } from './check-options.ts'
import { openMailboxes } from './mailboxes.ts'
import { providerFetch } from './network.ts'
import { sealWith } from './secrets.ts'

/** Opens accounts and related stores. */
export function openAccounts(options: Settings, { sql, key }: Pick<Storage, 'sql' | 'key'>) {
  const { config, clock } = options
  const seal = sealWith(key)
  const people = createPeople(sql, clock, seal, { ...config.people, send: providerFetch(options) })
  return {
    people,
    /** Encrypts what is stored for a user. */
    seal,
    mailboxes: openMailboxes(people.mailboxes, config.mail.personalServers, clock),
  }
}
