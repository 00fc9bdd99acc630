import type { RunEvent, RunId, Owner } from '../domain/events.ts'
import {
  type RunFeed,
  isFinal,
  type Append,
  type AppendOutcome,
  type ApprovalFilter,
  type ApprovalRecord,
  type ClaimedRun,
  type RunFilter,
  type RunRecord,
  type RunStatus,
  type RunStore,
  partName,
  type RunPart,
} from '../domain/store.ts'
import type { ArtifactStore } from '../domain/artifacts.ts'
import { DatabaseArtifacts } from './database-artifacts.ts'
import { displayText, isLeased } from './projection.ts'
import {
  before,
  fixed,
  holds,
  joined,
  limited,
  rowRecord,
  sql,
  where,
  type Query,
  queryRows,
  type Script,
  type SqlRunner,
} from './sql/query.ts'
import { renewal } from './lease-renewal.ts'
import { readAfter } from './stored-events.ts'

const STANDING = "status = 'approved' AND scope IN ('conversation', 'always') AND revoked_at IS NULL"

/** The common part of both databases' stores of runs. */
export abstract class SqlRunStore implements RunStore {
  abstract readonly feed: RunFeed
  readonly artifacts: ArtifactStore
  protected readonly runner: SqlRunner

  constructor(runner: SqlRunner) {
    this.runner = runner
    this.artifacts = new DatabaseArtifacts(runner)
  }

  abstract append(
    appends: readonly Append[],
    options?: { readonly durable?: boolean },
  ): Promise<readonly AppendOutcome[]>
  abstract claim(...claim: Parameters<RunStore['claim']>): Promise<ClaimedRun | undefined>
  abstract close(): Promise<void>

  async read(runId: RunId, afterSeq = 0): Promise<readonly RunEvent[]> {
    return (await readAfter(this.runner, runId, afterSeq)).events
  }

  async run(runId: RunId): Promise<RunRecord | undefined> {
    return (await this.records(undefined, where({ run_id: runId })))[0]
  }

  runs(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    const {
      owner,
      status,
      strategy,
      parentId,
      parentIds,
      agents,
      model,
      from,
      until,
      after,
      words = [],
      limit,
    } = filter
    const conditions = [
      where({ owner, status, strategy: strategy && displayText(strategy), parent_id: parentId }),
      parentIds === undefined ? fixed('') : sql`AND parent_id IN ${parentIds}`,
      fixed(filter.isHeld === true ? 'AND worker IS NOT NULL' : ''),
      fixed(filter.isFirst === true ? 'AND parent_id IS NULL' : ''),
      agents === undefined ? fixed('') : this.takesPart('agent', agents),
      model === undefined ? fixed('') : this.takesPart('model', [model]),
      from === undefined ? fixed('') : sql`AND created_at >= ${from}`,
      until === undefined ? fixed('') : sql`AND created_at < ${until}`,
      after === undefined ? fixed('') : sql`AND ${before('created_at', after.createdAt, 'run_id', after.runId)}`,
      ...words.map((word) => sql`AND ${holds('question', word)}`),
    ]
    return this.records(owner, sql`${joined(conditions)} ORDER BY created_at DESC, run_id DESC ${limited(limit)}`)
  }

  /**
   * A condition for runs of the list, which is read by time: one lookup per run in the key of `run_parts`, among its
   * few parts. The `|| ''` keeps the database from using the index by name, which would search all runs with that part.
   */
  private takesPart(kind: RunPart['kind'], names: readonly string[]): Query {
    return sql`AND EXISTS (SELECT 1 FROM run_parts p WHERE p.run_id = ${this.table}.run_id AND p.kind = ${kind}
      AND p.name || '' IN ${names.map((name) => displayText(partName(name)))})`
  }

  async parts(owner: Owner): Promise<readonly RunPart[]> {
    const rows = await this.rowsFor(
      owner,
      sql`SELECT DISTINCT p.kind, p.name FROM runs r JOIN run_parts p ON p.run_id = r.run_id
        WHERE r.owner = ${owner} AND r.parent_id IS NULL`,
    )
    // Databases sort texts differently.
    const key = ({ kind, name }: RunPart): string => `${kind} ${name}`
    return rows.map((row) => rowRecord<RunPart>(row)).sort((a, b) => (key(a) < key(b) ? -1 : 1))
  }

  private get table(): Query {
    return fixed(this.runner.dialect === 'sqlite' ? 'run_records' : 'runs')
  }

  private async records(owner: Owner | undefined, rest: Query): Promise<readonly RunRecord[]> {
    return (await this.rowsFor(owner, sql`SELECT * FROM ${this.table} ${rest}`)).map((row) => rowRecord<RunRecord>(row))
  }

  /** With an owner, only that owner's rows are visible, see `guardOwners`; workers read all. */
  private rowsFor(owner: Owner | undefined, query: Query): Promise<readonly object[]> {
    return owner === undefined ? this.runner.all(query) : this.runner.of(owner, query)
  }

