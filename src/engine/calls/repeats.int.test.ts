import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Agent } from '../../domain/actor.ts'
import { isFinal, type RunStore } from '../../domain/store.ts'
import { BY_USER } from '../../domain/provenance.ts'
import { defineTool, type EffectCheck, type Tool } from '../../domain/tool.ts'
import { createMemoryStorage } from '../../storage/index.ts'
import { agent, engineFor, mortal, openWorld, request, task, textTool } from '../../../test/support/engine-world.ts'
import { eventually, gate, passing } from '../../../test/support/waiting.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { Outbox } from '../../../test/support/test-agents.ts'
import { storeWith } from '../../../test/support/watched-store.ts'
import { ManualClock } from '../../testing/manual-clock.ts'

/** Time passes quickly in these tests, and nobody is to be late. */
const allowed = { allowsWithoutApproval: () => true, timeoutMs: 1e9 }
const open = (store: RunStore, mailer: Agent) => openWorld(store, [mailer], { approvals: allowed })

/** Each attempt is a list of texts that it sends, one after the other; all but the last attempt then throw. */
function rewording(...attempts: readonly (readonly string[])[]) {
  const { sent, tool } = new Outbox()
  const run: Agent['run'] = async (_task, ctx) => {
    const outcomes: string[] = []
    for (const text of attempts[ctx.attempt - 1]!) outcomes.push(await ctx.call(tool, text))
    if (ctx.attempt < attempts.length) throw new Error('the composer of the mail fell over')
    return { answer: outcomes.join(', ') }
  }
  const limits = { retries: attempts.length - 1, timeoutMs: 1_000 }
  return { sent, mailer: agent('mailer', run, { limits }) }
}

/** Agents whose first call never returns, and a tool that reports this of an interrupted call. */
function interrupted(said: EffectCheck<string>['state'] | undefined) {
  const begun = gate()
  const made: string[] = []
  const run = async (text: string): Promise<string> => {
    made.push(text)
    begun.open()
    return new Promise(() => undefined)
  }
  const check = async (text: string): Promise<EffectCheck<string>> =>
    said === 'done' ? { state: said, output: `sent ${text}` } : { state: said! }
  const send = textTool('send', 'irreversible', run, said === undefined ? {} : { check })
  const worker = (words: string): Agent =>
    agent('mailer', async (_task, ctx) => ({ answer: await ctx.call(send, words) }))
  return { made, worker, begun }
}

