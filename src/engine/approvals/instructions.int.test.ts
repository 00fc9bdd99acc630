import { describe, expect, it } from 'vitest'
import type { Agent, AgentTask } from '../../domain/actor.ts'
import type { RunEvent } from '../../domain/events.ts'
import type { Answered, AskOptions, ModelPort } from '../../domain/model.ts'
import type { Prompt } from '../../domain/prompt.ts'
import { responseOf } from '../../domain/response.ts'
import { traceOf } from '../../domain/trace.ts'
import {
  agent,
  engineFor,
  eventually,
  gate,
  mortal,
  passing,
  request,
  startEngine,
  task,
  types,
  textTool,
  openWorld,
  pendingApprovals,
} from '../../../test/support/engine-world.ts'
import { ManualClock, settled } from '../../testing/manual-clock.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { effectiveTaskOf } from './instructions.ts'

/** Answers the classifier alone; with no intent, as if there were no model. */
class Classifier implements ModelPort {
  readonly asked: { readonly input: unknown; readonly options: AskOptions }[] = []
  private readonly intent: string | undefined

  constructor(intent?: 'enhance' | 'override') {
    this.intent = intent
  }

  async ask<I, O>(_prompt: Prompt<I, O>, input: I, options: AskOptions): Promise<Answered<O>> {
    this.asked.push({ input, options })
    if (this.intent === undefined) return { by: 'fallback', reason: 'there is none', requests: 0 }
    options.reserve({ tokens: 10, costUsd: 0.01 })({ inputTokens: 5, outputTokens: 5 })
    return { value: { intent: this.intent } as O, by: 'model', model: 'fake:cheap', requests: 1 }
  }
}

/** An agent that mails what `write` makes of its task, and remembers what it was given. */
class Mailer {
  readonly sent: string[] = []
  readonly given: AgentTask[] = []
  private readonly write: (task: AgentTask) => string
  readonly tool = textTool('mail.send', 'irreversible', async (text: string) => {
    this.sent.push(text)
    return `sent ${text}`
  })

  constructor(write: (task: AgentTask) => string) {
    this.write = write
  }

  agent(more: Partial<Agent> = {}): Agent {
    return agent(
      'mailer',
      async (given, ctx) => {
        this.given.push(given)
        return { answer: await ctx.call(this.tool, this.write(given)) }
      },
      more,
    )
  }
}

const PLANNED = request([task('mailer', 'mailer', { text: 'Mail bob the figures' })])

const redos = (events: readonly RunEvent[]) =>
  events.filter((event) => event.type === 'job.retrying' && event.instructed !== undefined)

