import { beforeEach, describe, expect, it } from 'vitest'
import { TuttiError } from '../../domain/errors.ts'
import type { Answered, AskOptions, ModelPort } from '../../domain/model.ts'
import type { Prompt } from '../../domain/prompt.ts'
import { responseOf } from '../../domain/response.ts'
import { agent, openWorld, task, textTool } from '../../../test/support/engine-world.ts'
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

const sent: string[] = []
const send = textTool('mail.send', 'irreversible', async (text: string) => {
  sent.push(text)
  return `sent ${text}`
})

/** Mails the figures, and with instructions the task that they make. */
const mailer = agent(
  'mailer',
  async (_task, ctx) => {
    for (let text = 'figures'; ;) {
      try {
        return { answer: await ctx.call(send, text) }
      } catch (thrown) {
        if (!TuttiError.is(thrown, 'ApprovalInstructed')) throw thrown
        text = thrown.details!.task!
      }
    }
  },
  { followsInstructions: true },
)

const PLANNED = [task('mailer', 'mailer', { text: 'Mail bob the figures' })]
const ENHANCED =
  'Complete BOTH the original task AND the additional user instructions below.\n\n' +
  '### Original Task\nMail bob the figures\n\n' +
  '### User Enhanced Instructions\nthe growth of the market'
const OVERRIDDEN =
  'IMPORTANT — The user wants you to follow these override instructions\nINSTEAD of the original task.\n\n' +
  '### User Override Instructions\nthe cricket results instead\n\n' +
  '### Original Task (for reference only)\nMail bob the figures'

describeStores('an approval with instructions', (store) => {
  beforeEach(() => void sent.splice(0))

  it('ends the job of an agent that does not handle it, whatever that catches', async () => {
    const plain = agent('mailer', async (_task, ctx) => ({
      answer: await ctx.call(send, 'figures').catch(() => 'none'),
    }))
    const { start, decide, end } = openWorld(store(), [plain], { models: new Classifier() })
    const runId = await start(PLANNED)
    const { approvalId } = await decide(runId, 'approved', '  with growth  ')
    const state = await end(runId)
    expect(state.jobs.get('mailer')).toMatchObject({
      attempt: 1,
      result: {
        status: 'failed',
        error: {
          type: 'ApprovalInstructed',
          message: '"mail.send" was not called, because the user gave instructions: with growth. Ask anew with them.',
          details: { instructions: 'with growth', task: 'Mail bob the figures\nwith growth' },
        },
      },
    })
    expect(sent).toEqual([])
    expect(await store().approvals({ approvalId })).toMatchObject([
      { status: 'approved', instructions: 'with growth', provenance: { author: 'user' } },
    ])
  })

  it.each([
    ['enhance', 'the growth of the market', ENHANCED],
    ['override', 'the cricket results instead', OVERRIDDEN],
  ] as const)(
    'makes a task that %ss the planned one, and the call for it is asked about',
    async (intent, said, text) => {
      const models = new Classifier(intent)
      const { engine, start, decide, asked, end } = openWorld(store(), [mailer], { models })
      const runId = await start(PLANNED)
      await decide(runId, 'approved', said)
      expect(await asked(runId)).toMatchObject({ payload: text })
      expect(sent).toEqual([])
      await decide(runId)
      await end(runId)
      expect(sent).toEqual([text])
      const events = await engine.events(runId)
      const requests = events.filter(({ type }) => type === 'approval.requested')
      expect(requests).toMatchObject([{}, { effectiveTask: { text, intent } }])
      expect(requests[0]).not.toHaveProperty('effectiveTask')
      const { agentResults, error } = responseOf(events)
      expect(agentResults).toMatchObject([{ task: 'mailer', effectiveTask: { text, intent } }])
      expect(error).toBeUndefined()
      expect(models.asked).toMatchObject([
        { input: { task: 'Mail bob the figures', instructions: said }, options: { actor: 'approval-classifier' } },
      ])
    },
  )

  it('accumulates: each further instruction is added to the earlier ones', async () => {
    const models = new Classifier('enhance')
    const { start, decide, end } = openWorld(store(), [mailer], { models })
    const runId = await start(PLANNED)
    for (const instructions of ['one', 'two', undefined]) await decide(runId, 'approved', instructions)
    await end(runId)
    expect(sent).toEqual([expect.stringMatching(/### User Enhanced Instructions\none\ntwo$/)])
    expect(models.asked, 'each is classified once').toHaveLength(2)
  })

  it('is followed after a restart, and classified once', async () => {
    const models = new Classifier('enhance')
    const { clock, start, asked, crash, next } = openWorld(store(), [mailer], { models })
    const runId = await start(PLANNED)
    const { approvalId } = await asked(runId)
    await crash()
    // Only the decision is in the log. The next worker finds it there.
    const about = { approvalId, decision: 'approved', by: 'ann', instructions: 'the growth of the market' } as const
    const at = new Date(clock.now()).toISOString()
    const { length: afterSeq } = await store().read(runId)
    await store().append([{ runId, afterSeq, events: [{ type: 'approval.decided', at, ...about }] }])
    const second = next()
    void second.engine.resume(runId)
    expect((await second.asked(runId)).payload).toBe(ENHANCED)
    // The third process finds the task as it was, while the second question is open.
    await second.rest(runId)
    const third = next()
    await third.decide(runId)
    await third.end(runId)
    expect(sent).toEqual([ENHANCED])
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
