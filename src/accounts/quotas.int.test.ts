import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeStores } from '../../test/support/stores.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { Quotas, type Measure, type Quota } from './quotas.ts'

describeStores('quotas', (_store, kind, storage) => {
  const clock = new ManualClock(Date.UTC(2026, 0, 30, 22))
  const quotas = (): Quotas => new Quotas(storage().sql, clock)
  const limit = (to: Quota['to'], measure: Measure, most: number | undefined, period: Quota['period'] = 'day') =>
    quotas().set('test', { to, measure, period, most })
  const of = (userId: string, ...groups: string[]) => ({ userId, groups })

  it('name the reached limit, and when it resets', async () => {
    await limit('user:ann', 'runs', 2)
    const run = (id: string) => quotas().reserve(id, of('ann'), { runs: { exactly: 1 } })
    expect(await run('r1')).toEqual({ runs: 1 })
    await run('r2')
    await expect(run('r3')).rejects.toThrow(
      'You reached the limit of 2 runs per day. It is reset on 2026-01-31 at 00:00 UTC. Ask an admin for more.',
    )
    // A failed run is charged for what it used.
    await quotas().settle('r2')
    expect(await run('r3')).toEqual({ runs: 1 })
    await quotas().settle('r3', { runs: 1 })
    await quotas().settle('r3', { runs: 0 })
    await expect(run('r4')).rejects.toMatchObject({ code: 'LimitReached' })
    await clock.advance(2 * 3_600_000)
    expect(await run('r5')).toEqual({ runs: 1 })
    // A reservation of yesterday is released to yesterday's limit.
    await quotas().settle('r1')
    expect(await quotas().listFor(of('ann'))).toMatchObject([{ measure: 'runs', most: 2, used: 1 }])
  })

  it('of everyone apply to each user, a user’s own limit replaces them, and a group’s limit is shared', async () => {
    await limit('everyone', 'tokens', 100)
    await limit('user:rich', 'tokens', 10_000)
    await limit('group:g', 'tokens', 150, 'month')
    const take = (id: string, who: ReturnType<typeof of>, atMost: number) =>
      quotas().reserve(id, who, { tokens: { atMost } })
    expect(await take('t1', of('poor'), 500)).toEqual({ tokens: 100 })
    expect(await take('t2', of('other'), 70)).toEqual({ tokens: 70 })
    expect(await take('t3', of('rich'), 500)).toEqual({ tokens: 500 })
    expect(await take('t4', of('in1', 'g'), 90)).toEqual({ tokens: 90 })
    expect(await take('t5', of('in2', 'g'), 90)).toEqual({ tokens: 60 })
    await expect(take('t6', of('in3', 'g'), 90)).rejects.toThrow('the limit of 150 tokens per month of your group')
    // When one limit refuses, no other limit is charged.
    expect(await quotas().listFor(of('in3'))).toMatchObject([{ used: 0 }])
    await limit('everyone', 'tokens', undefined)
    expect(await quotas().reserve('t7', of('poor'), { tokens: 'share' })).toEqual({})
    await limit('group:g', 'tokens', undefined, 'month')
  })

  it('count usage from before they were set, and while none were set', async () => {
    const [who, other] = [of('uma', 'crew'), of('vic', 'crew')]
    const ask = async (id: string, whose: ReturnType<typeof of>, tokens: number) => {
      const granted = await quotas().reserve(id, whose, { runs: { exactly: 1 }, tokens: 'share' })
      // A repeated reservation for the same run returns the same result.
      expect(await quotas().reserve(id, whose, { runs: { exactly: 1 }, tokens: 'share' })).toEqual(granted)
      await quotas().settle(id, { runs: 1, tokens })
      return granted
    }
    expect(await ask('u1', who, 40)).toEqual({})
    expect(await ask('u2', other, 5)).toEqual({})
    await limit('user:uma', 'tokens', 100)
    await limit('user:uma', 'runs', 9, 'month')
    await limit('group:crew', 'tokens', 60, 'month')
    expect((await quotas().listFor(who)).map(({ to, measure, used }) => [to, measure, used])).toEqual([
      ['group:crew', 'tokens', 45],
      ['user:uma', 'runs', 1],
      ['user:uma', 'tokens', 40],
    ])
    expect(await ask('u3', who, 10)).toMatchObject({ runs: 1 })
    await limit('group:crew', 'tokens', undefined, 'month')
    expect(await ask('u4', other, 7)).toEqual({})
    await limit('group:crew', 'tokens', 60, 'month')
    expect((await quotas().listFor(other)).map(({ used }) => used)).toEqual([62])
    await expect(ask('u5', other, 1)).rejects.toThrow('the limit of 60 tokens per month of your group')
    await limit('group:crew', 'tokens', undefined, 'month')
    await limit('user:uma', 'tokens', undefined)
    await limit('user:uma', 'runs', undefined, 'month')
  })

  it('are whole numbers', async () => {
    await expect(limit('everyone', 'runs', 1.5)).rejects.toThrow('whole number')
  })

  it('are never overdrawn by parallel reservations and settlements', async () => {
    const who = fc.constantFrom(of('a', 'x'), of('b', 'x', 'y'), of('c'))
    const amount = fc.oneof(
      fc.constant('share' as const),
      fc.integer({ min: 1, max: 60 }).map((atMost) => ({ atMost })),
      fc.integer({ min: 1, max: 60 }).map((exactly) => ({ exactly })),
    )
    const plan = fc.array(
      fc.record({ who, wanted: amount, used: fc.double({ min: 0, max: 1, noNaN: true }), keeps: fc.boolean() }),
      {
        minLength: 2,
        maxLength: 12,
      },
    )
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.integer({ min: 0, max: 120 }),
        fc.integer({ min: 0, max: 120 }),
        async (steps, each, together) => {
          const tag = `p${round++}`
          const named = ({ userId, groups }: ReturnType<typeof of>) => ({
            userId: tag + userId,
            groups: groups.map((g) => tag + g),
          })
          await limit('everyone', 'tokens', each)
          await limit(`group:${tag}x`, 'tokens', together)
          const sums = async (): Promise<void> => {
            for (const one of ['a', 'b', 'c']) {
              for (const { most, used } of await quotas().listFor(named(of(one, 'x')))) {
                expect(used).toBeLessThanOrEqual(most)
                expect(used).toBeGreaterThanOrEqual(0)
              }
            }
          }
          let left = 0
          const refusals = new Set<string>()
          await Promise.all(
            steps.map(async (step, i) => {
              const id = `${tag}-${i}`
              const granted = await quotas()
                .reserve(id, named(step.who), { tokens: step.wanted })
                .catch(({ code }: { code: string }) => void refusals.add(code))
              if (granted === undefined) return
              const amount = granted.tokens ?? 0
              const exactly = typeof step.wanted === 'object' && 'exactly' in step.wanted ? step.wanted.exactly : amount
              expect(amount).toBe(exactly)
              expect(amount).toBeGreaterThan(0)
              if (step.keeps) left += step.who.groups.includes('x') ? amount : 0
              else {
                const used = Math.floor(amount * step.used)
                left += step.who.groups.includes('x') ? used : 0
                await quotas().settle(id, { tokens: used })
              }
            }),
          )
          await sums()
          refusals.delete('LimitReached')
          expect([...refusals]).toEqual([])
          const ofGroup = (await quotas().listFor(named(of('z', 'x')))).find(({ to }) => to === `group:${tag}x`)
          expect(ofGroup!.used).toBe(left)
        },
      ),
      { numRuns: kind === 'PostgreSQL' ? 15 : 40 },
    )
    await limit('everyone', 'tokens', undefined)
  })
})
