import type { RunId } from '../domain/events.ts'
import type { AnswerPiece, EventPage, RunFeed } from '../domain/store.ts'
import type { News } from './announcement.ts'
import { sql } from './sql/query.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { readAfter, readLastText } from './stored-events.ts'

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
