import type { HttpClient } from '../http/client.ts'
import { openMailAccount, type MailConfig } from '../mail/open.ts'
import type { MailAccount } from '../mail/types.ts'
import type { Checked } from './check-options.ts'
import { defined } from './options.ts'

/** The mailbox of the mail agent, where there is one. */
export function openMail({ mail: given, config, cwd, clock }: Checked, http: HttpClient): MailAccount | undefined {
  const { url, smtpUrl, from } = config.mail
  const written: MailConfig | undefined = url === undefined ? undefined : { url, ...defined({ smtpUrl, from }) }
  const account = given ?? written
  return account === undefined ? undefined : openMailAccount(account, { http, cwd, now: () => clock.now() })
}
