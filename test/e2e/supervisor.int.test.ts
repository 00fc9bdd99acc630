import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import { defineAgent, type Agent } from '../../src/domain/actor.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { agent } from '../support/engine-world.ts'
import { startModelServer, type ModelRequest, type Reply } from '../support/model-server.ts'
import { ASKED, NOTHING_TO_REMEMBER, pendingApproval } from './support.ts'
import { openForEach } from '../support/opened.ts'

/** The strategy `supervisor` with real roles, test agents, and a scripted model. */

const server = openForEach(() => startModelServer())
let app: App
afterEach(() => app.close())

const DAY_MS = 24 * 60 * 60 * 1_000
const SUPERVISOR = 'You are the supervisor of specialist agents.'
const step = (id: string, agent: string, task: string, depends_on: readonly string[] = []) => ({
  id,
  agent,
  task,
  depends_on,
})

/** Replies of the supervisor, in order. The last one repeats. */
function scripted(
  decisions: readonly { plan: readonly ReturnType<typeof step>[]; next: readonly string[] }[],
  answer?: string,
): void {
  let asked = 0
  const reply = (): Reply => {
    const { plan, next } = decisions[Math.min(asked++, decisions.length - 1)]!
    const selected_agents = next.map((task) => ({ agent: plan.find(({ id }) => id === task)!.agent, task }))
    return { json: { thought_process: `Thought ${asked}.`, plan, selected_agents } }
  }
  server.script([
    NOTHING_TO_REMEMBER,
    { when: SUPERVISOR, reply },
    {
      when: ASKED.compose,
      reply: ({ text }: ModelRequest) => ({
        text: answer ?? [...text.matchAll(/Answer: (.*)/g)].at(-1)?.[1] ?? 'Nothing.',
      }),
    },
  ])
}

const prompts = (): string[] => server.requests.flatMap(({ text }) => (text.includes(SUPERVISOR) ? [text] : []))

async function open(agents: readonly Agent[], clock?: ManualClock): Promise<App> {
  app = await createApp({
    agents: agents.map(defineAgent),
    models: { providers: [{ kind: 'compatible', baseUrl: server.url, defaultModel: 'scripted' }] },
    ...(clock === undefined ? {} : { clock, config: { approvals: { timeoutMs: 2 * DAY_MS } } }),
  })
  return app
}

const gauge = (run: Agent['run']): Agent =>
  agent('gauge', run, { keywords: ['rain'], useCases: ['How much rain fell?'] })
const archive = (run: Agent['run']): Agent => agent('archive', run, { keywords: ['archive'] })
const broken: Agent['run'] = async () => {
  throw new Error('the gauge is frozen')
}
const QUESTION = { question: 'How much rain fell?', strategy: 'supervisor' } as const
const GAUGE = step('g', 'gauge', 'Read the gauge.')
const ARCHIVE = step('a', 'archive', 'Look it up in the archive.')

