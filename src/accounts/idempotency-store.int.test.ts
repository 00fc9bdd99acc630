import { describe, expect, inject, it } from 'vitest'
import { createOwnDatabase } from '../../test/support/postgres.ts'
import { createMemoryStorage, openStorage } from '../storage/index.ts'
import { fixed } from '../storage/sql/query.ts'
import type { Storage } from '../storage/storage.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { IdempotencyStore } from './idempotency-store.ts'

const onError = ({ message }: Error): never => expect.fail(message)
const seal = {
  close: async (text: string, place: string) => Buffer.from(`${Math.random()} ${place} ${text}`).toString('base64'),
  open: async (sealed: string, place: string) => Buffer.from(sealed, 'base64').toString().split(`${place} `)[1],
}
const PLACES: readonly (readonly [string, boolean, (clock: ManualClock) => Promise<Storage>])[] = [
  ['SQLite', false, (clock) => createMemoryStorage({ clock, onError })],
  [
    'PostgreSQL',
    inject('postgresUrl') === '',
    async (clock) => openStorage({ databaseUrl: await createOwnDatabase(inject('postgresUrl')), clock, onError }),
  ],
]

describe.each(PLACES)('answers that are kept on %s', (_, isMissing, open) => {
  it.skipIf(isMissing)('are returned for a day and encrypted; one other worker replaces a dead one', async () => {
    const clock = new ManualClock()
    const storage = await open(clock)
    try {
      const begin = (asked = 'the planted request', signal = new AbortController().signal) =>
        new IdempotencyStore(storage.sql, clock, seal).begin('ann', 'id', asked, signal)
      const first = await begin()
      expect('claim' in first).toBe(true)
      const [kept] = (await storage.sql.all(fixed('SELECT asked FROM kept_answers'))) as [{ asked: string }]
      expect(Buffer.from(kept.asked, 'base64').toString()).not.toContain('planted')
      await expect(begin('another')).rejects.toMatchObject({ code: 'KeyReused' })
      // The worker renews its claim continuously, so no other worker takes over.
      for (let i = 0; i < 6; i++) {
        await clock.advance(20_000)
        await storage.sql.all(fixed('SELECT 1 AS one'))
      }
      const closed = new AbortController()
      const waiting = begin(undefined, closed.signal)
      closed.abort(new Error('gone'))
      await expect(waiting).rejects.toThrow('gone')

      // As if its process had died: it renews nothing.
      await storage.sql.all(fixed("UPDATE kept_answers SET holder = 'dead', held_until = 0"))
      const next = await begin()
      if ('answer' in next) throw new Error('It was answered before.')
      await next.claim.keep({ status: 201, body: 'the planted answer' })
      expect(await begin()).toEqual({ answer: { status: 201, body: 'the planted answer' } })
      expect(JSON.stringify(await storage.sql.all(fixed('SELECT * FROM kept_answers')))).not.toContain('planted')
      if ('claim' in first) await first.claim.keep({ status: 500, body: 'too late' })
      expect(await begin()).toEqual({ answer: { status: 201, body: 'the planted answer' } })
      await clock.advance(24 * 3_600_000 + 1)
      expect('claim' in (await begin('another'))).toBe(true)
    } finally {
      await storage.close()
    }
  })
})
