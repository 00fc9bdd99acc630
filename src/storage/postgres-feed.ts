import type { RunId } from '../domain/events.ts'
import type { AnswerPiece, EventPage, RunFeed } from '../domain/store.ts'
import { readAnnouncement } from './announcement.ts'
import { openReaders } from './postgres-connection.ts'
import type { PostgresConnection } from './sql/postgres-pool.ts'
import { sql } from './sql/query.ts'
import type { StorageOptions } from './storage.ts'
import { readAfter, readLastText } from './stored-events.ts'
import type { Client } from 'pg'
import type { Clock } from '../shared/clock.ts'
import { postgresError } from './sql/postgres-errors.ts'

/** Appends are announced on it. */
export const CHANNEL = 'tutti_runs'

const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 30_000

interface ListenerOptions {
  readonly url: string
  readonly server: string
  readonly clock: Clock
  readonly onError: StorageOptions['onError']
}

/**
 * The only listening connection of this process. Opened for the first listener and kept. After a failure it is
 * reopened; until then `isLive` is false.
 */
class PostgresListener {
  private readonly options: ListenerOptions
  private readonly listeners = new Set<(payload: string) => void>()
  private client: Client | undefined
  private opening: Promise<void> | undefined
  private cancelRetry: (() => void) | undefined
  private failures = 0
  private isClosed = false

  constructor(options: ListenerOptions) {
    this.options = options
  }

  get isLive(): boolean {
    return this.client !== undefined
  }

  listen(listener: (payload: string) => void): () => void {
    this.listeners.add(listener)
    this.open()
    return () => this.listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.cancelRetry?.()
    await this.opening
    if (this.client !== undefined) await endQuietly(this.client)
  }

  private open(): void {
    if (this.isClosed || this.client !== undefined || this.opening !== undefined) return
    this.cancelRetry?.()
    this.opening = this.connect().finally(() => (this.opening = undefined))
  }

  private async connect(): Promise<void> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({
      connectionString: this.options.url,
      application_name: 'tutti-readers',
      keepAlive: true,
    })
    let isOver = false
    const lose = (error: Error): void => {
      if (isOver) return
      isOver = true
      this.client = undefined
      void endQuietly(client)
      this.retry(error)
    }
    client.on('error', lose)
    client.on('end', () => lose(new Error('Connection terminated')))
    client.on('notification', ({ payload = '' }) => {
      for (const listener of this.listeners) listener(payload)
    })
    try {
      await client.connect()
      await client.query(`LISTEN ${CHANNEL}`)
    } catch (error) {
      return lose(error as Error)
    }
    if (isOver) return
    this.failures = 0
    this.client = client
  }

  private retry(error: Error): void {
    if (this.isClosed) return
    this.options.onError(postgresError(error, this.options.server))
    const delay = Math.min(FIRST_RETRY_MS * 2 ** this.failures++, MAX_RETRY_MS)
    this.cancelRetry = this.options.clock.timer(delay, () => this.open())
  }
}

/** A broken connection has ended already, and the reason was reported. */
async function endQuietly(client: Client): Promise<void> {
  await client.end().catch(() => undefined)
}

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
