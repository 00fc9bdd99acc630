// Soak test: ends every small tree of nested runs.
import { expect, it } from 'vitest'
import type { Agent } from '../../domain/actor.ts'
import { systemClock } from '../../shared/clock.ts'
import { agent, openWorld, request, task } from '../../../test/support/engine-world.ts'
import { sample } from '../../../test/support/length.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { ALLOWED, hanging, Outbox } from '../../../test/support/test-agents.ts'
import type { ApprovalRecord } from '../../domain/store.ts'
import type { Engine } from '../engine.ts'
import { claimCall } from './run-tree.ts'

/** The steps of a run: each is the call, or a nested run. */
type Family = readonly ('call' | Family)[]

const callsIn = (family: Family): number => family.reduce((sum, one) => sum + (one === 'call' ? 1 : callsIn(one)), 0)

/** All families of so many calls, at most so deep, in which a run within does not mean itself alone without need. */
function families(calls: number, depth: number): Family[] {
  if (calls === 0) return [[]]
  const heads = Array.from({ length: calls }, (_none, n) => n + 1).flatMap((first) => {
    const inner: ('call' | Family)[] = depth === 0 ? [] : families(first, depth - 1)
    const ones = first === 1 ? ['call' as const, ...inner] : inner
    return ones.map((one) => ({ one, first }))
  })
  return heads.flatMap(({ one, first }) => families(calls - first, depth).map((rest) => [one, ...rest]))
}

/** The deepest and the widest are among them. */
const ALL = [...families(2, 2), ...families(3, 1)]

describeStores('the same irreversible call in the runs of one question', (store, kind) => {
  // Simulates the latency of a database.
  const all = kind === 'SQLite' ? ALL : sample(ALL, 3)

  /** Each run asks the agents of its family by their place in it. */
  function agentsOf(
    family: Family,
    outbox: Outbox,
    isAtOnce: boolean,
    place = 'run',
  ): { tasks: string[]; agents: Agent[] } {
    const made = family.map((one, n) => {
      const name = `${place}-${n}`
      if (one === 'call') return [outbox.agent(name)]
      const inner = agentsOf(one, outbox, isAtOnce, name)
      const team = agent(name, async (_task, ctx) => ({
        answer: (await ctx.startRun(plan(inner.tasks, isAtOnce))).status,
      }))
      return [team, ...inner.agents]
    })
    return { tasks: family.map((_one, n) => `${place}-${n}`), agents: made.flat() }
  }

  /** Runs a family, while `look` decides its pending approvals again and again. */
  async function runFamily(
    family: Family,
    isAtOnce: boolean,
    approvals: typeof ALLOWED,
    look: (engine: Engine, pending: readonly ApprovalRecord[]) => Promise<void>,
  ) {
    const outbox = new Outbox()
    const { tasks, agents } = agentsOf(family, outbox, isAtOnce)
    const { engine, end } = openWorld(store(), agents, { approvals })
    const life = { isOver: false }
    const over = end(await engine.start(plan(tasks, isAtOnce))).finally(() => (life.isOver = true))
    while (!life.isOver) {
      await look(engine, await store().approvals({ status: 'pending' }))
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    const { status } = await over
    await engine.close()
    return { status, sent: outbox.sent, agents }
  }

  const plan = (names: readonly string[], isAtOnce: boolean) =>
    request(
      names.map((name, n) => task(name, name, isAtOnce || n === 0 ? {} : { dependsOn: [names[n - 1]!] })),
      { strategy: 'graph' },
    )

  it.each([true, false])(
    `is made once unasked in all ${all.length} families of two and three calls (at once: %s)`,
    async (isAtOnce) => {
      for (const family of all) {
        for (const choice of ['denied', 'approved'] as const) {
          const asked = new Map<string, string>()
          const { status, sent } = await runFamily(family, isAtOnce, ALLOWED, async (engine, pending) => {
            for (const { approvalId, reason } of pending) {
              asked.set(approvalId, reason)
              await engine.decide(approvalId, choice, 'ann').catch(() => undefined)
            }
          })
          const about = `${JSON.stringify(family)}, ${choice}: ${[...asked.values()].join(' | ')}`
          // A user who approves both at once is asked again for the second one.
          const again = isAtOnce && choice === 'approved' ? asked.size - callsIn(family) + 1 : 0
          expect([status, asked.size - again], about).toEqual(['finished', callsIn(family) - 1])
          expect(again, about).toBeOneOf([0, 1])
          expect(sent.length, about).toBe(choice === 'approved' ? callsIn(family) : 1)
        }
      }
    },
    240_000,
  )

  // `free` holds the numbers of the policy checks that allow the call. Approvals are decided in descending order of their keys.
  it.each(['', '0', '1', '1 2 3 4 5 6 7 8 9'])(
    `is never made twice by jobs of which neither question names the other, in ${all.length} families (free: %s)`,
    async (free) => {
      for (const family of all) {
        let [looks, quiet] = [0, 0]
        const allowsWithoutApproval = () => free.split(' ').includes(String(looks++))
        const asked = new Map<string, string>()
        const made = await runFamily(family, true, { allowsWithoutApproval }, async (engine, pending) => {
          for (const { approvalId, key, reason } of pending) {
            if (asked.has(approvalId)) continue
            asked.set(approvalId, `${key}: ${reason}`)
            quiet = 0
          }
          const last = pending.toSorted((x, y) => (x.key < y.key ? 1 : -1))[0]
          if (quiet++ > 4 && last !== undefined)
            await engine.decide(last.approvalId, 'approved', 'ann').catch(() => undefined)
        })
        const all = [...asked.values()]
        const about = `${JSON.stringify(family)}: ${all.join(' | ')}`
        expect([made.status, made.sent.length], about).toEqual(['finished', callsIn(family)])
        const every = made.agents.map(({ name }) => name)
        const names = every.filter((name) => !every.includes(`${name}-0`))
        const isNamed = (name: string, by: string): boolean =>
          all.some((one) => one.startsWith(`${by}: `) && one.includes(`"${name}"`))
        for (const one of names) {
          for (const other of names.filter((name) => name > one)) {
            expect(isNamed(one, other) || isNamed(other, one), `${one}, ${other} of ${about}`).toBe(true)
          }
        }
      }
    },
    240_000,
  )

  it('is first in one of the runs, however many begin at the same moment, wherever they are', async () => {
    const { engine, start } = openWorld(store(), [hanging('a')])
    const root = await start(['a'])
    const within = ['1', '2', '3', '4'].map((name) => `${root}.${name}`)
    for (const [n, runId] of within.entries()) {
      const parent = { runId: n < 2 ? root : within[n - 2]!, key: 'a' }
      await engine.start(request(['a']), { runId, parent })
    }
    const calls = [root, ...within].flatMap((runId) => ['x', 'y'].map((job) => ({ runId, job })))
    const claim = ({ runId, job }: (typeof calls)[number]) =>
      claimCall({ store: store(), clock: systemClock }, runId, { call: '/send:1', job: `${runId} ${job}` }, true)
    const before = await Promise.all(calls.map(claim))
    expect(before.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual(calls.map((_one, n) => n))
    for (const [n, call] of calls.entries()) expect(await claim(call)).toEqual(before[n])
    await engine.cancel(root, 'the test')
  })
})
