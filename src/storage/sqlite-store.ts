import type { Kysely } from 'kysely'
import type { NewEvent, RunEvent, RunId } from '../core/events.ts'
import type {
  Append,
  AppendOutcome,
  ApprovalFilter,
  ApprovalRecord,
  RunFilter,
  RunRecord,
  RunStore,
} from '../core/store.ts'
import { approvalOf, isHeld, lastTime, startOf } from './projection.ts'
import { queries } from './queries.ts'
import {
  decodeEvent,
  displayText,
  encodeEvent,
  toApprovalRecord,
  toApprovalRow,
  toRunRecord,
  toRunRow,
  type ApprovalRow,
  type EventRow,
  type RunRow,
} from './rows.ts'
import { compiler, type Tables } from './schema.ts'
import type { SqliteConnection, SqliteValue, Statement } from './sqlite-connection.ts'

const RUN_COLUMNS =
  'run_id, question, strategy, status, parent_id, last_seq, epoch, worker, lease_until, created_at, updated_at'
const APPROVAL_COLUMNS =
  'run_id, approval_id, key, path, tool, payload, reason, status, requested_at, expires_at, decided_by, decided_at'

const places = (columns: string): string => columns.replaceAll(/\w+/g, '?')

/** The statements of the hot path, prepared once. */
function prepareAll(connection: SqliteConnection): Readonly<Record<StatementName, Statement>> {
  const prepare = (sql: string): Statement => connection.prepare(sql)
  // The status has an index, which an update without it leaves alone.
  const move = (also: string): string =>
    `UPDATE runs SET last_seq = ?, updated_at = coalesce(?, updated_at)${also} WHERE run_id = ? AND last_seq = ?`
  return {
    start: prepare(`INSERT INTO runs (${RUN_COLUMNS}) VALUES (${places(RUN_COLUMNS)}) ON CONFLICT DO NOTHING`),
    move: prepare(move('')),
    moveStatus: prepare(move(', status = ?')),
    moveAs: prepare(`${move('')} AND epoch = ?`),
    moveStatusAs: prepare(`${move(', status = ?')} AND epoch = ?`),
    epoch: prepare('SELECT epoch FROM runs WHERE run_id = ?'),
    event: prepare('INSERT INTO events (run_id, seq, type, at, v, data) VALUES (?, ?, ?, ?, 1, ?)'),
    approval: prepare(`INSERT INTO approvals (${APPROVAL_COLUMNS}) VALUES (${places(APPROVAL_COLUMNS)})`),
    decide: prepare(
      `UPDATE approvals SET status = ?, decided_by = ?, decided_at = ?
       WHERE run_id = ? AND approval_id = ? AND status = 'pending'`,
    ),
    wake: prepare('INSERT INTO wakes (run_id, at) VALUES (?, ?)'),
  }
}

type StatementName =
  | 'start'
  | 'move'
  | 'moveStatus'
  | 'moveAs'
  | 'moveStatusAs'
  | 'epoch'
  | 'event'
  | 'approval'
  | 'decide'
  | 'wake'

/** Runs in one SQLite file, which several processes of one machine may share. */
export class SqliteStore implements RunStore {
  private readonly connection: SqliteConnection
  private readonly statements: Readonly<Record<StatementName, Statement>>
  private readonly db: Kysely<Tables> = compiler('sqlite')
  private readonly onWake: () => void

  /** @param onWake called after a commit that recorded wakes */
  constructor(connection: SqliteConnection, onWake: () => void) {
    this.connection = connection
    this.statements = prepareAll(connection)
    this.onWake = onWake
  }

  async append(
    appends: readonly Append[],
    options: { readonly durable?: boolean } = {},
  ): Promise<readonly AppendOutcome[]> {
    // Before the transaction: what cannot be encoded must not hold the lock.
    const encoded = appends.map((append) => append.events.map((event) => encodeEvent(append.runId, event)))
    let woke = false
    const outcomes = this.connection.transaction(options.durable === true, () =>
      appends.map((append, index) => {
        const outcome = this.appendOne(append, encoded[index]!)
        if (outcome === 'appended') woke = this.recordWakes(append) || woke
        return outcome
      }),
    )
    if (woke) this.onWake()
    return outcomes
  }

