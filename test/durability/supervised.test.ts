import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RunEvent } from '../../src/core/events.ts'
import type { ModelRequest, Reply, Rule } from '../support/model-server.ts'
import { describeKills } from './kill-scene.ts'
import { approveAll, EXPECTED_ANSWER, MODEL_RULES, officeRequest, openOffice } from './office.ts'
import { runVictim } from './run-victim.ts'
import type { Death } from './victim.ts'

/** Kills on each database: more of them by `TUTTI_TEST_KILLS=150 npx vitest run test/durability/supervised.test.ts`. */
const KILLS = Number(process.env['TUTTI_TEST_KILLS'] ?? 8)
/** What a run appends goes to the log together as it comes: so many times on a busy machine, more often on a quiet one. */
const APPENDS = 30

const SUPERVISOR = 'You are the supervisor of specialist agents.'

interface Step {
  readonly id: string
  readonly agent: string
  readonly task: string
  readonly depends_on: readonly string[]
  readonly status?: string
}

const reading = (n: number): Step => ({ id: `r${n}`, agent: 'reader', task: `Read part ${n}.`, depends_on: [] })
const FIRST: readonly Step[] = [
  ...Array.from({ length: 19 }, (_none, n) => reading(n + 1)),
  { id: 'mail', agent: 'sender', task: 'Write to the supplier.', depends_on: ['r1'] },
]
/** Half-way the plan is changed. */
const isLate = ({ id }: Step): boolean => id === 'r18' || id === 'r19'
const ADDED = [reading(30), reading(31)]

/** Two steps at a time, and another plan once ten are done: a function of what it is shown. */
function decide({ text }: ModelRequest): Reply {
  const shown = [...text.matchAll(/^\{"id".*$/gm)].map(([line]) => JSON.parse(line) as Step)
  const done = shown.filter(({ status }) => status === 'succeeded')
  const isHalf = done.length >= 10 && shown.some(isLate)
  const known: readonly Step[] = isHalf ? [...shown.filter((step) => !isLate(step)), ...ADDED] : shown
  const plan = known.some(({ id }) => id === 'mail') ? known : FIRST
  const next = plan.filter(({ status = 'open' }) => status === 'open').slice(0, 2)
  return {
    json: {
      thought_process: 'Two at a time.',
      plan: plan.map(({ status: _status, ...step }) => step),
      selected_agents: next.map(({ id, agent }) => ({ agent, task: id })),
    },
  }
}

const RULES: readonly Rule[] = [
  { when: SUPERVISOR, reply: decide },
  // In other words for each part: the same ones again would be no progress.
  { when: '[summary]', reply: ({ text }) => ({ text: `Stock of ${/part \d+/.exec(text)![0]} is low.` }) },
  ...MODEL_RULES,
]

describeKills('kill -9 of a supervisor’s run of over 30 steps, on %s', [], (scene, isMissing, why) => {
  async function killAndGoOn(dieAt: Death): Promise<boolean> {
    const { victim, world, storage, server } = scene
    server.script(RULES)
    const runId = `run ${randomUUID()}`
    const outbox = join(tmpdir(), `outbox-${randomUUID()}`)
    const settings = { storage: world.settings, modelUrl: server.url, outbox, runId, dieAt, strategy: 'supervisor' }
    const death = await runVictim(victim, settings)
    const inLog = await storage.store.read(runId)
    const engine = openOffice({ store: storage.store, modelUrl: server.url, outbox })
    if (inLog.length === 0) await engine.start(officeRequest(runId, 'supervisor'), { runId })
    else if (death !== undefined) void engine.resume(runId)
    await approveAll(engine, storage.store, runId)
    const state = await engine.state(runId)
    await engine.close()

    expect([state.status, state.answer?.text, state.jobs.size], death).toEqual(['finished', EXPECTED_ANSWER, 33])
    const wanted = [...FIRST.filter((step) => !isLate(step)), ...ADDED].map(({ id }) => id)
    expect(state.plan!.plan.tasks.map(({ id }) => id).toSorted(), death).toEqual(wanted.toSorted())
    for (const id of wanted) expect(state.jobs.get(id)?.status, `${id}, ${death}`).toBe('succeeded')
    // A call that is in the log is not paid again; one that was under way may be.
    const asked = server.requests.map(({ text }) => text)
    const different = [...new Set(asked)]
    const decisions = different.filter((text) => text.includes(SUPERVISOR))
    const keyOf = (text: string): string => {
      if (text.includes(SUPERVISOR)) return `supervisor:${decisions.indexOf(text) + 1}`
      if (text.includes('[summary]')) return `r${/Read part (\d+)/.exec(text)![1]}`
      return text.includes('[draft]') ? 'mail' : 'compose:1'
    }
    const again = different.filter((text) => asked.filter((other) => other === text).length > 1).map(keyOf)
    const isModelCall = (event: RunEvent): boolean => event.type === 'call.finished' && event.kind === 'model'
    const finished = new Set(inLog.flatMap((event) => (isModelCall(event) && 'key' in event ? [event.key] : [])))
    expect([different.length, asked.length - different.length], death).toEqual([32, again.length])
    expect(
      again.filter((key) => finished.has(key)),
      death,
    ).toEqual([])
    expect((await readFile(outbox, 'utf8')).trim().split('\n'), `mails, ${death}`).toHaveLength(1)
    await rm(outbox)
    return death !== undefined
  }

  it.skipIf(isMissing)(
    `${KILLS} times at random: all is done, nothing finished is done again, the mail goes once${why}`,
    async () => {
      const when = fc.constantFrom('before' as const, 'after' as const)
      const deaths = fc.sample(fc.record({ append: fc.integer({ min: 2, max: APPENDS }), when }), {
        numRuns: KILLS,
        seed: 11,
      })
      const died: boolean[] = []
      for (const death of deaths) died.push(await killAndGoOn(death))
      expect(died.filter(Boolean).length).toBeGreaterThan(KILLS / 2)
      expect(await killAndGoOn('after mail')).toBe(true)
    },
    Math.max(180_000, KILLS * 15_000),
  )
})