describeStores('an approval with instructions', (store) => {
  it('repeats the job with task and instructions, and asks for the new payload', async () => {
    const models = new Classifier('enhance')
    const mailer = new Mailer(({ instructions = [] }) => ['figures', ...instructions].join(' + '))
    const { engine, clock } = openWorld(store(), [mailer.agent()], { models })
    const runId = await engine.start(PLANNED)
    const [first] = await pendingApprovals(store(), runId)
    await engine.decide(first!.approvalId, 'approved', 'ann', '  the growth of the market  ')
    const [second] = await pendingApprovals(store(), runId)
    expect(mailer.sent).toEqual([])
    expect(second).toMatchObject({ payload: 'figures + the growth of the market' })
    await engine.decide(second!.approvalId, 'approved', 'ann')
    const state = await passing(clock, engine.outcome(runId))

    expect(mailer.sent).toEqual(['figures + the growth of the market'])
    const text =
      'Complete BOTH the original task AND the additional user instructions below.\n\n' +
      '### Original Task\nMail bob the figures\n\n' +
      '### User Enhanced Instructions\nthe growth of the market'
    expect(mailer.given.at(-1)).toMatchObject({ text, instructions: ['the growth of the market'] })
    const asked = (await engine.events(runId)).filter(({ type }) => type === 'approval.requested')
    expect(asked).toMatchObject([{}, { effectiveTask: { text, intent: 'enhance' } }])
    expect(asked[0]).not.toHaveProperty('effectiveTask')
    const { result, attempt } = state.jobs.get('mailer')!
    expect(result).toMatchObject({ status: 'succeeded', effectiveTask: { text, intent: 'enhance' } })
    expect(attempt).toBe(2)
    expect(models.asked.map(({ options }) => options.actor)).toEqual(['approval-classifier'])
    expect(models.asked[0]!.input).toEqual({
      task: 'Mail bob the figures',
      instructions: 'the growth of the market',
    })
    expect(await store().approvals({ approvalId: first!.approvalId })).toMatchObject([
      { status: 'approved', instructions: 'the growth of the market', provenance: { author: 'user' } },
    ])
  })

  it('replaces the task when the user asks for something else, and the response reports it', async () => {
    const mailer = new Mailer(({ instructions = ['figures'] }) => instructions.join())
    const { engine, clock } = openWorld(store(), [mailer.agent()], { models: new Classifier('override') })
    const runId = await engine.start(PLANNED)
    const [first] = await pendingApprovals(store(), runId)
    await engine.decide(first!.approvalId, 'approved', 'ann', 'the cricket results instead')
    const [second] = await pendingApprovals(store(), runId)
    await engine.decide(second!.approvalId, 'approved', 'ann')
    await passing(clock, engine.outcome(runId))
    expect(mailer.sent).toEqual(['the cricket results instead'])
    const text =
      'IMPORTANT — The user wants you to follow these override instructions\nINSTEAD of the original task.\n\n' +
      '### User Override Instructions\nthe cricket results instead\n\n' +
      '### Original Task (for reference only)\nMail bob the figures'
    const events = await engine.events(runId)
    const { agentResults, metadata, error } = responseOf(events)
    expect(agentResults).toMatchObject([{ task: 'mailer', effectiveTask: { text, intent: 'override' } }])
    // No reader of the log counts it as a failure.
    expect(error).toBeUndefined()
    expect(metadata.notes).toEqual([])
    const told = traceOf(events).filter(({ message }) => message.startsWith('Done anew'))
    expect(told).toMatchObject([{ eventType: 'DECISION', message: expect.stringContaining('the cricket results') }])
  })

  it.each(['send it to ann instead', 'Do not send the figures', 'thanks'])(
    'asks again for the same call: "%s"',
    async (instructions) => {
      const mailer = new Mailer(() => 'figures')
      const { engine, clock } = openWorld(store(), [mailer.agent()], { models: new Classifier() })
      const runId = await engine.start(PLANNED)
      const [first] = await pendingApprovals(store(), runId)
      await engine.decide(first!.approvalId, 'approved', 'ann', instructions)
      const [again] = await pendingApprovals(store(), runId)
      expect(again).toMatchObject({ payload: 'figures', reason: expect.stringContaining(`You said "${instructions}"`) })
      expect(again!.approvalId).not.toBe(first!.approvalId)
      await engine.decide(again!.approvalId, 'denied', 'ann')
      const state = await passing(clock, engine.outcome(runId))
      expect(state.answer?.text).toBe('mailer=failed:ApprovalDenied')
      expect(mailer.sent).toEqual([])
    },
  )

  /** Keeps the run in memory, so that the waiting attempt itself receives the decision. */
  const busyUntil = (over: Promise<unknown>) => agent('busy', () => over.then(() => ({})))
  const BESIDE_BUSY = request([task('mailer'), task('busy')], { strategy: 'graph' })

  it('is not undone by an agent that catches every error, and costs no retry', async () => {
    const mailer = new Mailer(() => '')
    const hold = gate()
    let begun = 0
    let failures = 0
    const stubborn = agent(
      'mailer',
      async (given, ctx) => {
        begun++
        const text = given.instructions === undefined ? 'figures' : 'figures with growth'
        const sent = await ctx.call(mailer.tool, text).catch(() => 'caught')
        if (given.instructions !== undefined && failures++ === 0) throw new Error('trouble')
        return { answer: sent }
      },
      { limits: { retries: 1 } },
    )
    const agents = [stubborn, busyUntil(hold.promise)]
    const { engine, clock } = openWorld(store(), agents, { models: new Classifier('enhance') })
    const runId = await engine.start(BESIDE_BUSY)
    const [first] = await pendingApprovals(store(), runId)
    await engine.decide(first!.approvalId, 'approved', 'ann', 'with growth')
    const [second] = await pendingApprovals(store(), runId)
    await engine.decide(second!.approvalId, 'approved', 'ann')
    await passing(
      clock,
      eventually(async () => (await engine.state(runId)).jobs.get('mailer')?.result !== undefined),
    )
    hold.open()
    const state = await passing(clock, engine.outcome(runId))
    expect(state.answer?.text).toContain('mailer=succeeded:sent figures with growth')
    expect(mailer.sent).toEqual(['figures with growth'])
    expect(state.jobs.get('mailer')).toMatchObject({ attempt: 3, redos: 1 })
    expect(begun, 'nobody took it up again in between').toBe(3)
    expect(types(await engine.events(runId))).not.toContain('run.resumed')
  })

  it('waits for a parallel irreversible call, which is not repeated', async () => {
    const hold = gate()
    const slow = gate()
    const sent: string[] = []
    const send = textTool('send', 'irreversible', async (text: string) => {
      sent.push(text)
      if (text === 'slow') await slow.promise
      return text
    })
    let begun = 0
    const two = agent('mailer', async ({ instructions = [] }, ctx) => {
      begun++
      const calls = [ctx.call(send, 'slow'), ctx.call(send, ['other', ...instructions].join(' + '))]
      return { answer: (await Promise.all(calls)).join() }
    })
    const agents = [two, busyUntil(hold.promise)]
    const { engine, clock } = openWorld(store(), agents, { models: new Classifier('enhance') })
    const runId = await engine.start(BESIDE_BUSY)
    const both = await eventually(async () => {
      const found = await store().approvals({ runId, status: 'pending' })
      return found.length === 2 && found
    })
    const idOf = (payload: string) => both.find((approval) => approval.payload === payload)!.approvalId
    await engine.decide(idOf('slow'), 'approved', 'ann')
    await eventually(() => sent.includes('slow'))
    await engine.decide(idOf('other'), 'approved', 'ann', 'more')
    await settled()
    expect(begun).toBe(1)
    slow.open()
    const [again] = await pendingApprovals(store(), runId)
    expect(again!.payload).toBe('other + more')
    await engine.decide(again!.approvalId, 'approved', 'ann')
    hold.open()
    const state = await passing(clock, engine.outcome(runId))
    expect(sent).toEqual(['slow', 'other + more'])
    expect(state.jobs.get('mailer')?.result?.answer).toBe('slow,other + more')
  })

  it('accumulates: each further instruction is added to the earlier ones', async () => {
    const mailer = new Mailer(({ instructions = [] }) => ['figures', ...instructions].join(' + '))
    const models = new Classifier('enhance')
    const { engine, clock } = openWorld(store(), [mailer.agent()], { models })
    const runId = await engine.start(PLANNED)
    for (const instructions of ['one', 'two', undefined]) {
      const [approval] = await pendingApprovals(store(), runId)
      await engine.decide(approval!.approvalId, 'approved', 'ann', instructions)
      await eventually(
        async () => (await store().approvals({ approvalId: approval!.approvalId }))[0]!.status !== 'pending',
      )
    }
    await passing(clock, engine.outcome(runId))
    expect(mailer.sent).toEqual(['figures + one + two'])
    expect(mailer.given.at(-1)!.text).toMatch(/### User Enhanced Instructions\none\ntwo$/)
    expect(models.asked, 'each is classified once, however many attempts there are').toHaveLength(2)
  })

  it('is followed after a restart between decision and repetition, and classified once', async () => {
    const clock = new ManualClock()
    const models = new Classifier('enhance')
    const mailer = new Mailer(({ instructions = [] }) => ['figures', ...instructions].join(' + '))
    const dying = mortal(store())
    const first = engineFor([mailer.agent()], { store: dying, clock, models })
    const runId = await first.start(PLANNED)
    const [approval] = await pendingApprovals(store(), runId)
    dying.crash()
    await clock.advance(40_000)
    const decider = startEngine([mailer.agent()], { store: mortal(store()), clock, models })
    const append = await store().read(runId)
    // Only the decision is in the log. The next worker finds it there.
    await store().append([
      {
        runId,
        afterSeq: append.length,
        events: [
          {
            type: 'approval.decided',
            at: new Date(clock.now()).toISOString(),
            approvalId: approval!.approvalId,
            decision: 'approved',
            by: 'ann',
            instructions: 'with growth',
          },
        ],
      },
    ])
    void decider.resume(runId)
    const [second] = await pendingApprovals(store(), runId)
    expect(second!.payload).toBe('figures + with growth')
    expect(mailer.sent).toEqual([])

    // Dies again while the second question is open: the third process finds the task as it was.
    await eventually(async () => (await store().run(runId))?.status === 'waiting')
    const third = startEngine([mailer.agent()], { store: store(), clock, models })
    await third.decide(second!.approvalId, 'approved', 'ann')
    const state = await passing(clock, third.outcome(runId))
    expect(mailer.sent).toEqual(['figures + with growth'])
    expect(state.jobs.get('mailer')).toMatchObject({ attempt: 2, redos: 1 })
    expect(redos(await third.events(runId))).toHaveLength(1)
    expect(models.asked).toHaveLength(1)
  })
})

describe('the effective task', () => {
  it('drops instructions before an override, and keeps those after it', () => {
    const enhance = (text: string) => ({ text, intent: 'enhance' }) as const
    const override = (text: string) => ({ text, intent: 'override' }) as const
    const made = effectiveTaskOf('task', [enhance('a'), override('b'), enhance('c')])
    expect(made.intent).toBe('override')
    expect(made.text).toContain('### User Override Instructions\nb\nc\n')
    expect(made.text).not.toContain('\na\n')
    expect(effectiveTaskOf('task', [override('a'), override('b')]).text).toContain('Instructions\nb\n')
  })
})