describe('the supervisor', () => {
  it('sees failures, makes another plan and runs it', async () => {
    await open([gauge(broken), archive(async () => ({ answer: '5 mm of rain fell.' }))])
    scripted([
      { plan: [GAUGE], next: ['g'] },
      { plan: [GAUGE, ARCHIVE], next: ['a'] },
      { plan: [GAUGE, ARCHIVE], next: [] },
    ])
    const { answer, agentResults } = await app.ask(QUESTION)
    expect(prompts()).toHaveLength(3)
    expect(prompts()[1]).toMatch(/<result of="gauge" task="g" status="failed">\n[^<]*the gauge is frozen/)
    expect(prompts()[2]).toMatch(/<result of="archive" task="a" status="succeeded">\n5 mm of rain fell\./)
    expect(agentResults.map(({ task, status }) => [task, status])).toEqual([
      ['g', 'failed'],
      ['a', 'succeeded'],
    ])
    expect(answer).toContain('5 mm of rain fell.')
    // The composer's prompt names the failed steps, and has the thought of the last decision, which changed nothing.
    const composing = server.requests.find(({ text }) => text.includes(ASKED.compose))!.text
    expect(composing).toContain('status: failed')
    expect(composing).toContain('<plan>\nThought 3.\n</plan>')
  })

  it('may replace a failed step, which stays in the response without affecting the answer', async () => {
    await open([gauge(broken), archive(async () => ({ answer: '5 mm of rain fell.' }))])
    scripted([
      { plan: [GAUGE], next: ['g'] },
      { plan: [ARCHIVE], next: ['a'] },
      { plan: [ARCHIVE], next: [] },
    ])
    const { answer, status, agentResults, metadata } = await app.ask(QUESTION)
    expect(agentResults.map(({ agent: name, status: end }) => [name, end])).toEqual([
      ['gauge', 'failed'],
      ['archive', 'succeeded'],
    ])
    expect([answer, status, metadata.unanswered]).toEqual(['5 mm of rain fell.', 'answered', []])
  })

  it('that fails leaves no answer, and the composer gets the reason', async () => {
    await open([gauge(async () => ({ answer: 'unused' }))])
    server.script([
      NOTHING_TO_REMEMBER,
      { when: SUPERVISOR, reply: { text: '' } },
      { when: ASKED.compose, reply: { text: 'It could not be found out.' } },
    ])
    const { metadata } = await app.ask(QUESTION)
    const said = 'The work was ended, since its language model gave no decision on the next steps.'
    expect(server.requests.at(-1)!.text).toContain(said)
    expect(metadata.isAnswered).toBe(false)
    expect(metadata.notes).toContain(said)
    expect(metadata.notes.join()).not.toContain('without a model')
  })

  it('is asked once more about open parts, and the response reports that no agent was chosen for them', async () => {
    await open([gauge(async () => ({ answer: '5 mm of rain fell.' })), archive(async () => ({ answer: 'unused' }))])
    const decisions = [
      { plan: [GAUGE, ARCHIVE], next: ['g'] },
      { plan: [GAUGE, ARCHIVE], next: [] },
    ]
    scripted(decisions, '5 mm of rain fell.')
    const { answer, notices } = await app.ask(QUESTION)
    expect(prompts()).toHaveLength(3)
    expect(prompts()[2]).toContain('Parts of the plan are open, and nobody was chosen for them: "a".')
    expect(answer).toBe('5 mm of rain fell.')
    expect(notices.map(({ text }) => text).join()).toContain('The supervisor chose no agent for the remaining parts.')
  })

  it('gets the error of a decision that cannot be carried out', async () => {
    await open([gauge(async () => ({ answer: '5 mm of rain fell.' }))])
    scripted([
      { plan: [step('x', 'nobody', 'Guess.')], next: ['x'] },
      { plan: [GAUGE], next: ['g'] },
      { plan: [GAUGE], next: [] },
    ])
    const { answer } = await app.ask(QUESTION)
    expect(prompts()[1]).toContain('Unknown agent: task "x" asks for "nobody".')
    expect(answer).toContain('5 mm of rain fell.')
  })

  it('that lists a finished step again gets a note, and the answer is complete', async () => {
    await open([gauge(async () => ({ answer: '5 mm of rain fell.' }))])
    const again = step('check', 'gauge', 'read the  gauge.')
    scripted([
      { plan: [GAUGE], next: ['g'] },
      { plan: [GAUGE, again], next: ['check'] },
      { plan: [GAUGE], next: [] },
    ])
    const { answer, status, notices, agentResults } = await app.ask(QUESTION)
    expect(prompts()[2]).toMatch(/<problem>\n.*"g".*\n<\/problem>/)
    expect(prompts()[2]).toContain('<result of="gauge" task="g" status="succeeded">\n5 mm of rain fell.')
    expect([answer, status, notices.filter(({ severity }) => severity === 'warning')]).toEqual([
      '5 mm of rain fell.',
      'answered',
      [],
    ])
    expect(agentResults.map(({ task }) => task)).toEqual(['g'])
  })

  it('reads no replaced attempt, and needs no composer for one result', async () => {
    let attempts = 0
    const seen: unknown[] = []
    await open([
      gauge(async ({ feedback }) => {
        seen.push(feedback?.text)
        if (attempts++ > 0) return { answer: '5 mm of rain fell.' }
        return { status: 'failed', partial: { answer: '7 mm' }, error: { type: 'Internal', message: 'read 7 mm' } }
      }),
    ])
    scripted(
      [
        { plan: [GAUGE], next: ['g'] },
        { plan: [GAUGE], next: ['g'] },
        { plan: [GAUGE], next: [] },
      ],
      'Error: an internal error occurred',
    )
    const { answer } = await app.ask(QUESTION)
    expect(answer).toBe('5 mm of rain fell.')
    expect(seen).toEqual([undefined, 'read 7 mm'])
    expect(prompts().at(-1)).not.toContain('7 mm')
  })

  it('stops at the breaker, asks the user and continues with the answer the next day', async () => {
    const clock = new ManualClock(Date.parse('2026-03-02T09:00:00Z'))
    await open([gauge(broken), archive(async () => ({ answer: '5 mm of rain fell.' }))], clock)
    const again = [step('g2', 'gauge', 'Read it.'), step('g3', 'gauge', 'Read it now.')]
    scripted([
      { plan: [GAUGE, ...again], next: ['g'] },
      { plan: [GAUGE, ...again], next: ['g2'] },
      { plan: [GAUGE, ...again], next: ['g3'] },
      { plan: [GAUGE, ...again, ARCHIVE], next: ['a'] },
      { plan: [GAUGE, ...again, ARCHIVE], next: [] },
    ])
    const runId = await app.start({ ...QUESTION, interactive: true })
    const { approvalId, payload } = await pendingApproval(app, runId)
    expect((payload as { question: string }).question).toMatch(
      /asked again and again without anything new\. Still open: .*“Read it now\.”.* How should it go on\?$/,
    )
    expect(JSON.stringify(payload)).not.toContain('was ended')
    await clock.advance(DAY_MS)
    await app.runs.decide(approvalId, 'approved', 'Ann', 'Take the archive of the weather station.')
    await app.runs.outcome(runId)
    expect(prompts()[3]).toMatch(/<question>[^<]*Take the archive of the weather station\.[^<]*<\/question>/)
    // The text of a task comes from a model, even if it was part of a question to the user.
    expect(prompts()[3]).not.toMatch(/<question>[^<]*Read it now/)
    expect(prompts()[3]).toMatch(/<asked>[^<]*Read it now/)
    expect((await app.response(runId)).answer).toContain('5 mm of rain fell.')
  })
})

