import type { RunId, Owner } from '../domain/events.ts'
import type { RunFeed, Append, AppendOutcome, ClaimedRun, RunStore, AnswerPiece, EventPage } from '../domain/store.ts'
import type { LightEvent } from './large-values.ts'
import { News } from './announcement.ts'
import { approvalQuery, partsIn, startedRecord } from './projection.ts'
import { sqliteRunner } from './postgres-connection.ts'
import { SqlRunStore } from './sql-run-store.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { encodeEvent, readAfter, readLastText } from './stored-events.ts'
import { sql } from './sql/query.ts'

/** Reading is synchronous: after so many pages in one turn, the other readers wait, so that workers get their turn. */
const PAGES_PER_TURN = 16

/**
 * Readers' queries to a SQLite file. Other processes write to it without a notification, so it is polled for changes.
 */
export class SqliteFeed implements RunFeed {
  private readonly connection: SqliteConnection
  private readonly news: News
  private seenVersion: unknown
  private pagesThisTurn = 0

  constructor(connection: SqliteConnection, news: News) {
    this.connection = connection
    this.news = news
  }

  async page(runId: RunId, afterSeq: number, limit: number): Promise<EventPage> {
    while (this.pagesThisTurn >= PAGES_PER_TURN) await new Promise((resolve) => setImmediate(resolve))
    if (this.pagesThisTurn++ === 0) setImmediate(() => (this.pagesThisTurn = 0))
    return readAfter(this.connection, runId, afterSeq, limit)
  }

  async heads(runIds: readonly RunId[]): Promise<ReadonlyMap<RunId, number>> {
    const rows = this.connection.all<{ run_id: RunId; seq: number }>(
      sql`SELECT r.run_id, (SELECT max(seq) FROM events e WHERE e.run_id = r.run_id) AS seq
          FROM runs r WHERE r.run_id IN ${runIds}`,
    )
    return new Map(rows.map((row) => [row.run_id, row.seq]))
  }

  lastText(runId: RunId, seq: number): Promise<AnswerPiece | undefined> {
    return readLastText(this.connection, runId, seq)
  }

  listen(onNews: Parameters<RunFeed['listen']>[0]): () => void {
    return this.news.listen(onNews)
  }

  /** The version changes with each commit of another connection; looking at it reads none of the file's pages. */
  mayHaveNews(): boolean {
    const [row] = this.connection.all<{ data_version: number }>(sql`PRAGMA data_version`)
    const isNew = row?.data_version !== this.seenVersion
    this.seenVersion = row?.data_version
    return isNew
  }
}

