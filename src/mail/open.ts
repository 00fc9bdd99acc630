import { resolve } from 'node:path'
import { TuttiError } from '../domain/errors.ts'
import type { HttpClient } from '../http/client.ts'
import type { ConnectTarget } from '../http/connect.ts'
import { isMailAddress } from '../shared/mail-address.ts'
import { bareAddress, parseAddress } from './address.ts'
import { gmailAccount } from './gmail/account.ts'
import type { GmailCredentials } from './gmail/token.ts'
import { imapAccount } from './imap/account.ts'
import { parseServerUrl } from './imap/settings.ts'
import { maildirAccount } from './maildir/account.ts'
import type { MailAccount } from './types.ts'

/** How an account is set up. */
export interface MailConfig {
  /** `imaps://user:password@host`, `imap://…`, `maildir:path` or `gmail:`. */
  readonly url: string
  /** `smtps://user:password@host` or `smtp://…`; user and password default to those of IMAP. */
  readonly smtpUrl?: string
  /** `Name <address>` or only the address. Default: the user of the account, if it is an address. */
  readonly from?: string
  readonly gmail?: Partial<GmailCredentials>
}

export interface MailDeps {
  /** The guarded client; Gmail is reached through it. */
  readonly http: HttpClient
  /** Where relative paths start. */
  readonly cwd: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** How to connect to IMAP and SMTP servers; any host when absent. */
  readonly target?: ConnectTarget
}

/**
 * Creates the account, which connects on first use.
 * @throws TuttiError `ConfigurationError` that names the missing settings, never a password
 */
export function openMailAccount(config: MailConfig, { http, cwd, now, target }: MailDeps): MailAccount {
  const scheme = /^[a-z]+:/i.exec(config.url)?.[0].toLowerCase()
  switch (scheme) {
    case 'maildir:': {
      const path = config.url.slice(scheme.length)
      if (path === '') throw wrong('Name the folder of the local mailbox, such as maildir:/var/mail/ada.')
      return maildirAccount({ folder: resolve(cwd, path), address: from(config, 'me@localhost'), now })
    }
    case 'gmail:':
      return gmailAccount({ credentials: credentials(config), http, address: from(config, undefined), now })
    case 'imap:':
    case 'imaps:': {
      const imap = parseServerUrl(config.url, 'imap')
      const smtp = config.smtpUrl === undefined ? undefined : parseServerUrl(config.smtpUrl, 'smtp')
      const withUser =
        smtp?.user === '' && smtp.security !== 'plain' ? { ...smtp, user: imap.user, password: imap.password } : smtp
      const reached = target === undefined ? {} : { target }
      return imapAccount({
        imap: { ...imap, ...reached },
        address: from(config, isMailAddress(imap.user) ? imap.user : undefined),
        now,
        ...(withUser === undefined ? {} : { smtp: { ...withUser, ...reached } }),
      })
    }
    default:
      throw wrong('The mail account must be imaps://user:password@host, maildir:path or gmail:.')
  }
}

function from({ from: given }: MailConfig, fallback: string | undefined): string {
  const text = given ?? fallback
  if (text === undefined) throw wrong('Set TUTTI_MAIL_FROM to the address that mails are sent from.')
  try {
    const address = parseAddress(text)
    return address.name === '' ? bareAddress(text) : text
  } catch (thrown) {
    throw wrong(`The address that mails are sent from is not valid: ${(thrown as Error).message}`)
  }
}

function credentials({ gmail = {} }: MailConfig): GmailCredentials {
  const { refreshToken, clientId } = gmail
  if (refreshToken !== undefined && clientId !== undefined) return { ...gmail, refreshToken, clientId }
  throw wrong('Gmail needs TUTTI_GMAIL_REFRESH_TOKEN with TUTTI_GMAIL_CLIENT_ID and TUTTI_GMAIL_CLIENT_SECRET.')
}

function wrong(message: string): TuttiError {
  return new TuttiError('ConfigurationError', message)
}
