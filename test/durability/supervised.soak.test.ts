// Soak test: kills processes at random moments.
import { expect, it } from 'vitest'
import type { RunEvent } from '../../src/domain/events.ts'
import type { ModelRequest, Reply, Rule } from '../support/model-server.ts'
import { describeKills } from './kill-scene.ts'
import { finishedTwice, killAndGoOn, killAtRandom, KILLS, NOTHING, type Killed } from './kills.ts'
import { EXPECTED_ANSWER, levelIn, MODEL_RULES, NESTED_RULES, PROMPTS } from './office.ts'
import type { Death } from './victim.ts'

/** On a quiet machine. */
const APPENDS = 75

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
  ...Array.from({ length: 18 }, (_none, n) => reading(n + 1)),
  { id: 'mail', agent: 'sender', task: 'Write to the supplier.', depends_on: ['r1'] },
  { id: 'crew', agent: 'crew', task: 'Have others write.', depends_on: ['r2'] },
]
/** The plan is changed half-way. */
const isLate = ({ id }: Step): boolean => id === 'r17' || id === 'r18'
const ADDED = [reading(30), reading(31)]

/** Two steps at a time, and another plan after ten steps: a pure function of its prompt. */
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
  ...NESTED_RULES,
  // Worded differently for each part: repeated words would not count as progress.
  { when: '[summary]', reply: ({ text }) => ({ text: `Stock of ${/part \d+/.exec(text)?.[0]} is low.` }) },
  ...MODEL_RULES,
]

describeKills('kill -9 of a supervisor’s run of over 30 steps, with nested runs', [], 'PostgreSQL', (scene, kind) => {
  const wanted = [...FIRST.filter((step) => !isLate(step)), ...ADDED].map(({ id }) => id)

  async function supervised(dieAt: Death): Promise<Killed> {
    const { server } = scene
    server.script(RULES)
    const { death, before, log, state, family, mails } = await killAndGoOn(scene, dieAt, { strategy: 'supervisor' })
    const planned = state.plan?.plan.tasks.map(({ id }) => id) ?? []
    const asked = server.requests.map(({ text }) => text)
    const different = [...new Set(asked)]
    const lost = [
      ...(state.status === 'finished' && state.answer?.text === EXPECTED_ANSWER ? [] : ['the answer']),
      ...(family === 3 ? [] : [`${family} runs`]),
      ...(state.jobs.size === 33 && planned.toSorted().join() === wanted.toSorted().join() ? [] : ['the plan']),
      ...wanted.filter((id) => state.jobs.get(id)?.status !== 'succeeded'),
      ...(different.length === 38 ? [] : [`${different.length} questions to the model`]),
    ]
    // A call in the log is not paid again; an active one may be.
    const decisions = different.filter((text) => text.includes(SUPERVISOR))
    const keyOf = (text: string): string => {
      const level = levelIn(text)
      if (level > 0) return `${level} ${PROMPTS.find((one) => text.includes(`[${one}]`))}`
      if (text.includes(SUPERVISOR)) return `supervisor:${decisions.indexOf(text) + 1}`
      if (text.includes('[summary]')) return `r${/Read part (\d+)/.exec(text)![1]}`
      return text.includes('[draft]') ? 'mail' : 'compose:1'
    }
    const isModelCall = (event: RunEvent): boolean => event.type === 'call.finished' && event.kind === 'model'
    const finished = new Set(
      before.flatMap((event) => {
        if (!isModelCall(event) || !('key' in event)) return []
        const level = event.runId.split('.').length - 1
        return [level > 0 ? `${level} ${'name' in event ? event.name : ''}` : event.key]
      }),
    )
    const again = asked.filter((text, place) => asked.indexOf(text) !== place).map(keyOf)
    return {
      death,
      lost,
      repeated: [...again.filter((key) => finished.has(key)), ...finishedTwice(log)],
      mails: mails.length,
    }
  }

  it(
    `${KILLS} times at random: all is done, no finished work is repeated, the mail is sent once`,
    async () => {
      const tally = await killAtRandom(`supervisor on ${kind}`, APPENDS, supervised)
      expect(tally).toEqual({ ...NOTHING, kills: KILLS })
      expect(await supervised('after mail')).toMatchObject({ lost: [], repeated: [], mails: 2 })
    },
    300_000 + KILLS * 120_000,
  )
})