  async approvals(filter: ApprovalFilter = {}): Promise<readonly ApprovalRecord[]> {
    const { owner, runId, status, approvalId, tool, destination, isStanding } = filter
    const isMeant = where({ owner, run_id: runId, status, approval_id: approvalId, tool, destination })
    const standingCondition = fixed(isStanding === true ? `AND ${STANDING}` : '')
    const query = sql`SELECT * FROM approvals ${isMeant} ${standingCondition} ORDER BY requested_at, approval_id`
    const rows = await this.rowsFor(owner, query)
    return rows.map((row) => rowRecord<ApprovalRecord>(row, ['payload', 'provenance', 'scopes', 'edited_payload']))
  }

  async revokeApproval(owner: Owner, approvalId: string, by: string, at: number): Promise<boolean> {
    const revoked = await this.runner.of(
      owner,
      sql`UPDATE approvals SET revoked_by = ${by}, revoked_at = ${at}
        WHERE owner = ${owner} AND approval_id = ${approvalId} AND ${fixed(STANDING)} RETURNING approval_id`,
    )
    return revoked.length > 0
  }

  /**
   * Claims a free run; changes nothing if another worker is faster or the holder comes back.
   * @param update runs the one statement that claims, once
   * @param again whether it was tried before and its reply was lost with the connection
   */
  protected async take(
    update: (query: Query) => Promise<readonly unknown[]>,
    again: boolean,
    ...[runId, worker, leaseUntil, now, isAlive]: Parameters<RunStore['claim']>
  ): Promise<ClaimedRun | undefined> {
    const run = await this.run(runId)
    if (run === undefined) return undefined
    if (again && run.worker === worker && run.leaseUntil === leaseUntil) return run
    if (isLeased(run, now, isAlive)) return undefined
    const epoch = run.epoch + 1
    const updated = await update(sql`UPDATE runs SET epoch = ${epoch}, worker = ${worker}, lease_until = ${leaseUntil}
      WHERE run_id = ${runId} AND epoch = ${run.epoch}
        AND (worker IS NULL OR lease_until <= ${now} OR worker = ${run.worker}) RETURNING run_id`)
    // Based on the state read before: events that an approver has appended since are in the log, where the new holder
    // reads them.
    const takenFrom = run.worker === undefined ? {} : { takenFrom: run.worker }
    return updated.length === 1 ? { ...run, ...takenFrom, epoch, worker, leaseUntil } : undefined
  }

  async renew(runId: RunId, epoch: number, leaseUntil: number): Promise<boolean> {
    return (await this.runner.all(renewal({ runId, epoch }, leaseUntil))).length === 1
  }

  async release(runId: RunId, epoch: number): Promise<void> {
    await this.runner.all(
      sql`UPDATE runs SET worker = NULL, lease_until = NULL WHERE run_id = ${runId} AND epoch = ${epoch}`,
    )
  }

  remove(owner: Owner, runId: RunId): Promise<number> {
    return this.runner.write(owner, () => this.removing(owner, runId))
  }

  /** A run that is over stays over, so the status read first still holds when it is erased. */
  private *removing(owner: Owner, runId: RunId): Script<number> {
    const runs = yield* queryRows<{ run_id: RunId; status: RunStatus }>(
      sql`WITH RECURSIVE family (run_id, status) AS (
        SELECT run_id, status FROM runs WHERE run_id = ${runId} AND owner = ${owner}
        UNION ALL SELECT r.run_id, r.status FROM runs r JOIN family f ON r.parent_id = f.run_id
      ) SELECT run_id, status FROM family`,
    )
    if (!runs.every(({ status }) => isFinal(status))) return 0
    const ids = runs.map((run) => run.run_id)
    const shared = yield* queryRows<{ hash: string }>(
      sql`SELECT DISTINCT hash FROM run_values WHERE run_id IN ${ids} AND data = ''`,
    )
    const wakes = this.runner.dialect === 'sqlite' ? ['wakes'] : []
    for (const table of [
      'events',
      'run_values',
      'run_parts',
      'approvals',
      'schedule_runs',
      'feedback',
      ...wakes,
      'runs',
    ]) {
      yield sql`DELETE FROM ${fixed(table)} WHERE run_id IN ${ids}`
    }
    if (shared.length > 0) yield* this.removingShared(shared.map(({ hash }) => hash))
    return ids.length
  }

  /** Removes those that no run refers to any longer. */
  private *removingShared(hashes: readonly string[]): Script<void> {
    // An append that shares one of them locks it first, so its reference is visible once the lock is taken.
    if (this.runner.dialect === 'postgres') {
      yield sql`SELECT hash FROM shared_values WHERE hash IN ${hashes} ORDER BY hash FOR UPDATE`
    }
    yield sql`DELETE FROM shared_values WHERE hash IN ${hashes}
      AND NOT EXISTS (SELECT 1 FROM run_values v WHERE v.hash = shared_values.hash AND v.data = '')`
  }
}