/** The statements of the hot path, prepared once. */
function prepareAll(connection: SqliteConnection) {
  const isAt = '(SELECT max(seq) FROM events WHERE run_id = ?1)'
  return {
    start: connection.prepare(
      `INSERT INTO runs (run_id, owner, question, strategy, status, parent_id, epoch, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    /**
     * The first event of an append contains the check: the log is at the expected position, and this worker holds the
     * run.
     */
    next: connection.prepare(
      `INSERT INTO events (run_id, seq, type, at, v, data) SELECT ?1, ?2, ?3, ?4, 1, ?5
       WHERE ${isAt} = ?2 - 1 AND (?6 IS NULL OR (SELECT epoch FROM runs WHERE run_id = ?1) = ?6)`,
    ),
    event: connection.prepare('INSERT INTO events (run_id, seq, type, at, v, data) VALUES (?, ?, ?, ?, 1, ?)'),
    /** The same check for an append without events. */
    touch: connection.prepare(
      `UPDATE runs SET status = status WHERE run_id = ?1 AND ${isAt} = ?2 AND (?3 IS NULL OR epoch = ?3)`,
    ),
    status: connection.prepare('UPDATE runs SET status = ? WHERE run_id = ?'),
    epoch: connection.prepare('SELECT epoch FROM runs WHERE run_id = ?'),
    value: connection.prepare('INSERT INTO run_values (run_id, hash, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    shared: connection.prepare('INSERT INTO shared_values (hash, data) VALUES (?, ?) ON CONFLICT DO NOTHING'),
    part: connection.prepare('INSERT INTO run_parts (run_id, kind, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    wake: connection.prepare('INSERT INTO wakes (run_id, at) VALUES (?, ?)'),
  }
}

/** Runs in one SQLite file, which several processes of one machine may share. */
export class SqliteStore extends SqlRunStore {
  private readonly connection: SqliteConnection
  private readonly statements: ReturnType<typeof prepareAll>
  private readonly onWake: () => void
  private readonly news = new News()
  readonly feed: RunFeed

  /** @param onWake called after a commit that recorded wakes */
  constructor(connection: SqliteConnection, onWake: () => void) {
    super(sqliteRunner(connection))
    this.connection = connection
    this.statements = prepareAll(connection)
    this.onWake = onWake
    this.feed = new SqliteFeed(connection, this.news)
  }

  async append(
    appends: readonly Append[],
    options: { readonly durable?: boolean } = {},
  ): Promise<readonly AppendOutcome[]> {
    // Before the transaction, so that encoding errors do not hold the lock.
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
    this.news.publish(appends, outcomes)
    return outcomes
  }

  private appendOne(append: Append, encoded: readonly LightEvent[]): AppendOutcome {
    const { runId, afterSeq, events, status } = append
    const starts = this.startRun(append)
    if (!starts && !this.goOn(append, encoded)) return this.whyNot(append)
    for (let index = starts ? 0 : 1; index < events.length; index++) {
      const event = events[index]!
      this.statements.event.run([runId, afterSeq + index + 1, event.type, event.at, encoded[index]!.data])
    }
    for (const { values } of encoded) {
      for (const { hash, data, isShared } of values) {
        if (isShared) this.statements.shared.run([hash, data])
        this.statements.value.run([runId, hash, isShared ? '' : data])
      }
    }
    for (const { kind, name } of partsIn(events)) this.statements.part.run([runId, kind, name])
    for (const event of events) {
      const query = approvalQuery(runId, event)
      if (query !== undefined) this.connection.all(query)
    }
    if (status !== undefined && !starts) this.statements.status.run([status, runId])
    return 'appended'
  }

  private startRun(append: Append): boolean {
    const run = startedRecord(append)
    if (run === undefined) return false
    const { runId, owner, question, strategy, status, parentId = null, epoch, createdAt } = run
    return (
      this.statements.start.run([runId, owner, question, strategy, status, parentId, epoch, createdAt]).changes === 1
    )
  }

  /** Writes the first event if the log is as expected; without events, only checks that. */
  private goOn({ runId, afterSeq, epoch, events }: Append, encoded: readonly LightEvent[]): boolean {
    const [first] = events
    const { next, touch } = this.statements
    if (first === undefined) return touch.run([runId, afterSeq, epoch ?? null]).changes === 1
    return next.run([runId, afterSeq + 1, first.type, first.at, encoded[0]!.data, epoch ?? null]).changes === 1
  }

  private whyNot(append: Append): AppendOutcome {
    const row = this.statements.epoch.get([append.runId]) as { epoch: number } | undefined
    return row === undefined || (append.epoch !== undefined && append.epoch !== row.epoch) ? 'lost' : 'conflict'
  }

  private recordWakes(append: Append): boolean {
    for (const wake of append.wakes ?? []) this.statements.wake.run([wake.runId, wake.at ?? 0])
    return (append.wakes?.length ?? 0) > 0
  }

  claim(...claim: Parameters<RunStore['claim']>): Promise<ClaimedRun | undefined> {
    return this.take(async (query) => this.connection.all(query), false, ...claim)
  }

  override async remove(owner: Owner, runId: RunId): Promise<number> {
    const removed = await super.remove(owner, runId)
    if (removed > 0) this.connection.emptyLog()
    return removed
  }

  async close(): Promise<void> {
    this.connection.close()
  }
}
