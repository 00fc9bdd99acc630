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
    const seen = { allowed: 0, refused: 0 }
    for (let step = 0; step < 300; step++) {
      const what = random.pick(['ann', 'ben'])
      const i = random.int(0, processes.length - 1)
      const minute = Math.floor(clocks[i]!.now() / MINUTE_MS)
      const before = counted.get(what) ?? { minute: 0, count: 0 }
      const now = before.minute < minute ? { minute, count: 1 } : { ...before, count: before.count + 1 }
      counted.set(what, now)
      const end = await processes[i]!.count(what, MAX).then(
        () => 'allowed',
        ({ code, details }: { code: string; details: { endsAt: number } }) => `${code} until ${details.endsAt}`,
      )
      const wanted = now.count > MAX ? `LimitReached until ${(now.minute + 1) * MINUTE_MS}` : 'allowed'
      expect([step, end]).toEqual([step, wanted])
      seen[now.count > MAX ? 'refused' : 'allowed']++
      const passed = random.int(0, 9_000)
      for (const clock of clocks) await clock.advance(passed)
    }
    expect(Math.min(seen.allowed, seen.refused)).toBeGreaterThan(20)
  })

  it('count the same in parallel as in sequence, and expire; only hashes are stored', async () => {
    const clock = new ManualClock(1_000 * MINUTE_MS)
    const processes = [1, 2, 3].map(() => new LoginRateLimit(storage().sql, clock))
    const ends = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => processes[i % 3]!.count('once', MAX)))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX)
    const kept = () => storage().sql.all<{ what: string }>(fixed('SELECT what FROM tries'))
    expect((await kept()).map(({ what }) => what)).toEqual([expect.stringMatching(/^[\da-f]{64}$/)])
    await clock.advance(20 * MINUTE_MS)
    await processes[0]!.count('another', MAX)
    expect(await kept()).toHaveLength(1)
  })
})
