import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RunEvent } from '../../src/core/events.ts'
import type { Rule } from '../support/model-server.ts'
import { describeKills } from './kill-scene.ts'
import { approveAll, MODEL_RULES, officeRequest, openOffice } from './office.ts'
import { runVictim } from './run-victim.ts'

/** How many reviews are killed on each database; more of them find more: `TUTTI_TEST_KILLS=150 npx vitest run …`. */
const KILLS = Number(process.env['TUTTI_TEST_KILLS'] ?? 8)
const SEED = Number(process.env['TUTTI_TEST_SEED'] ?? 20_261_122)

const SHELVES = 14
const researchSteps = [
  ...Array.from({ length: SHELVES }, (_, i) => ({ agent: 'reader', step: `Look at shelf ${i + 1}` })),
  { agent: 'sender', step: 'Write to the supplier' },
]

/** A plan, one shelf after the other, the third of which is looked at twice, a mail, and an answer that is sent back once. */
const RULES: readonly Rule[] = [
  { when: 'You are the planner.', reply: { json: { researchSteps, expertSteps: ['Say what was done'] } } },
  {
    when: ({ text }) =>
      text.includes('Review research') && text.includes('Look at shelf 3:') && !text.includes('indeed'),
    reply: { json: { decision: 'reject', feedback: 'Count again.' } },
  },
  {
    when: ({ text }) => text.includes('Review expert answer') && text.includes('> Done.'),
    reply: { json: { decision: 'reject', feedback: 'Say why.' } },
  },
  { when: 'You are a critic.', reply: { json: { decision: 'approve', feedback: '' } } },
  {
    when: ({ text }) => text.includes('[summary]') && text.includes('Count again.'),
    reply: { text: 'Stock is low indeed.' },
  },
  {
    when: ({ text }) => text.includes('You are the expert.') && text.includes('Say why.'),
    reply: { json: { answer: 'We wrote, since stock is low.', data: { expertReasoning: 'All shelves are low.' } } },
  },
  { when: 'You are the expert.', reply: { json: { answer: 'Done.', data: { expertReasoning: 'It was done.' } } } },
  { when: 'senior business intelligence agent', reply: { text: 'The mail was sent, since stock is low.' } },
  ...MODEL_RULES,
]

/** mulberry32: the same moments for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

describeKills('kill -9 on %s, in a review', RULES, (scene, isMissing, why) => {
  /** What a review comes to that is killed at this append, if it comes to that, and gone on with in this process. */
  async function reviewed(append: number, when: 'before' | 'after') {
    const { victim, world, storage, server } = scene
    const runId = `run ${randomUUID()}`
    const outbox = join(tmpdir(), `outbox-${randomUUID()}`)
    const settings = { storage: world.settings, modelUrl: server.url, outbox, runId, strategy: 'review' }
    const death = await runVictim(victim, { ...settings, dieAt: { append, when } })
    const before = await storage.store.read(runId)
    const engine = openOffice({ store: storage.store, modelUrl: server.url, outbox })
    if (before.length === 0) await engine.start(officeRequest(runId, 'review'), { runId })
    else if (death !== undefined) void engine.resume(runId)
    await approveAll(engine, storage.store, runId)
    const { status, answer, jobs } = await engine.state(runId)
    const log = await engine.events(runId)
    await engine.close()
    const mails = (await readFile(outbox, 'utf8')).trim().split('\n')
    await rm(outbox)
    return {
      death,
      log,
      came: { status, answer: answer?.text, by: answer?.by, jobs: [...jobs.keys()], mails: mails.length },
    }
  }

  it.skipIf(isMissing)(
    `at random: the same steps and answer, nothing that was finished done again, the mail sent once${why}`,
    async () => {
      const whole = await reviewed(Number.MAX_SAFE_INTEGER, 'after')
      expect(whole.death).toBeUndefined()
      expect(whole.came).toMatchObject({ status: 'finished', by: 'model', mails: 1 })
      expect(whole.came.answer).toContain('The mail was sent, since stock is low.')
      expect(whole.came.jobs.length).toBeGreaterThan(30)
      expect(whole.came.jobs).toEqual(expect.arrayContaining(['research-3~2', 'review-expert:2', 'finalizer:1']))

      const random = randomFrom(SEED)
      let deaths = 0
      for (let tries = 0; deaths < KILLS && tries < 4 * KILLS; tries++) {
        const append = 1 + Math.floor(random() * whole.log.length * 0.75)
        const when = random() < 0.5 ? 'before' : 'after'
        const { death, log, came } = await reviewed(append, when)
        const about = `${death}, seed ${SEED}`
        expect(came, about).toEqual(whole.came)
        expect(twice(log), about).toEqual([])
        if (death !== undefined) deaths++
      }
      expect(deaths).toBe(KILLS)
    },
    300_000 + KILLS * 30_000,
  )
})

/** Calls and jobs that the log has as finished more than once. */
function twice(log: readonly RunEvent[]): string[] {
  const finished = log.flatMap((event) => {
    if (event.type === 'call.finished') return [`${event.key} ${event.path}`]
    return event.type === 'job.settled' ? [event.key] : []
  })
  return finished.filter((key, place) => finished.indexOf(key) !== place)
}
