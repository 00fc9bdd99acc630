import { expect, it } from 'vitest'
import { agent, eventually, FakeModels, openWorld, request, say, types } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { ALLOWED, Outbox } from '../../../test/support/test-agents.ts'
import type { AgentTask } from '../../domain/actor.ts'
import { traceOf } from '../../domain/trace.ts'

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
    const { engine, run } = openWorld(store(), [writer], { models })
    const state = await run(['writer'])
    expect(state.jobs.get('writer')!.result).toMatchObject({ status: 'succeeded', answer: 'attempt 3' })
    expect(limits).toEqual(['limit'])
    const attempt = { key: 'writer', actor: 'writer', result: { answer: NO.answer } }
    const feedback = { by: NO.by, text: NO.text, attempt }
    expect(told).toEqual([undefined, { ...feedback, rejections: 1 }, { ...feedback, rejections: 2 }])
    expect(prompts[0]).toBeUndefined()
    expect(prompts[1]).toContain(`What reflection said of it: ${NO.text}`)
    // It has no delay, and does not count as a retry.
    const events = await engine.events(state.runId)
    const retries = events.filter((event) => event.type === 'job.retrying')
    expect(retries.map(({ delayMs, rejected }) => [delayMs, rejected])).toEqual([
      [0, NO],
      [0, NO],
    ])
    const lines = traceOf(events).map(({ message }) => message)
    expect(lines.filter((line) => line === `Sent back by reflection: ${NO.text}`)).toHaveLength(2)
  })

  it('keeps the reason after a crash', async () => {
    const told: (string | undefined)[] = []
    const writer = (isSecond: boolean) =>
      agent('writer', async ({ feedback }, ctx) => {
        if (ctx.attempt === 1) ctx.sendBack(NO, 1)
        if (!isSecond) return new Promise(() => undefined)
        told.push(feedback?.text)
        return { answer: ctx.sendBack(NO, 1) }
      })
    const { start, crash, next } = openWorld(store(), [writer(false)])
    const runId = await start(['writer'])
    await eventually(async () => types(await store().read(runId)).includes('job.retrying'))
    await crash()
    const state = await next([writer(true)]).resume(runId)
    expect(told).toEqual([NO.text])
    expect(state.jobs.get('writer')!.result).toMatchObject({ answer: 'limit' })
  })

  it('is not repeated after an irreversible call, here or in a nested run', async () => {
    const { sent, tool } = new Outbox()
    const mailer = agent('mailer', async (_task, ctx) => {
      // Each run makes its own call: the same call by two runs of one question would need approval.
      await ctx.call(tool, `mail ${ctx.attempt} of ${ctx.runId}`)
      return { answer: ctx.sendBack(NO, 5) }
    })
    const parent = agent('parent', async (_task, ctx) => {
      await ctx.startRun(request(['mailer'], { question: `${ctx.attempt}` }))
      return { answer: ctx.sendBack(NO, 5) }
    })
    const { jobs } = await openWorld(store(), [mailer, parent], { approvals: ALLOWED }).run(['mailer', 'parent'])
    expect(['mailer', 'parent'].map((key) => jobs.get(key)?.result?.answer)).toEqual(['done', 'done'])
    expect(sent.map((mail) => mail.split(' of ')[0])).toEqual(['mail 1', 'mail 1'])
  })
})
