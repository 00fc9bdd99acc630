// Soak test: kills processes at random moments.
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { giveAnswer, type Rule } from '../support/model-server.ts'
import { describeKills } from './kill-scene.ts'
import { finishedTwice, killAndGoOn, killAtRandom, KILLS, NOTHING } from './kills.ts'
import { MODEL_RULES, NESTED_RULES } from './office.ts'
import type { Death } from './victim.ts'

const SHELVES = 14
const researchSteps = [
  ...Array.from({ length: SHELVES }, (_, i) => ({ agent: 'reader', step: `Look at shelf ${i + 1}` })),
  { agent: 'sender', step: 'Write to the supplier' },
  { agent: 'crew', step: 'Have others write' },
]

/**
 * A plan, three shelves of which the third is checked twice, a mail, a mail of nested runs, and an answer that is
 * rejected once.
 */
const RULES: readonly Rule[] = [
  ...NESTED_RULES,
  {
    when: 'You are the planner.',
    reply: { json: { research_steps: researchSteps, expert_steps: ['Say what was done'] } },
  },
  {
    when: ({ text }) => text.includes('<work>\nStep: Look at shelf 3\n') && !text.includes('indeed'),
    reply: { json: { decision: 'reject', feedback: 'Count again.' } },
  },
  {
    when: ({ text }) => text.includes('Review expert answer') && text.includes('Answer: Done.'),
    reply: { json: { decision: 'reject', feedback: 'Say why.' } },
  },
  { when: 'You are a critic.', reply: { json: { decision: 'approve', feedback: '' } } },
  {
    when: ({ text }) => text.includes('[summary]') && text.includes('Count again.'),
    reply: { text: 'Stock is low indeed.' },
  },
  {
    when: ({ text }) => text.includes('You are the expert.') && text.includes('Say why.'),
    reply: giveAnswer('We wrote, since stock is low.', 'All shelves are low.'),
  },
  { when: 'You are the expert.', reply: giveAnswer('Done.', 'It was done.') },
  { when: 'You write the final answer to', reply: { text: 'The mail was sent, since stock is low.' } },
  ...MODEL_RULES,
]

describeKills('kill -9, in a review with nested runs', RULES, 'PostgreSQL', (scene, kind) => {
  async function reviewed(dieAt: Death) {
    const { death, log, state, family, mails } = await killAndGoOn(scene, dieAt, { strategy: 'review' })
    const { status, answer, jobs } = state
    return {
      death,
      log,
      mails: mails.length,
      came: { status, family, answer: answer?.text, by: answer?.by, jobs: [...jobs.keys()] },
    }
  }

  it(
    'at random: the same steps and answer, no finished work is repeated, each mail is sent once',
    async () => {
      const whole = await reviewed({ append: Number.MAX_SAFE_INTEGER, when: 'after' })
      expect(whole).toMatchObject({ death: undefined, mails: 2, came: { status: 'finished', family: 3, by: 'model' } })
      expect(whole.came.answer).toContain('The mail was sent, since stock is low.')
      expect(whole.came.jobs.length).toBeGreaterThan(30)
      expect(whole.came.jobs).toEqual(expect.arrayContaining(['research-3~2', 'review-expert:2', 'finalizer:1']))

      const appends = Math.floor(whole.log.length * 0.75)
      const tally = await killAtRandom(`review on ${kind}`, appends, async (dieAt) => {
        const { death, log, mails, came } = await reviewed(dieAt)
        const lost = isDeepStrictEqual(came, whole.came) ? [] : [JSON.stringify(came)]
        return { death, mails, lost, repeated: finishedTwice(log) }
      })
      expect(tally).toEqual({ ...NOTHING, kills: KILLS })
    },
    300_000 + KILLS * 120_000,
  )
})