describeStores('a retry', (store) => {
  it('that repeats its calls gets the results of the calls that were made', async () => {
    const { sent, mailer } = rewording(['Bob', 'Ann'], ['Bob', 'Ann'], ['Bob', 'Ann'])
    const state = await open(store(), mailer).run(['mailer'])
    expect(sent).toEqual(['Bob', 'Ann'])
    expect(state.answer?.text).toBe('mailer=succeeded:sent to Bob, sent to Ann')
  })

  it.each([
    ['rewords its call', ['Hello Bob']],
    ['makes one more call', ['Dear Bob', 'Dear Ann']],
  ])('that %s does not make it', async (_what, texts) => {
    const { sent, mailer } = rewording(['Dear Bob'], texts, texts)
    const state = await open(store(), mailer).run(['mailer'])
    expect(sent).toEqual(['Dear Bob'])
    expect(state.jobs.get('mailer')?.result?.error).toMatchObject({
      type: 'EffectUnknown',
      message: expect.stringContaining('Done before that, and it stays done: "send".'),
    })
  })

  it('after a call that outlasts the time limit makes no other; the limit is suspended, and the attempt continues', async () => {
    const clock = new ManualClock()
    const sent: string[] = []
    const slow = textTool('send', 'irreversible', async (text: string) => {
      sent.push(text)
      await new Promise<void>((resolve) => clock.timer(5_000, resolve))
      return `sent ${text}`
    })
    let attempts = 0
    const mailer = agent('mailer', async (_task, ctx) => ({ answer: await ctx.call(slow, `wording ${++attempts}`) }), {
      limits: { timeoutMs: 1_000, retries: 2 },
    })
    const state = await openWorld(store(), [mailer], { clock, approvals: allowed }).run(['mailer'])
    expect(sent).toEqual(['wording 1'])
    expect(state.answer?.text).toBe('mailer=succeeded:sent wording 1')
  })

  it('that hangs after the call ends with the completed calls, and triggers no new plan', async () => {
    const { sent, tool } = new Outbox()
    const hanging = agent(
      'mailer',
      async (_task, ctx) => {
        await ctx.call(tool, 'to Bob')
        return new Promise(() => undefined)
      },
      { limits: { timeoutMs: 1_000, retries: 1 } },
    )
    const state = await open(store(), hanging).run(['mailer'])
    expect(sent).toEqual(['to Bob'])
    expect(state.jobs.get('mailer')?.result).toMatchObject({
      status: 'failed',
      error: { type: 'Timeout', message: expect.stringContaining('Done before that, and it stays done: "send".') },
      partial: { done: [{ tool: 'send', output: 'sent to to Bob' }] },
    })
  })

  it('of a call that never answers does not happen: it ends as unknown after a while', async () => {
    let made = 0
    let signal: AbortSignal | undefined
    const silent = textTool('send', 'irreversible', (_text: string, io) => {
      made++
      signal = io.signal
      return new Promise<string>(() => undefined)
    })
    const mailer = agent('mailer', async (_task, ctx) => ({ answer: await ctx.call(silent, `try ${ctx.attempt}`) }), {
      limits: { timeoutMs: 1_000, retries: 3 },
    })
    const { start, end } = open(store(), mailer)
    const state = await end(await start(['mailer']), 60_000)
    expect(state.jobs.get('mailer')?.result?.error?.type).toBe('EffectUnknown')
    expect([made, signal?.aborted]).toEqual([1, true])
  })

  it.each([undefined, 'done', 'unknown', 'not-done'] as const)(
    'of a call that a crash interrupted, reworded, is not made, whatever the tool says: %s',
    async (said) => {
      const { made, worker, begun } = interrupted(said)
      const { start, crash, next } = open(store(), worker('Dear Bob'))
      const runId = await start(['mailer'])
      await eventually(begun.isOpen)
      await crash()
      const { engine, end } = next([worker('Hello Bob')])
      void engine.resume(runId)
      expect((await end(runId)).answer?.text).toBe('mailer=failed:EffectUnknown')
      expect(made).toEqual(['Dear Bob'])
    },
  )

  it('of an attempt that a crash interrupted makes the calls that are still to be made', async () => {
    const { sent, tool } = new Outbox()
    const reached = gate()
    const worker = (pause: () => Promise<unknown>) =>
      agent('mailer', async (_task, ctx) => {
        const first = await ctx.call(tool, 'to Bob')
        await pause()
        return { answer: `${first}, ${await ctx.call(tool, 'to Ann')}` }
      })
    const { start, crash, next } = open(
      store(),
      worker(() => (reached.open(), new Promise(() => undefined))),
    )
    const runId = await start(['mailer'])
    await eventually(reached.isOpen)
    await crash()
    const { engine, end } = next([worker(async () => undefined)])
    void engine.resume(runId)
    expect((await end(runId)).answer?.text).toBe('mailer=succeeded:sent to to Bob, sent to to Ann')
    expect(sent).toEqual(['to Bob', 'to Ann'])
  })
})

describeStores('a step of a run', (store) => {
  /** Each step sends what its task says, one text after the other. */
  function senders() {
    const { sent, tool } = new Outbox()
    const mailer = agent('mailer', async ({ text = '' }, ctx) => {
      for (const one of text.split(',')) await ctx.call(tool, one)
      return {}
    })
    return { sent, ...open(store(), mailer) }
  }
  const steps = (...texts: string[]) => texts.map((text, n) => task(`t${n}`, 'mailer', { text }))

  it.each(['approved', 'denied'] as const)(
    'that repeats a call of another step needs approval, whatever the settings: %s',
    async (choice) => {
      const { sent, start, pass, asked, decide, end } = senders()
      const runId = await start(steps('to Bob', 'to Bob'))
      const { payload, reason } = await pass(asked(runId))
      expect([payload, sent]).toEqual(['to Bob', ['to Bob']])
      expect(reason).toBe(
        'This run has called "send", or has set about calling it, with the very same before, in "t0". Approve to make this call as well, deny to leave it.',
      )
      await decide(runId, choice)
      const state = await end(runId)
      expect(sent).toEqual(choice === 'approved' ? ['to Bob', 'to Bob'] : ['to Bob'])
      expect(state.jobs.get('t1')?.status).toBe(choice === 'approved' ? 'succeeded' : 'failed')
    },
  )

  it('needs none for different calls, nor for equal ones of its own', async () => {
    const { sent, run } = senders()
    await run(steps('to Bob,to Bob', 'to Ann'))
    expect(sent).toEqual(['to Bob', 'to Bob', 'to Ann'])
  })
})

