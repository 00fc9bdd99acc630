/** What PostgreSQL takes for telling other processes of an append: the same statement with and without. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { NewEvent } from '../src/domain/events.ts'
import { parseRequest } from '../src/domain/request.ts'
import { appendStatement, prepareAppend } from '../src/storage/postgres-append.ts'
import { median } from './measure.ts'

/** Where in the statement's values the announcements stand. */
const ANNOUNCEMENTS = 22

export interface AnnouncingCost {
  readonly how: string
  /** Microseconds an append. */
  readonly told: number
  readonly untold: number
}

export async function announcingCosts(url: string, rounds: number): Promise<AnnouncingCost[]> {
  const costs: AnnouncingCost[] = []
  for (const [writers, durable] of [
    [1, false],
    [1, true],
    [4, false],
    [4, true],
  ] as const) {
    const clients = Array.from({ length: writers }, () => new pg.Client(url))
    await Promise.all(clients.map((client) => client.connect()))
    const listener = new pg.Client(url)
    await listener.connect()
    await listener.query('LISTEN tutti_runs')
    const times: Record<'told' | 'untold', number[]> = { told: [], untold: [] }
    for (let round = 0; round <= rounds; round++) {
      for (const how of ['told', 'untold'] as const) {
        const each = await Promise.all(clients.map((client) => appends(client, durable, how === 'told')))
        if (round > 0) times[how].push(median(each))
      }
    }
    await Promise.all([...clients, listener].map((client) => client.end()))
    const how = `${writers} ${writers === 1 ? 'process' : 'processes'}, ${durable ? 'durable' : 'not durable'}`
    costs.push({ how, told: median(times.told), untold: median(times.untold) })
  }
  return costs
}

async function appends(client: pg.Client, durable: boolean, isTold: boolean): Promise<number> {
  const at = new Date(0).toISOString()
  const runId = randomUUID()
  const append = async (afterSeq: number, event: NewEvent): Promise<void> => {
    const statement = appendStatement([prepareAppend({ runId, afterSeq, events: [event] })], durable)
    const values = statement.values!.map((value, i) => (i === ANNOUNCEMENTS && !isTold ? [null] : value))
    await client.query({ ...statement, values })
  }
  await append(0, { type: 'run.started', request: parseRequest({ question: 'q' }, new Set()), at })
  const begun = performance.now()
  const count = durable ? 100 : 400
  for (let seq = 1; seq <= count; seq++) await append(seq, { type: 'note', kind: 'MESSAGE', message: 'n', at })
  return ((performance.now() - begun) * 1_000) / count
}
