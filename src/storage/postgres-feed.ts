import type { RunId } from '../domain/events.ts'
import type { AnswerPiece, EventPage, RunFeed } from '../domain/store.ts'
import { readAnnouncement } from './announcement.ts'
import { openReaders } from './postgres-connection.ts'
import type { PostgresConnection } from './sql/postgres-pool.ts'
import { PostgresListener } from './postgres-listener.ts'
import { sql } from './sql/query.ts'
import type { StorageOptions } from './storage.ts'
import { readAfter, readLastText } from './stored-events.ts'

/** How often the heads are read even though news are announced: a proxy may swallow announcements. */
const FALLBACK_POLL_MS = 3_000

/** Readers' queries to PostgreSQL, over separate connections. */
export class PostgresFeed implements RunFeed {
  private readonly connection: PostgresConnection
  private readonly listener: PostgresListener
  private lookedAt = 0
  private wasLive = false

  constructor(connection: PostgresConnection, listener: PostgresListener) {
    this.connection = connection
    this.listener = listener
  }

  page(runId: RunId, afterSeq: number, limit: number): Promise<EventPage> {
    return readAfter(this.connection, runId, afterSeq, limit)
  }

  async heads(runIds: readonly RunId[]): Promise<ReadonlyMap<RunId, number>> {
    const query = sql`SELECT run_id, last_seq FROM runs WHERE run_id IN ${runIds}`
    const rows = await this.connection.all<{ run_id: RunId; last_seq: number }>(query)
    return new Map(rows.map((row) => [row.run_id, row.last_seq]))
  }

  lastText(runId: RunId, seq: number): Promise<AnswerPiece | undefined> {
    return readLastText(this.connection, runId, seq)
  }

  listen(onNews: Parameters<RunFeed['listen']>[0]): () => void {
    return this.listener.listen((payload) => {
      const news = readAnnouncement(payload)
      if (news !== undefined) onNews(news)
    })
  }

  /** Always true while notifications are unavailable, and once after that, for events in between. */
  mayHaveNews(now: number): boolean {
    const { isLive } = this.listener
    const isDue = !isLive || !this.wasLive || now - this.lookedAt >= FALLBACK_POLL_MS
    this.wasLive = isLive
    if (isDue) this.lookedAt = now
    return isDue
  }

  async close(): Promise<void> {
    await this.listener.close()
    await this.connection.close()
  }
}

/** The feed of a database that is up to date. Its connections are opened when they are needed. */
export async function openFeed(url: string, options: StorageOptions): Promise<PostgresFeed> {
  const connection = await openReaders(url, options.onError)
  return new PostgresFeed(connection, new PostgresListener({ ...options, url, server: connection.server }))
}
