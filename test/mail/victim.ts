/** A process that requests and approves a mail, and that the test kills. Settings come as JSON. */
import { systemClock } from '../../src/shared/clock.ts'
import { openStorage } from '../../src/storage/index.ts'
import { approveAll } from '../durability/office.ts'
import { ask, openAccount, openOffice } from './office.ts'

export interface VictimSettings {
  readonly dataDir: string
  readonly imapUrl: string
  readonly smtpUrl: string
  readonly runId: string
  readonly question: string
}

const { dataDir, imapUrl, smtpUrl, runId, question } = JSON.parse(process.argv[2]!) as VictimSettings
const storage = await openStorage({ dataDir, clock: systemClock, onError: (error) => console.error(error) })
const engine = openOffice(storage.store, openAccount(imapUrl, smtpUrl))
await engine.start(ask(question), { runId })
await approveAll(engine, storage.store, runId)
await engine.close()
await storage.close()
console.log('survived')
