import type { RunId } from '../domain/events.ts'
import type { Append, AppendOutcome, ClaimedRun, RunStore, Wake } from '../domain/store.ts'
import {
  appendStatement,
  hasSideEffects,
  keepShared,
  lockShared,
  prepareAppend,
  sharedIn,
  sideStatements,
  splitByRun,
  type PreparedAppend,
} from './postgres-append.ts'
import type { PostgresConnection, Queryable } from './sql/postgres-pool.ts'
import type { PostgresFeed } from './postgres-feed.ts'
import { toPostgresQuery, sql } from './sql/query.ts'
import { postgresRunner } from './postgres-connection.ts'
import { SqlRunStore } from './sql-run-store.ts'

/** Queues wakes in the transaction of the given client. */
export type SendWakes = (client: Queryable, wakes: readonly Wake[]) => Promise<void>

/** Runs in PostgreSQL, shared by any number of processes. */
export class PostgresStore extends SqlRunStore {
  readonly feed: PostgresFeed
  private readonly connection: PostgresConnection
  private readonly sendWakes: SendWakes

  constructor(connection: PostgresConnection, feed: PostgresFeed, sendWakes: SendWakes) {
    super(postgresRunner(connection))
    this.connection = connection
    this.feed = feed
    this.sendWakes = sendWakes
  }

  append(appends: readonly Append[], options: { readonly durable?: boolean } = {}): Promise<readonly AppendOutcome[]> {
    return this.connection.withRetry(async (again) => {
      const prepared = appends.map(prepareAppend)
      const appended = await this.appendAll(prepared, options.durable === true)
      const refused = prepared.filter((one) => !appended.has(one))
      // The first attempt may have been committed before its connection broke; then the log contains exactly these
      // events.
      if (again) for (const one of refused) if (await this.isInLog(one)) appended.add(one)
      const epochs = await this.epochsOf(refused)
      return prepared.map((one) => (appended.has(one) ? 'appended' : rejectionOf(one.append, epochs)))
    })
  }

  private async appendAll(prepared: readonly PreparedAppend[], durable: boolean): Promise<Set<PreparedAppend>> {
    const waves = splitByRun(prepared)
    if (waves.length === 1 && !prepared.some(hasSideEffects)) {
      return appliedAppends(waves[0]!, await this.connection.once(appendStatement(waves[0]!, durable)))
    }
    const appended = new Set<PreparedAppend>()
    if (waves.length === 0) return appended
    await this.connection.transaction(async (client) => {
      for (const wave of waves) {
        const { rows } = await client.query(appendStatement(wave, durable))
        for (const one of appliedAppends(wave, rows)) {
          appended.add(one)
          for (const statement of sideStatements(one)) await client.query(statement)
        }
      }
      const shared = sharedIn(appended)
      if (shared.length > 0) {
        const { rows } = await client.query(lockShared(shared))
        const known = new Set((rows as { hash: string }[]).map(({ hash }) => hash))
        const missing = shared.filter(({ hash }) => !known.has(hash))
        if (missing.length > 0) await client.query(keepShared(missing))
      }
      const wakes = [...appended].flatMap((one) => one.append.wakes ?? [])
      if (wakes.length > 0) await this.sendWakes(client, wakes)
    })
    return appended
  }

  private async isInLog({ append, encoded }: PreparedAppend): Promise<boolean> {
    const { runId, afterSeq, events } = append
    const rows = await this.connection.all<{ type: string; at: string; data: string }>(
      sql`SELECT type, at, data FROM events WHERE run_id = ${runId} AND seq > ${afterSeq} ORDER BY seq`,
    )
    return (
      events.length > 0 &&
      events.every((event, index) => {
        const row = rows[index]
        return row?.type === event.type && row.at === event.at && row.data === encoded[index]!.data
      })
    )
  }

  private async epochsOf(refused: readonly PreparedAppend[]): Promise<ReadonlyMap<RunId, number>> {
    if (refused.length === 0) return new Map()
    const runIds = refused.map((one) => one.append.runId)
    const rows = await this.connection.all<{ run_id: RunId; epoch: number }>(
      sql`SELECT run_id, epoch FROM runs WHERE run_id IN ${runIds}`,
    )
    return new Map(rows.map((row) => [row.run_id, row.epoch]))
  }

  claim(...claim: Parameters<RunStore['claim']>): Promise<ClaimedRun | undefined> {
    const { connection } = this
    return connection.withRetry((again) =>
      this.take((query) => connection.once(toPostgresQuery(query)), again, ...claim),
    )
  }

  async close(): Promise<void> {
    await this.feed.close()
    await this.connection.close()
  }
}

function appliedAppends(wave: readonly PreparedAppend[], rows: readonly unknown[]): Set<PreparedAppend> {
  const runIds = new Set((rows as { run_id: RunId }[]).map((row) => row.run_id))
  return new Set(wave.filter((one) => runIds.has(one.append.runId)))
}

function rejectionOf(append: Append, epochs: ReadonlyMap<RunId, number>): AppendOutcome {
  const epoch = epochs.get(append.runId)
  return epoch === undefined || (append.epoch !== undefined && append.epoch !== epoch) ? 'lost' : 'conflict'
}
