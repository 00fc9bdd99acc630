import type { HttpClient } from '../http/client.ts'
import { guardedTarget } from '../http/connect.ts'
import { openMailAccount, type MailConfig } from '../mail/open.ts'
import type { MailAccount } from '../mail/types.ts'
import type { Checked } from './check-options.ts'
import { listedHosts } from './network.ts'
import { omitUndefined } from '../shared/json.ts'

/** The mailbox of the mail agent, if configured. */
export function openMail(options: Checked, http: HttpClient): MailAccount | undefined {
  const { mail: given, config, cwd, clock } = options
  const { url, smtpUrl, from, publicOnly } = config.mail
  const written: MailConfig | undefined = url === undefined ? undefined : { url, ...omitUndefined({ smtpUrl, from }) }
  const account = given ?? written
  if (account === undefined) return undefined
  const isGuarded = given === undefined && publicOnly === true
  const target = isGuarded ? guardedTarget({ allowHosts: listedHosts(options) }) : undefined
  return openMailAccount(account, { http, cwd, now: () => clock.now(), ...omitUndefined({ target }) })
}