  private appendOne(append: Append, data: readonly string[]): AppendOutcome {
    if (!this.moveOn(append) && !this.startRun(append)) return this.whyNot(append)
    const { runId, events } = append
    let seq = append.afterSeq
    for (const [index, event] of events.entries()) {
      this.statements.event.run([runId, ++seq, event.type, event.at, data[index]!])
      if (event.type === 'approval.requested' || event.type === 'approval.decided') this.project(runId, event)
    }
    return 'appended'
  }

  private moveOn(append: Append): boolean {
    const { runId, afterSeq, epoch, events, status } = append
    if (afterSeq === 0) return false
    const values: SqliteValue[] = [afterSeq + events.length, lastTime(events) ?? null]
    if (status !== undefined) values.push(status)
    values.push(runId, afterSeq)
    if (epoch !== undefined) values.push(epoch)
    const { move, moveAs, moveStatus, moveStatusAs } = this.statements
    const statement = epoch === undefined ? (status ? moveStatus : move) : status ? moveStatusAs : moveAs
    return statement.run(values).changes === 1
  }

  private startRun(append: Append): boolean {
    const run = startOf(append)
    return run !== undefined && this.statements.start.run(Object.values(toRunRow(run))).changes === 1
  }

  private whyNot(append: Append): AppendOutcome {
    const row = this.statements.epoch.get([append.runId]) as { epoch: number } | undefined
    return row === undefined || (append.epoch !== undefined && append.epoch !== row.epoch) ? 'lost' : 'conflict'
  }

  private project(runId: RunId, event: Extract<NewEvent, { type: 'approval.requested' | 'approval.decided' }>): void {
    if (event.type === 'approval.requested') {
      this.statements.approval.run(Object.values(toApprovalRow(approvalOf(runId, event))))
      return
    }
    const { decision, by, at, approvalId } = event
    this.statements.decide.run([decision, displayText(by), Date.parse(at), runId, approvalId])
  }

  private recordWakes(append: Append): boolean {
    for (const wake of append.wakes ?? []) this.statements.wake.run([wake.runId, wake.at ?? 0])
    return (append.wakes?.length ?? 0) > 0
  }

  async read(runId: RunId, afterSeq = 0): Promise<readonly RunEvent[]> {
    return this.connection.all<EventRow>(queries.events(this.db, runId, afterSeq)).map(decodeEvent)
  }

  async run(runId: RunId): Promise<RunRecord | undefined> {
    const [row] = this.connection.all<RunRow>(queries.run(this.db, runId))
    return row === undefined ? undefined : toRunRecord(row)
  }

  async runs(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    return this.connection.all<RunRow>(queries.runs(this.db, filter)).map(toRunRecord)
  }

  async approvals(filter: ApprovalFilter = {}): Promise<readonly ApprovalRecord[]> {
    return this.connection.all<ApprovalRow>(queries.approvals(this.db, filter)).map(toApprovalRecord)
  }

  async claim(
    runId: RunId,
    worker: string,
    leaseUntil: number,
    now: number,
    isAlive?: (worker: string) => boolean,
  ): Promise<RunRecord | undefined> {
    const seen = await this.run(runId)
    if (seen === undefined || isHeld(seen, now, isAlive)) return undefined
    const [row] = this.connection.all<RunRow>(queries.claim(this.db, seen, worker, leaseUntil, now))
    return row === undefined ? undefined : toRunRecord(row)
  }

  async renew(runId: RunId, epoch: number, leaseUntil: number): Promise<boolean> {
    return this.connection.all(queries.renew(this.db, runId, epoch, leaseUntil)).length === 1
  }

  async release(runId: RunId, epoch: number): Promise<void> {
    this.connection.all(queries.release(this.db, runId, epoch))
  }

  async close(): Promise<void> {
    this.connection.close()
  }
}
