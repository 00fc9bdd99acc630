import { join } from 'node:path'
import { INBOX } from './inbox.ts'
import { DRAFTS, SENT, type DemoMail } from './mails.ts'
import { rfc822 } from './rfc822.ts'

/**
 * The mails of the demo business by their paths in a Maildir (Maildir++: `.Sent` and `.Drafts` beside the inbox). A semicolon
 * stands before the flags, since Git cannot check out a colon on Windows.
 */
export function makeMailFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...mailFiles('.', INBOX, (mail) => (mail.isUnread === true ? '' : 'S')),
    ...mailFiles('.Sent', SENT, () => 'S'),
    ...mailFiles('.Drafts', DRAFTS, () => 'DS'),
  ])
}

function mailFiles(place: string, mails: readonly DemoMail[], flags: (mail: DemoMail) => string): [string, string][] {
  return mails.map((mail) => {
    const seconds = Date.parse(`${mail.sentAt.replace(' ', 'T')}:00Z`) / 1000
    return [join(place, 'cur', `${seconds}.${mail.id}.brindlemoor;2,${flags(mail)}`), rfc822(mail)]
  })
}
