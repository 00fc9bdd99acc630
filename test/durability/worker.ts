/** A worker that takes runs from the queue in PostgreSQL until SIGTERM. The first argument holds its settings as JSON. */
import { systemClock } from '../../src/shared/clock.ts'
import { createPostgresStorage } from '../../src/storage/postgres-storage.ts'
import { openOffice } from './office.ts'

export interface WorkerSettings {
  readonly databaseUrl: string
  readonly modelUrl: string
  readonly outbox: string
}

const { databaseUrl, modelUrl, outbox } = JSON.parse(process.argv[2]!) as WorkerSettings
const storage = await createPostgresStorage(databaseUrl, {
  clock: systemClock,
  concurrency: 5,
  heartbeatSeconds: 10,
  onError: () => undefined, // a run that another worker holds goes back to the queue, which is expected here
})
const engine = openOffice({ ...storage, modelUrl, outbox, isTrusting: true })
await engine.work()
process.once('SIGTERM', () => {
  void engine.close().then(() => storage.close())
})
console.log('working')
