import type { RunId } from '../core/events.ts'
import type { AnswerPiece, EventPage, RunFeed } from '../core/feed.ts'
import { readAnnouncement } from './announcement.ts'
import { openReaders, type PostgresConnection } from './postgres-connection.ts'
import { PostgresListener } from './postgres-listener.ts'
import { queriesFor } from './queries.ts'
import type { EventRow } from './rows.ts'
import { postgresEvents } from './run-values.ts'
import type { StorageOptions } from './storage.ts'

/** How often the heads are read even though news are announced: a proxy may swallow announcements. */
const LOOK_WHILE_TOLD_MS = 3_000

const HEADS = 'SELECT run_id, last_seq FROM runs WHERE run_id = ANY($1::text[])'

/** What readers ask of PostgreSQL, over connections of their own. */
export class PostgresFeed implements RunFeed {
  private readonly connection: PostgresConnection
  private readonly listener: PostgresListener
  private readonly queries = queriesFor('postgres')
  private lookedAt = 0
  private wasLive = false

  constructor(connection: PostgresConnection, listener: PostgresListener) {
    this.connection = connection
    this.listener = listener
  }

  async page(runId: RunId, afterSeq: number, limit: number): Promise<EventPage> {
    const rows = await this.connection.all<EventRow>(this.queries.page(runId, afterSeq, limit))
    return postgresEvents(this.connection, runId, rows)
  }

  async heads(runIds: readonly RunId[]): Promise<ReadonlyMap<RunId, number>> {
    const query = { sql: HEADS, parameters: [runIds] }
    const rows = await this.connection.all<{ run_id: RunId; last_seq: number }>(query)
    return new Map(rows.map((row) => [row.run_id, row.last_seq]))
  }

  async lastText(runId: RunId, seq: number): Promise<AnswerPiece | undefined> {
    const rows = await this.connection.all<EventRow>(this.queries.answer(runId, seq))
    return (await postgresEvents(this.connection, runId, rows)).events[0] as AnswerPiece | undefined
  }

  listen(onNews: Parameters<RunFeed['listen']>[0]): () => void {
    return this.listener.listen((payload) => {
      const news = readAnnouncement(payload)
      if (news !== undefined) onNews(news)
    })
  }

  /** Always while nothing is announced, and once after that, for what came in between. */
  mayHaveNews(now: number): boolean {
    const { isLive } = this.listener
    const isDue = !isLive || !this.wasLive || now - this.lookedAt >= LOOK_WHILE_TOLD_MS
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
