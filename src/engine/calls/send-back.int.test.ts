import { expect, it } from 'vitest'
import {
  agent,
  engineFor,
  eventually,
  FakeModels,
  gate,
  mortal,
  outcomeOf,
  passing,
  request,
  say,
  textTool,
  openWorld,
} from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import type { AgentTask } from '../../domain/actor.ts'
import { parseRequest } from '../../domain/request.ts'
import { traceOf } from '../../domain/trace.ts'
import { ManualClock } from '../../testing/manual-clock.ts'

const NO = { by: 'reflection', text: 'Say it in one word.', answer: 'too many words' }

describeStores('an attempt that is sent back', (store) => {
  it('is followed by one with the reason in its task and prompts, up to the limit', async () => {
    const told: AgentTask['feedback'][] = []
    const prompts: (string | undefined)[] = []
    const models = new FakeModels((_input, { feedback }) => {
      prompts.push(feedback)
      return 'words'
    })
    const limits: string[] = []
    const writer = agent('writer', async (task, ctx) => {
      told.push(task.feedback)
      await ctx.ask(say, 'write')
      limits.push(ctx.sendBack(NO, 2))
      return { answer: `attempt ${ctx.attempt}` }
    })
    const { engine, clock } = openWorld(store(), [writer], { models })
    const state = await outcomeOf(engine, clock, request(['writer']))
    expect(state.jobs.get('writer')!.result).toMatchObject({ status: 'succeeded', answer: 'attempt 3' })
    expect(limits).toEqual(['limit'])
    expect(told[0]).toBeUndefined()
    const feedback = {
      by: NO.by,
      text: NO.text,
      attempt: { key: 'writer', actor: 'writer', result: { answer: NO.answer } },
    }
    expect(told.slice(1)).toEqual([
      { ...feedback, rejections: 1 },
      { ...feedback, rejections: 2 },
    ])
    expect(prompts[0]).toBeUndefined()
    expect(prompts[1]).toContain(`What reflection said of it: ${NO.text}`)
    // It has no delay, and does not count as a retry.
    const retries = (await engine.events(state.runId)).flatMap((event) =>
      event.type === 'job.retrying' ? [event] : [],
    )
    expect(retries.map(({ delayMs, rejected }) => [delayMs, rejected])).toEqual([
      [0, NO],
      [0, NO],
    ])
    const lines = traceOf(await engine.events(state.runId)).map(({ message }) => message)
    expect(lines.filter((line) => line === `Sent back by reflection: ${NO.text}`)).toHaveLength(2)
  })

  it('keeps the reason after a crash', async () => {
    const clock = new ManualClock()
    const dying = mortal(store())
    const begun = gate()
    const told: (string | undefined)[] = []
    const writer = (isSecond: boolean) =>
      agent('writer', async ({ feedback }, ctx) => {
        if (ctx.attempt === 1) ctx.sendBack(NO, 1)
        if (!isSecond) {
          begun.open()
          return new Promise(() => undefined)
        }
        told.push(feedback?.text)
        return { answer: ctx.sendBack(NO, 1) }
      })
    const first = engineFor([writer(false)], { store: dying, clock })
    const runId = await first.start(request(['writer']))
    await eventually(begun.isOpen)
    await eventually(async () => (await store().read(runId)).some(({ type }) => type === 'job.retrying'))
    dying.crash()
    await clock.advance(40_000)
    const second = engineFor([writer(true)], { store: store(), clock })
    const state = await passing(
      clock,
      second.resume(runId).then(() => second.outcome(runId)),
    )
    expect(told).toEqual([NO.text])
    expect(state.jobs.get('writer')!.result).toMatchObject({ answer: 'limit' })
    await second.close()
  })

  it('is not repeated after an irreversible call, here or in a nested run', async () => {
    const sent: string[] = []
    const send = textTool('send', 'irreversible', async (text: string) => sent.push(text))
    const mailer = agent('mailer', async (_task, ctx) => {
      // Each run makes its own call: the same call by two runs of one question would need approval.
      await ctx.call(send, `mail ${ctx.attempt} of ${ctx.runId}`)
      return { answer: ctx.sendBack(NO, 5) }
    })
    const parent = agent('parent', async (_task, ctx) => {
      const plan = [{ id: 'mailer', agent: 'mailer', dependsOn: [] }]
      await ctx.startRun(parseRequest({ question: `${ctx.attempt}`, context: { plan } }, new Set()))
      return { answer: ctx.sendBack(NO, 5) }
    })
    const approvals = { allowsWithoutApproval: () => true }
    const { engine, clock } = openWorld(store(), [mailer, parent], { approvals })
    const state = await outcomeOf(engine, clock, request(['mailer', 'parent']))
    expect(
      [...state.jobs.values()].flatMap(({ task, result }) => (task === undefined ? [] : [result?.answer])),
    ).toEqual(['done', 'done'])
    expect(sent.map((mail) => mail.split(' of ')[0])).toEqual(['mail 1', 'mail 1'])
  })
})