describe('with any decisions of a model', () => {
  const id = fc.constantFrom('g', 'a', 'x', 'gauge', 'a b', '', '__proto__', 'plan:1', 'y~2')
  const agentName = fc.constantFrom('gauge', 'archive', ' gauge ', 'nobody', 'supervisor')
  const steps = fc.array(
    fc.record({
      id,
      agent: agentName,
      task: fc.constantFrom('', 'Read.', 'Look.'),
      depends_on: fc.array(id, { maxLength: 2 }),
    }),
    { maxLength: 4 },
  )
  const decision = fc.record({
    thought_process: fc.constantFrom('', 'So.'),
    plan: steps,
    selected_agents: fc.array(fc.record({ agent: agentName, task: fc.oneof(id, fc.constant('Read.')) }), {
      maxLength: 3,
    }),
  })

  it('the run ends with an answer, no succeeded task is repeated, and succeeded tasks stay in the plan', async () => {
    let scriptOf: readonly object[] = []
    let asked = 0
    let calls: string[] = []
    const work =
      (name: string, mayFail: boolean): Agent['run'] =>
      async ({ text }, ctx) => {
        calls.push(`${name} ${ctx.job.key.replace(/~.*/, '')} ${text}`)
        if (mayFail && calls.length % 3 === 0) throw new Error('frozen')
        return { answer: `${name} found ${calls.length} mm.` }
      }
    await open([gauge(work('gauge', true)), archive(work('archive', false))])
    let begun = 0
    await fc.assert(
      fc.asyncProperty(fc.array(decision, { minLength: 1, maxLength: 6 }), async (decisions) => {
        ;[scriptOf, asked, calls] = [decisions, 0, []]
        server.script([
          NOTHING_TO_REMEMBER,
          { when: SUPERVISOR, reply: () => ({ json: scriptOf[asked++ % scriptOf.length]! }) },
          { when: ASKED.compose, reply: { text: 'Nothing.' } },
        ])
        const runId = await app.start({ ...QUESTION, interactive: false, memory: false })
        const { status, jobs, plan } = await app.runs.outcome(runId)
        expect(status).toBe('finished')
        const tasks = [...jobs.values()].flatMap((job) => job.task ?? [])
        begun += tasks.length
        const done = [...jobs.values()].flatMap((job) => (job.status === 'succeeded' ? (job.task ?? []) : []))
        expect(plan!.plan.tasks).toEqual(expect.arrayContaining(done))
        expect(new Set(calls.filter((call) => call.startsWith('archive'))).size).toBe(
          calls.filter((call) => call.startsWith('archive')).length,
        )
        expect(prompts().length).toBeLessThanOrEqual(62)
      }),
      { numRuns: 50, seed: 5 },
    )
    expect(begun).toBeGreaterThan(5)
  })
})
