import type { PgBoss } from 'pg-boss'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import type { RunId } from '../domain/events.ts'
import type { Wake, Wakeups } from '../domain/store.ts'
import type { PostgresConnection, Queryable } from './sql/postgres-pool.ts'
import { MIGRATION_LOCK } from './postgres-connection.ts'
import { postgresError } from './sql/postgres-errors.ts'
import { toPostgresQuery, sql } from './sql/query.ts'
import { DEFAULT_CONCURRENCY, type StorageOptions } from './storage.ts'

const QUEUE = 'tutti-runs'
/** With a much shorter time, a worker that computes for a while would count as dead. */
const DEFAULT_HEARTBEAT_SECONDS = 10
const DEFAULT_POLL_SECONDS = 2
const HOUR_SECONDS = 3_600
const YEAR_SECONDS = 365 * 24 * HOUR_SECONDS

export interface PgBossOptions extends StorageOptions {
  /**
   * A worker that has not been heard of for so long counts as dead, and its runs go to others a few seconds later; whole
   * seconds, 10 when absent.
   */
  readonly heartbeatSeconds?: number
  /** How late a timed wake may be; whole seconds, 2 when absent. Immediate ones are announced by NOTIFY. */
  readonly pollSeconds?: number
}

type Handler = (runId: RunId) => Promise<void>

/**
 * Wake-ups through pg-boss, for any number of workers. At most one immediate wake is queued per run, and the queue
 * delivers one job per run at a time. If two workers get a job at the same instant, the claim stops one of them.
 */
export class PgBossWakeups implements Wakeups {
  private readonly boss: PgBoss
  private readonly connection: PostgresConnection
  private readonly options: PgBossOptions
  private readonly active = new Map<RunId, Promise<void>>()
  private working = false

  constructor(boss: PgBoss, connection: PostgresConnection, options: PgBossOptions) {
    this.boss = boss
    this.connection = connection
    this.options = options
  }

  /** Queues wakes in the transaction of `client`. */
  async send(client: Queryable, wakes: readonly Wake[]): Promise<void> {
    // A queued wake is not queued twice. The worker that takes it waits for this lock, and thereby for this
    // transaction, so the activation sees these events even if another process had queued the wake before.
    const runIds = [...new Set(wakes.map((wake) => wake.runId))].sort()
    // An owner with many questions does not delay others: the first question of each owner comes first.
    const { rows } = await client.query(
      toPostgresQuery(sql`SELECT run_id, (SELECT count(*) FROM runs o
          WHERE o.owner = r.owner AND o.status = 'running' AND o.created_at < r.created_at) AS ahead
        FROM runs r WHERE run_id IN ${runIds} ORDER BY run_id FOR UPDATE`),
    )
    const ahead = new Map((rows as { run_id: string; ahead: number }[]).map((row) => [row.run_id, row.ahead]))
    const db = { executeSql: (text: string, values?: unknown[]) => client.query({ text, values: values ?? [] }) }
    await this.boss.insert(
      QUEUE,
      wakes.map(({ runId, at }) => ({
        data: { runId },
        group: { id: runId },
        priority: -(ahead.get(runId) ?? 0),
        singletonKey: at === undefined ? runId : `${runId}@${at}`,
        ...(at === undefined ? {} : { startAfter: new Date(at).toISOString() }),
        heartbeatSeconds: this.options.heartbeatSeconds ?? DEFAULT_HEARTBEAT_SECONDS,
        // The heartbeat shows whether a worker is alive; an activation itself may take long.
        expireInSeconds: 23 * HOUR_SECONDS,
        retryLimit: 1_000_000,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 60,
        retentionSeconds: YEAR_SECONDS,
        deleteAfterSeconds: HOUR_SECONDS,
      })),
      { db },
    )
  }

  async work(handle: Handler): Promise<void> {
    this.working = true
    const { concurrency = DEFAULT_CONCURRENCY, pollSeconds = DEFAULT_POLL_SECONDS } = this.options
    for (let hand = 0; hand < concurrency; hand++) await this.addHand(handle, pollSeconds)
  }

  /** One loop that takes a run after the other. */
  private async addHand(handle: Handler, pollSeconds: number): Promise<void> {
    const id: string = await this.boss.work<{ runId: RunId }>(
      QUEUE,
      { groupConcurrency: 1, pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds },
      async ([job]) => {
        // By default pg-boss waits for the next poll after each job, but more jobs may be waiting.
        this.boss.notifyWorker(id)
        // Fetched while this process was stopping; thrown errors return the job to the queue for another worker.
        if (!this.working) throw new TuttiError('Cancelled', 'This worker is stopping.')
        if (job !== undefined) await this.activate(job.data.runId, handle)
      },
    )
  }

  async stop(): Promise<void> {
    if (!this.working) return
    this.working = false
    await this.boss.offWork(QUEUE, { wait: true })
  }

  /** Activations of one run are serialized, even if the queue delivers it twice. A failed one returns to the queue. */
  private async activate(runId: RunId, handle: Handler): Promise<void> {
    const before = this.active.get(runId)
    const activation = this.after(before, runId, handle)
    this.active.set(runId, activation)
    try {
      await activation
    } catch (error) {
      this.options.onError(toTuttiError(error))
      throw error
    } finally {
      if (this.active.get(runId) === activation) this.active.delete(runId)
    }
  }

  private async after(before: Promise<void> | undefined, runId: RunId, handle: Handler): Promise<void> {
    await before?.catch(() => undefined) // its own activation reports it
    await this.connection.all(sql`SELECT 1 FROM runs WHERE run_id = ${runId} FOR UPDATE`)
    await handle(runId)
  }
}

/**
 * Starts pg-boss on the database of the store. Its tables live in the schema `pgboss`.
 * @throws TuttiError `StorageError` when they cannot be made
 */
export async function startPgBoss(
  url: string,
  connection: PostgresConnection,
  options: PgBossOptions,
): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss')
  const checkSeconds = Math.ceil((options.heartbeatSeconds ?? DEFAULT_HEARTBEAT_SECONDS) / 5)
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'tutti-queue',
    max: 4,
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds: checkSeconds,
    monitorIntervalSeconds: checkSeconds,
    maintenanceIntervalSeconds: HOUR_SECONDS,
  })
  boss.on('error', (error) => options.onError(postgresError(error, connection.server)))
  boss.on('warning', (warning) => options.onError(postgresError(new Error(warning.message), connection.server)))
  try {
    // pg-boss cannot be installed by several processes at once.
    await connection.transaction(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
      await boss.start()
      await boss.createQueue(QUEUE, { policy: 'short', notify: true })
    })
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined) // the error that counts is thrown below
    throw postgresError(error, connection.server)
  }
}
