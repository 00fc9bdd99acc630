import type { RunEvent, RunId } from '../core/events.ts'
import type { Owner } from '../core/owner.ts'
import type {
  Append,
  AppendOutcome,
  ApprovalFilter,
  ApprovalRecord,
  RunFilter,
  RunRecord,
  RunStore,
  Wake,
} from '../core/store.ts'
import {
  appendStatement,
  hasSideEffects,
  prepareAppend,
  sideStatements,
  wavesOf,
  type PreparedAppend,
} from './postgres-append.ts'
import type { PostgresConnection, Queryable } from './postgres-connection.ts'
import type { PostgresFeed } from './postgres-feed.ts'
import { isHeld } from './projection.ts'
import { queriesFor } from './queries.ts'
import { removal } from './removal.ts'
import { toApprovalRecord, toRunRecord, type ApprovalRow, type EventRow, type RunRow } from './rows.ts'
import { postgresEvents } from './run-values.ts'
import { postgresRunner } from './sql-runner.ts'

/** Queues wakes in the transaction of the given client. */
export type SendWakes = (client: Queryable, wakes: readonly Wake[]) => Promise<void>

/** Runs in PostgreSQL, shared by any number of processes. */
export class PostgresStore implements RunStore {
  readonly feed: PostgresFeed
  private readonly connection: PostgresConnection
  private readonly sendWakes: SendWakes
  private readonly queries = queriesFor('postgres')

  constructor(connection: PostgresConnection, feed: PostgresFeed, sendWakes: SendWakes) {
    this.connection = connection
    this.feed = feed
    this.sendWakes = sendWakes
  }

  append(appends: readonly Append[], options: { readonly durable?: boolean } = {}): Promise<readonly AppendOutcome[]> {
    return this.connection.withRetry(async (again) => {
      const prepared = appends.map(prepareAppend)
      const appended = await this.appendAll(prepared, options.durable === true)
      const refused = prepared.filter((one) => !appended.has(one))
      // The first try may have been committed before its connection broke; if the log holds exactly this, it is ours.
      if (again) for (const one of refused) if (await this.isInLog(one)) appended.add(one)
      const epochs = await this.epochsOf(refused)
      return prepared.map((one) => (appended.has(one) ? 'appended' : whyNot(one.append, epochs)))
    })
  }

  private async appendAll(prepared: readonly PreparedAppend[], durable: boolean): Promise<Set<PreparedAppend>> {
    const waves = wavesOf(prepared)
    if (waves.length === 1 && !prepared.some(hasSideEffects)) {
      return taken(waves[0]!, await this.connection.once(appendStatement(waves[0]!, durable)))
    }
    const appended = new Set<PreparedAppend>()
    if (waves.length === 0) return appended
    await this.connection.transaction(async (client) => {
      for (const wave of waves) {
        const { rows } = await client.query(appendStatement(wave, durable))
        for (const one of taken(wave, rows)) {
          appended.add(one)
          for (const statement of sideStatements(one)) await client.query(statement)
        }
      }
      const wakes = [...appended].flatMap((one) => one.append.wakes ?? [])
      if (wakes.length > 0) await this.sendWakes(client, wakes)
    })
    return appended
  }

  private async isInLog({ append, encoded }: PreparedAppend): Promise<boolean> {
    const { runId, afterSeq, events } = append
    const rows = await this.connection.all<EventRow>(this.queries.events(runId, afterSeq))
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
    const rows = await this.connection.all<Pick<RunRow, 'run_id' | 'epoch'>>(this.queries.epochs(runIds))
    return new Map(rows.map((row) => [row.run_id, row.epoch]))
  }

  async read(runId: RunId, afterSeq = 0): Promise<readonly RunEvent[]> {
    const rows = await this.connection.all<EventRow>(this.queries.events(runId, afterSeq))
    return (await postgresEvents(this.connection, runId, rows)).events
  }

  async run(runId: RunId): Promise<RunRecord | undefined> {
    const [row] = await this.connection.all<RunRow>(this.queries.run(runId))
    return row === undefined ? undefined : toRunRecord(row)
  }

  async runs(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    return (await this.connection.all<RunRow>(this.queries.runs(filter))).map(toRunRecord)
  }

  async approvals(filter: ApprovalFilter = {}): Promise<readonly ApprovalRecord[]> {
    return (await this.connection.all<ApprovalRow>(this.queries.approvals(filter))).map(toApprovalRecord)
  }

  claim(
    runId: RunId,
    worker: string,
    leaseUntil: number,
    now: number,
    isAlive?: (worker: string) => boolean,
  ): Promise<RunRecord | undefined> {
    return this.connection.withRetry(async (again) => {
      const seen = await this.run(runId)
      if (seen === undefined) return undefined
      // Taken by the first try, whose answer was lost with its connection.
      if (again && seen.worker === worker && seen.leaseUntil === leaseUntil) return seen
      if (isHeld(seen, now, isAlive)) return undefined
      const { sql, parameters } = this.queries.claim(seen, worker, leaseUntil, now)
      const [row] = await this.connection.once({ text: sql, values: [...parameters] })
      // Read before: what an approver has appended in between is in the log, where the new holder looks next.
      return row === undefined ? undefined : { ...seen, epoch: seen.epoch + 1, worker, leaseUntil }
    })
  }

  async renew(runId: RunId, epoch: number, leaseUntil: number): Promise<boolean> {
    return (await this.connection.all(this.queries.renew(runId, epoch, leaseUntil))).length === 1
  }

  async release(runId: RunId, epoch: number): Promise<void> {
    await this.connection.all(this.queries.release(runId, epoch))
  }

  remove(owner: Owner, runId: RunId): Promise<number> {
    return postgresRunner(this.connection).write(owner, () => removal('postgres', owner, runId))
  }

  async close(): Promise<void> {
    await this.feed.close()
    await this.connection.close()
  }
}

function taken(wave: readonly PreparedAppend[], rows: readonly unknown[]): Set<PreparedAppend> {
  const runIds = new Set((rows as { run_id: RunId }[]).map((row) => row.run_id))
  return new Set(wave.filter((one) => runIds.has(one.append.runId)))
}

function whyNot(append: Append, epochs: ReadonlyMap<RunId, number>): AppendOutcome {
  const epoch = epochs.get(append.runId)
  return epoch === undefined || (append.epoch !== undefined && append.epoch !== epoch) ? 'lost' : 'conflict'
}
