import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { INBOX } from './inbox.ts'
import { DRAFTS, OWNER, SENT, type DemoMail } from './mails.ts'
import { rfc822 } from './rfc822.ts'

/** What was written, for a line to the user. */
export interface DemoMailbox {
  readonly folder: string
  /** `Name <address>` of its owner. */
  readonly owner: string
  readonly mails: number
}

/**
 * Writes the mailbox of the demo business as a Maildir (Maildir++: `.Sent` and `.Drafts` beside the inbox), the same files
 * each time. A mailbox that is there already is replaced, with what was drafted or sent in it.
 */
export async function writeDemoMailbox(folder: string): Promise<DemoMailbox> {
  const fresh = `${folder}.new`
  await rm(fresh, { recursive: true, force: true })
  await writeFolder(fresh, INBOX, (mail) => (mail.isUnread === true ? '' : 'S'))
  await writeFolder(join(fresh, '.Sent'), SENT, () => 'S')
  await writeFolder(join(fresh, '.Drafts'), DRAFTS, () => 'DS')
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
  return { folder, owner: OWNER, mails: INBOX.length + SENT.length + DRAFTS.length }
}

async function writeFolder(
  folder: string,
  mails: readonly DemoMail[],
  flags: (mail: DemoMail) => string,
): Promise<void> {
  await Promise.all(['cur', 'new', 'tmp'].map((part) => mkdir(join(folder, part), { recursive: true })))
  for (const mail of mails) {
    const at = new Date(`${mail.sentAt.replace(' ', 'T')}:00Z`)
    const path = join(folder, 'cur', `${at.getTime() / 1000}.${mail.id}.brindlemoor:2,${flags(mail)}`)
    await writeFile(path, rfc822(mail))
    await utimes(path, at, at)
  }
}
