import { expect, it } from 'vitest'
import { describeStores } from '../../test/support/stores.ts'
import { createRandom } from '../../test/support/random.ts'
import { fixed } from '../storage/sql/query.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { LoginRateLimit } from './login-rate-limit.ts'

const MINUTE_MS = 60_000
const MAX = 5

describeStores('tries', (_store, _kind, storage) => {
  it('share one limit between all processes, even with different clocks', async () => {
    const random = createRandom(7)
    const clocks = [-95_000, -1, 0, 40_000].map((skew) => new ManualClock(100 * MINUTE_MS + skew))
    const processes = clocks.map((clock) => new LoginRateLimit(storage().sql, clock))
    const counted = new Map<string, { minute: number; count: number }>()
    const refused = new Map<string, { minute: number; end: string }>()
    const counts = { allowed: 0, refused: 0 }
    for (let step = 0; step < 300; step++) {
      const username = random.pick(['ann', 'ben'])
      const i = random.int(0, processes.length - 1)
      const minute = Math.floor(clocks[i]!.now() / MINUTE_MS)
      const before = counted.get(username) ?? { minute: 0, count: 0 }
      // A process refuses for the rest of its minute without counting.
      const earlier = refused.get(`${i} ${username}`)
      const isRefused = earlier?.minute === minute
      const now = before.minute < minute ? { minute, count: 1 } : { ...before, count: before.count + 1 }
      if (!isRefused) counted.set(username, now)
      const end = await processes[i]!.count(username, MAX).then(
        () => 'allowed',
        ({ code, details }: { code: string; details: { endsAt: number } }) => `${code} until ${details.endsAt}`,
      )
      const limit = now.count > MAX ? `LimitReached until ${(now.minute + 1) * MINUTE_MS}` : 'allowed'
      const expectedEnd = isRefused ? earlier.end : limit
      expect([step, end]).toEqual([step, expectedEnd])
      if (expectedEnd !== 'allowed') refused.set(`${i} ${username}`, { minute, end: expectedEnd })
      counts[expectedEnd === 'allowed' ? 'allowed' : 'refused']++
      const passed = random.int(0, 9_000)
      for (const clock of clocks) await clock.advance(passed)
    }
    expect(Math.min(counts.allowed, counts.refused)).toBeGreaterThan(20)
  })

  it('count the same in parallel as in sequence, and expire; only hashes are stored', async () => {
    const clock = new ManualClock(1_000 * MINUTE_MS)
    const processes = [1, 2, 3].map(() => new LoginRateLimit(storage().sql, clock))
    const ends = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => processes[i % 3]!.count('once', MAX)))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX)
    const rows = () => storage().sql.all<{ what: string }>(fixed('SELECT what FROM tries'))
    expect((await rows()).map(({ what }) => what)).toEqual([expect.stringMatching(/^[\da-f]{64}$/)])
    await clock.advance(20 * MINUTE_MS)
    await processes[0]!.count('another', MAX)
    expect(await rows()).toHaveLength(1)
  })

  it('are refused again without database access, until one is taken back or the minute ends', async () => {
    const clock = new ManualClock(2_000 * MINUTE_MS)
    let queries = 0
    const { sql } = storage()
    const counting = { ...sql, all: ((query) => (queries++, sql.all(query))) as typeof sql.all }
    const limit = new LoginRateLimit(counting, clock)
    const attempt = () =>
      limit.count('guess', 1).then(
        () => 'allowed',
        ({ code }: { code: string }) => code,
      )
    expect([await attempt(), await attempt()]).toEqual(['allowed', 'LimitReached'])
    const before = queries
    expect([await attempt(), await attempt(), queries]).toEqual(['LimitReached', 'LimitReached', before])
    await limit.undoCount('guess')
    await limit.undoCount('guess')
    expect([await attempt(), await attempt()]).toEqual(['allowed', 'LimitReached'])
    await clock.advance(MINUTE_MS)
    expect(await attempt()).toBe('allowed')
  })
})
