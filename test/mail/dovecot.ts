/** Debian's dovecot as a process of its own, over a Maildir in a temporary folder, on a free port of 127.0.0.1. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { writeDemoMailbox } from '../../src/app/demo-data.ts'
import { freePort } from '../support/free-port.ts'

/** Empty where dovecot can be started, else why not. */
export const DOVECOT_MISSING = spawnSync('dovecot', ['--version']).status === 0 ? '' : 'dovecot is not installed'

export interface ImapServer {
  /** `imap://lars:${password}@127.0.0.1:port` */
  readonly url: string
  readonly port: number
  /** Raw mails of a folder: `.`, `.Sent`, `.Drafts`. */
  mails(place: string): Promise<readonly string[]>
  /** Number of unread mails in the inbox. */
  unread(): Promise<number>
  /** Puts a mail into the inbox, as a mail server does. */
  deliver(raw: string): Promise<void>
  /** Empties the mailbox and fills it with that of the demo. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** User and group that own the mails: dovecot refuses to read mail as root. */
const [UID, GID] = userInfo().uid === 0 ? [8, 8] : [userInfo().uid, userInfo().gid]

export async function startDovecot(password = 'secret'): Promise<ImapServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-dovecot-'))
  await chmod(folder, 0o755)
  const mail = join(folder, 'mail')
  const port = await freePort()
  const isRoot = userInfo().uid === 0
  await mkdir(join(folder, 'run'))
  await writeFile(join(folder, 'dovecot.conf'), settings({ folder, port, isRoot, password }))
  const server = spawn('dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
  const trouble: string[] = []
  server.stderr.setEncoding('utf8').on('data', (text: string) => trouble.push(text))
  const ended = once(server, 'exit')
  let delivered = 0

  const reset = async (): Promise<void> => {
    const fresh = join(folder, 'demo')
    await writeDemoMailbox(fresh)
    await mkdir(mail, { recursive: true })
    // The mailboxes stay, so that their UIDs keep rising as in a mailbox in use.
    for (const place of ['.', '.Sent', '.Drafts']) {
      for (const part of ['cur', 'new', 'tmp']) {
        await mkdir(join(mail, place, part), { recursive: true })
        const old = await readdir(join(mail, place, part))
        await Promise.all(old.map((name) => rm(join(mail, place, part, name))))
      }
      for (const name of await readdir(join(fresh, place, 'cur'))) {
        await writeFile(join(mail, place, 'cur', name), await readFile(join(fresh, place, 'cur', name)))
      }
    }
    await give(mail)
  }
  await reset()
  await listening(port, ended, trouble)
  return {
    url: `imap://lars:${password}@127.0.0.1:${port}`,
    port,
    async mails(place) {
      const found: string[] = []
      for (const part of ['cur', 'new']) {
        const names = await readdir(join(mail, place, part))
        const texts = await Promise.all(names.map((name) => textOf(join(mail, place, part, name))))
        found.push(...texts.flatMap((text) => text ?? []))
      }
      return found
    },
    async unread() {
      const names = (await Promise.all(['cur', 'new'].map((part) => readdir(join(mail, part))))).flat()
      return names.filter((name) => !/:2,[A-Z]*S/.test(name)).length
    },
    async deliver(raw) {
      const path = join(mail, 'new', `${Math.floor(Date.now() / 1000)}.delivered${++delivered}.test`)
      await writeFile(path, raw.replaceAll('\r\n', '\n'))
      await chown(path, UID, GID)
    },
    reset,
    async close() {
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function give(folder: string): Promise<void> {
  await chown(folder, UID, GID)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chown(join(entry.parentPath, entry.name), UID, GID)
  }
}

function settings({
  folder,
  port,
  isRoot,
  password,
}: {
  readonly folder: string
  readonly port: number
  readonly isRoot: boolean
  readonly password: string
}): string {
  const me = userInfo().username
  const group = spawnSync('id', ['-gn'], { encoding: 'utf8' }).stdout.trim()
  return `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log
protocols = imap
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
mail_location = maildir:${folder}/mail
first_valid_uid = 1
mail_uid = ${UID}
mail_gid = ${GID}
${isRoot ? '' : `default_internal_user = ${me}\ndefault_login_user = ${me}\ndefault_internal_group = ${group}`}
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${UID} gid=${GID} home=${folder}
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    special_use = \\Sent
    auto = subscribe
  }
  mailbox Drafts {
    special_use = \\Drafts
    auto = subscribe
  }
}
service imap-login {
  ${isRoot ? '' : 'chroot ='}
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
${isRoot ? '' : 'service anvil {\n  chroot =\n}'}
`
}

async function listening(port: number, ended: Promise<unknown>, trouble: readonly string[]): Promise<void> {
  const state = { isOver: false }
  void ended.then(() => (state.isOver = true))
  for (;;) {
    if (state.isOver) throw new Error(`dovecot ended at once: ${trouble.join('')}`)
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Undefined when the server has moved or removed the file since it was listed. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw thrown
  }
}