/** What an attempt does, one thing after the other; then it answers. */
const STEPS = ['send', 'slow send', 'send two', 'read', 'throw', 'send back', 'hang'] as const
type Step = (typeof STEPS)[number]

interface Death {
  /** Number of the append of its worker, from 1. `send`: during the call. */
  readonly at: number | 'send'
  readonly when: 'before' | 'after'
}

interface Life {
  readonly attempts: readonly (readonly Step[])[]
  readonly deaths: readonly Death[]
  /** Whether the input of a call is equal in each attempt, in each execution of the code, or in neither. */
  readonly words: 'same' | 'of the attempt' | 'of the execution'
  readonly knows: boolean
  readonly person: 'approved' | 'denied'
}

const death: fc.Arbitrary<Death> = fc.record({
  at: fc.oneof(fc.integer({ min: 1, max: 14 }), fc.constant('send' as const)),
  when: fc.constantFrom('before' as const, 'after' as const),
})
const life: fc.Arbitrary<Life> = fc.record({
  attempts: fc.array(fc.array(fc.constantFrom(...STEPS), { maxLength: 4 }), { minLength: 3, maxLength: 3 }),
  deaths: fc.array(death, { maxLength: 3 }),
  words: fc.constantFrom('same' as const, 'of the attempt' as const, 'of the execution' as const),
  knows: fc.boolean(),
  person: fc.constantFrom('approved' as const, 'denied' as const),
})

