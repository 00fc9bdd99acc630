import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunEvent } from '../../src/domain/events.ts'
import type { RunStore } from '../../src/domain/store.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { MailAccount } from '../../src/mail/types.ts'
import { eventually, mortal } from '../support/engine-world.ts'
import { createStorageWorld, type StorageWorld } from '../support/storage.ts'
import { openForAll } from '../support/opened.ts'
import { DOVECOT_MISSING, startDovecot } from './dovecot.ts'
import { ask, later, openAccount, openOffice } from './office.ts'
import { startMailServer } from './smtp.ts'
import type { VictimSettings } from './victim.ts'

const SEND = 'Send a mail to dara.tolliver@brindlemoor-coffee.example saying that the invoice is paid'
const title = DOVECOT_MISSING === '' ? '' : ` (skipped: ${DOVECOT_MISSING})`

type Requested = Extract<RunEvent, { type: 'approval.requested' }>

describe.skipIf(DOVECOT_MISSING !== '')(`mails through the engine${title}`, () => {
  const imap = openForAll(() => startDovecot())
  const smtp = openForAll(() => startMailServer())
  let account: MailAccount
  let world: StorageWorld
  let store: RunStore

  beforeAll(() => void (account = openAccount(imap.url, smtp.url)))

  beforeEach(async () => {
    world = await createStorageWorld('SQLite', '')
    store = (await world.open()).store
  })

  afterEach(async () => {
    smtp.behave({})
    await imap.reset()
    await world.close()
  })

  /** Mails taken for Dara since the test began. */
  const takenSince = (count: number) => smtp.taken.slice(count)

  /** The nth question of a run to a person. */
  function asked(engine: Engine, runId: string, nth = 1): Promise<Requested> {
    return eventually(async () => {
      const requests = (await engine.events(runId)).filter((event) => event.type === 'approval.requested')
      return requests[nth - 1]
    })
  }

  async function resultOf(engine: Engine, runId: string) {
    return (await engine.outcome(runId)).jobs.get('mail')?.result
  }

  it('is not sent twice when the worker dies between “sent” and “recorded”', async () => {
    const before = smtp.taken.length
    const dying = mortal(store)
    const first = openOffice(dying, account)
    const runId = await first.start(ask(SEND))
    const { approvalId } = await asked(first, runId)
    smtp.behave({ onTaken: () => dying.crash() })
    await first.decide(approvalId, 'approved', 'tester')
    // The server takes the mail and its copy is stored. The result never reaches the log.
    await eventually(async () => (await account.search('sent', 'subject:"invoice is paid"', 5)).length === 1)
    await eventually(async () => !(await imap.mails('.Drafts')).some((raw) => raw.includes('X-Tutti-State')))

    const second = openOffice(store, account, { clock: later })
    void second.resume(runId)
    expect(await resultOf(second, runId)).toMatchObject({
      status: 'succeeded',
      data: { action: 'send', sent: { id: expect.stringMatching(/^sent\./) } },
    })
    expect(takenSince(before)).toHaveLength(1)
    await second.close()
  })

  /** Runs until the parent kills it. */
  async function runVictim(settings: VictimSettings, until: (kill: () => void) => void): Promise<void> {
    const program = join(import.meta.dirname, 'victim.ts')
    const child = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify(settings)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const closed = once(child, 'close')
    until(() => child.kill('SIGKILL'))
    expect((await closed)[1]).toBe('SIGKILL')
  }

  it.each([
    ['before the server took it', 0, 'onSender', 'approved', 'succeeded'],
    ['right after the server took it', 1, 'onTaken', 'denied', 'failed'],
  ] as const)(
    'asks the user when it was killed %s',
    { timeout: 60_000 },
    async (_when, count, moment, decision, end) => {
      const before = smtp.taken.length
      const runId = `run ${randomUUID()}`
      const settings = {
        dataDir: world.settings.dataDir!,
        imapUrl: imap.url,
        smtpUrl: smtp.url,
        runId,
        question: SEND,
      }
      await runVictim(settings, (kill) => smtp.behave({ [moment]: kill }))
      smtp.behave({})
      expect(takenSince(before)).toHaveLength(count)

      const engine = openOffice(store, account, { clock: later })
      void engine.resume(runId)
      const again = await asked(engine, runId, 2)
      expect(again.reason).toContain('may already have happened')
      await engine.decide(again.approvalId, decision, 'tester')
      expect(await resultOf(engine, runId)).toMatchObject({ status: end })
      expect(takenSince(before)).toHaveLength(1)
      await engine.close()
    },
  )

  it('continues automatically when it died before any effect', async () => {
    const before = smtp.taken.length
    const dying = mortal(store)
    const unable: MailAccount = {
      ...account,
      send: () => {
        dying.crash()
        return new Promise(() => undefined)
      },
    }
    const first = openOffice(dying, unable)
    const runId = await first.start(ask(SEND))
    await first.decide((await asked(first, runId)).approvalId, 'approved', 'tester')
    await eventually(async () => (await store.read(runId)).some((event) => event.type === 'effect.intended'))
    const second = openOffice(store, account, { clock: later })
    void second.resume(runId)
    expect(await resultOf(second, runId)).toMatchObject({ status: 'succeeded', data: { action: 'send' } })
    expect(takenSince(before)).toHaveLength(1)
    await second.close()
  })
})
