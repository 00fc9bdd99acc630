import type { Client } from 'pg'
import type { Clock } from '../shared/clock.ts'
import { postgresError } from './sql/postgres-errors.ts'
import type { StorageOptions } from './storage.ts'

/** Appends are announced on it. */
export const CHANNEL = 'tutti_runs'

const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 30_000

export interface ListenerOptions {
  readonly url: string
  readonly server: string
  readonly clock: Clock
  readonly onError: StorageOptions['onError']
}

/**
 * The only listening connection of this process. Opened for the first listener and kept. After a failure it is
 * reopened; until then `isLive` is false.
 */
export class PostgresListener {
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