/** Simulates one life, with a new engine after each death. Returns its calls. */
async function play({ attempts, deaths, words, knows, person }: Life, store: RunStore, clock: ManualClock) {
  const made: string[] = []
  let executions = 0
  let mostWanted = 0
  let granted = 0
  let decisions = 0
  const sentBack = { done: 0, limit: 0 }
  let runId: string | undefined
  for (const doom of [...deaths, undefined]) {
    const dying = mortal(store)
    const died = gate()
    const crash = (): Promise<never> => {
      dying.crash()
      died.open()
      return new Promise(() => undefined)
    }
    let appends = 0
    const fatal = storeWith(dying, {
      async append(batch, options) {
        const isDue = batch.some(({ epoch }) => epoch !== undefined) && ++appends === doom?.at
        if (isDue && doom.when === 'before') return crash()
        const outcomes = await dying.append(batch, options)
        return isDue ? crash() : outcomes
      },
    })
    const send = defineTool({
      provenance: BY_USER,
      name: 'send',
      description: '',
      effect: 'irreversible',
      input: z.object({ text: z.string(), isSlow: z.boolean() }),
      async run({ isSlow }: { text: string; isSlow: boolean }, { idempotencyKey }) {
        if (died.isOpen()) return new Promise<string>(() => undefined)
        if (doom?.at === 'send' && doom.when === 'before') return crash()
        made.push(idempotencyKey)
        if (doom?.at === 'send') return crash()
        if (isSlow) await new Promise<void>((resolve) => clock.timer(2_500, resolve))
        return 'sent'
      },
      ...(knows
        ? {
            check: async (_input, key) =>
              made.includes(key) ? { state: 'done', output: 'sent' } : { state: 'not-done' },
          }
        : {}),
    } satisfies Tool<{ text: string; isSlow: boolean }, string>)
    const look = textTool('look', 'read', async () => 'seen')
    const doer = agent(
      'doer',
      async (_task, ctx) => {
        const execution = ++executions
        let wanted = 0
        const call = (isSlow: boolean): Promise<string> => {
          wanted++
          mostWanted = Math.max(mostWanted, wanted)
          const who = words === 'same' ? '' : words === 'of the attempt' ? ctx.attempt : execution
          return ctx.call(send, { text: `mail ${wanted} ${who}`, isSlow })
        }
        for (const step of attempts[(ctx.attempt - 1) % attempts.length]!) {
          if (step === 'send' || step === 'slow send') await call(step === 'slow send')
          else if (step === 'send two') await Promise.all([call(false), call(true)])
          else if (step === 'read') await ctx.call(look, '')
          else if (step === 'throw') throw new Error('for now')
          else if (step === 'send back') sentBack[ctx.sendBack({ by: 'check', text: 'Not good enough.' }, 1)]++
          else await new Promise(() => undefined)
        }
        return { answer: 'done' }
      },
      { limits: { retries: 2, timeoutMs: 1_000 } },
    )
    const engine = engineFor([doer], { store: fatal, clock, approvals: allowed, random: () => 0 })
    if (runId === undefined) runId = await engine.start(request(['doer']))
    else void engine.resume(runId).catch(() => undefined)
    for (;;) {
      await new Promise<void>((resolve) => clock.timer(100, resolve))
      if (died.isOpen()) break
      if (isFinal((await store.run(runId))!.status)) break
      for (const { approvalId } of await store.approvals({ runId, status: 'pending' })) {
        // An agent that words its call differently in each execution needs a new approval each time.
        const said = ++decisions > 8 ? engine.cancel(runId, 'ann') : engine.decide(approvalId, person, 'ann')
        await Promise.race([said.catch(() => undefined), died.promise])
      }
    }
    if (!died.isOpen()) {
      for (const { status } of await store.approvals({ runId })) if (status === 'approved') granted++
      return { made: made.length, mostWanted, granted, state: await engine.state(runId), executions, sentBack }
    }
    // Its lease is over.
    await new Promise<void>((resolve) => clock.timer(10_000, resolve))
  }
  throw new Error('The last engine never dies.')
}

describe('any agent, with a worker that dies anywhere', () => {
  const together = 25

  it('the number of calls is that of one attempt, plus those that a user approved', { timeout: 300_000 }, async () => {
    let repeatable = 0
    const sentBack = { again: 0, done: 0, limit: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: together, maxLength: together }), async (lives) => {
        const clock = new ManualClock()
        const { store } = await createMemoryStorage({ clock, onError: () => undefined })
        const played = Promise.all(lives.map((one) => play(one, store, clock)))
        const results = await passing(clock, played, 500)
        for (const [i, { made, mostWanted, granted, state, executions, sentBack: left }] of results.entries()) {
          const { attempts, deaths, person } = lives[i]!
          sentBack.again += state.jobs.get('doer')?.rejections?.length ?? 0
          sentBack.done += left.done
          sentBack.limit += left.limit
          const most = mostWanted + (person === 'approved' ? granted : 0)
          expect(made, JSON.stringify({ life: lives[i], mostWanted, granted })).toBeLessThanOrEqual(most)
          if (executions > 1 && mostWanted > 0) repeatable++
          const isPlain = !attempts[0]!.some((step) => step === 'throw' || step === 'send back' || step === 'hang')
          const least = deaths.length === 0 && isPlain ? mostWanted : 0
          expect(made, 'all calls of one attempt are made').toBeGreaterThanOrEqual(least)
          const { status, error } = state.jobs.get('doer')?.result ?? {} // none when it was cancelled
          const isDone = [...state.effects.values()].some(
            (effect) => effect.state === 'done' && effect.error === undefined,
          )
          const isUnsaid = status === 'failed' && isDone && error?.message.includes('it stays done: "send"') !== true
          expect(isUnsaid, 'a failure says what was done').toBe(false)
        }
      }),
      { numRuns: 24, seed: 8, endOnFailure: true },
    )
    expect(repeatable, 'lives in which calls could have been repeated').toBeGreaterThan(200)
    expect(Math.min(...Object.values(sentBack)), JSON.stringify(sentBack)).toBeGreaterThan(5)
  })
})
