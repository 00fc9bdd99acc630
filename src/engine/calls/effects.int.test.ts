import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Agent } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { BY_USER } from '../../domain/provenance.ts'
import { responseOf } from '../../domain/response.ts'
import type { RunStore } from '../../domain/store.ts'
import { defineTool, type EffectCheck, type Tool } from '../../domain/tool.ts'
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
  type WorldOptions,
  pendingApproval,
  storeWith,
} from '../../../test/support/engine-world.ts'
import { ManualClock, settled } from '../../testing/manual-clock.ts'
import { describeStores } from '../../../test/support/stores.ts'
import type { Engine } from '../engine.ts'

const allowed = { allowsWithoutApproval: () => true }

function start(agents: readonly Agent[], options: WorldOptions): Engine {
  const engine = startEngine(agents, { approvals: allowed, ...options })
  return engine
}

interface Launch {
  readonly run: Tool<string, string>['run']
  readonly check?: () => EffectCheck<string> | Promise<EffectCheck<string>>
}

function launch({ run, check }: Launch): Tool<string, string> {
  return defineTool({
    name: 'launch',
    description: 'cannot be undone',
    effect: 'irreversible',
    provenance: BY_USER,
    input: z.string(),
    run,
    ...(check === undefined ? {} : { check: async () => check() }),
  })
}

const launcher = (tool: Tool<string, string>, retries = 0): Agent =>
  agent('launcher', async (_task, ctx) => ({ answer: await ctx.call(tool, 'moon') }), { limits: { retries } })

/** Starts a launch whose worker dies after the intent is on disk and before the outcome is. */
async function cutOff(store: RunStore, clock: ManualClock, keys: string[]): Promise<string> {
  const dying = mortal(store)
  const begun = gate()
  const hung = launch({
    run: (_input, io) => {
      keys.push(io.idempotencyKey)
      begun.open()
      return new Promise(() => undefined)
    },
  })
  const engine = engineFor([launcher(hung)], { store: dying, clock, approvals: allowed })
  const runId = await engine.start(request(['launcher']))
  await eventually(begun.isOpen)
  expect(types(await store.read(runId)).at(-1), 'the intent is on disk before the call').toBe('effect.intended')
  dying.crash()
  await clock.advance(40_000)
  return runId
}

describeStores('an irreversible call', (store) => {
  it.each<[string, number, EffectCheck<string>]>([
    ['is not repeated when the tool confirms it', 1, { state: 'done', output: 'it flies' }],
    ['is made with the same key when the tool knows that it did not happen', 2, { state: 'not-done' }],
  ])('that was interrupted %s', async (_what, times, found) => {
    const clock = new ManualClock()
    const keys: string[] = []
    const runId = await cutOff(store(), clock, keys)
    const tool = launch({
      run: async (_input, io) => {
        keys.push(io.idempotencyKey)
        return 'again'
      },
      check: () => found,
    })
    const engine = start([launcher(tool)], { store: store(), clock })
    await engine.resume(runId)
    const state = await passing(clock, engine.outcome(runId))
    expect(state.answer?.text).toBe(`launcher=succeeded:${times === 1 ? 'it flies' : 'again'}`)
    expect(keys).toHaveLength(times)
    expect(new Set(keys).size).toBe(1)
  })

  it.each(['no check', 'check says unknown', 'check fails'])(
    'that was interrupted needs a new approval: %s',
    async (how) => {
      const clock = new ManualClock()
      const keys: string[] = []
      const runId = await cutOff(store(), clock, keys)
      const run = async () => 'once more'
      const tool =
        how === 'no check'
          ? launch({ run })
          : launch({
              run,
              check: () => {
                if (how === 'check fails') throw new Error('service is down')
                return { state: 'unknown' }
              },
            })
      const engine = start([launcher(tool)], { store: store(), clock })
      await engine.resume(runId)
      const approval = await pendingApproval(store(), runId)
      expect(approval.reason).toMatch(/interrupted half-way and may already have happened/)
      await engine.decide(approval.approvalId, 'approved', 'ann')
      const state = await passing(clock, engine.outcome(runId))
      expect(state.answer?.text).toBe('launcher=succeeded:once more')
      const log = types(await engine.events(runId))
      expect(log.filter((type) => type === 'effect.unknown')).toHaveLength(1)
      expect(log.filter((type) => type === 'effect.intended')).toHaveLength(2)
    },
  )

  it('that was interrupted, of a task that the plan no longer has, is not repeated and is reported as possibly made', async () => {
    const clock = new ManualClock()
    const keys: string[] = []
    const runId = await cutOff(store(), clock, keys)
    const again = launch({ run: async () => (keys.push('again'), 'again') })
    const engine = start([launcher(again), agent('other', async () => ({ answer: 'done' }))], { store: store(), clock })
    await engine.replan(runId, { tasks: [task('other')] }, 'ann')
    await engine.resume(runId)
    await passing(clock, engine.outcome(runId))
    const events = await engine.events(runId)
    expect(events.find(({ type }) => type === 'effect.unknown')).toMatchObject({ key: 'launcher', tool: 'launch' })
    expect(responseOf(events).metadata.notes).toEqual([
      'The call of "launch" was cut off half-way and may have taken place; look whether it did.',
    ])
    expect(keys).toHaveLength(1)
  })

  it('that was made for a task that the plan no longer has is reported', async () => {
    const clock = new ManualClock()
    const isMade = gate()
    const slow = agent('slow', () => (isMade.open(), new Promise(() => undefined)))
    const other = agent('other', async () => ({ answer: 'done' }))
    const engine = start([launcher(launch({ run: async () => 'it flies' })), slow, other], { store: store(), clock })
    const runId = await engine.start(request(['launcher', 'slow']))
    await eventually(isMade.isOpen)
    await engine.replan(runId, { tasks: [task('other')] }, 'ann')
    await passing(clock, engine.outcome(runId))
    expect(responseOf(await engine.events(runId)).metadata.notes).toEqual([
      'The call of "launch" took place for a task that is no longer in the plan, and stays done.',
    ])
  })

  it.each(['done', 'cut off'] as const)(
    'of an attempt that the changed plan replaced is %s: a repetition needs approval',
    async (how) => {
      const clock = new ManualClock()
      const made: string[] = []
      const hold = gate()
      const tool = launch({ run: async (to) => (made.push(to), 'it flies') })
      const flights = agent('launcher', async (given, ctx) => ({ answer: await ctx.call(tool, given.text ?? 'moon') }))
      const slow = agent('slow', async () => (await hold.promise, {}))
      let runId: string
      let engine: Engine
      if (how === 'done') {
        engine = start([flights, slow], { store: store(), clock })
        runId = await engine.start(request([task('launcher', 'launcher', { text: 'moon' }), 'slow']))
        await eventually(() => made.length === 1)
      } else {
        runId = await cutOff(store(), clock, made)
        engine = start([flights, slow], { store: store(), clock })
      }
      made.length = 0
      await engine.replan(runId, { tasks: [task('launcher', 'launcher', { text: 'mars' })] }, 'ann')
      hold.open()
      if (how === 'cut off') void engine.resume(runId)
      const { approvalId, payload, reason } = await passing(clock, pendingApproval(store(), runId))
      expect([payload, made]).toEqual(['mars', []])
      expect(reason).toContain(
        how === 'done' ? 'has called "launch" before, with "moon"' : 'may have taken place, with "moon"',
      )
      await engine.decide(approvalId, 'approved', 'ann')
      const state = await passing(clock, engine.outcome(runId))
      expect(state.jobs.get('launcher~2')?.result?.answer).toBe('it flies')
      expect(made).toEqual(['mars'])
    },
  )

  it('that was interrupted twice needs two approvals', async () => {
    const clock = new ManualClock()
    const keys: string[] = []
    const runId = await cutOff(store(), clock, keys)
    const dying = mortal(store())
    const begun = gate()
    const hung = launch({
      run: () => {
        begun.open()
        return new Promise(() => undefined)
      },
    })
    const second = engineFor([launcher(hung)], { store: dying, clock, approvals: allowed })
    await second.resume(runId)
    const first = await pendingApproval(store(), runId)
    await second.decide(first.approvalId, 'approved', 'ann')
    await eventually(begun.isOpen)
    dying.crash()
    await clock.advance(40_000)

    let made = 0
    const third = start([launcher(launch({ run: async () => `made ${++made}` }))], { store: store(), clock })
    await third.resume(runId)
    const again = await pendingApproval(store(), runId)
    expect(again.approvalId).not.toBe(first.approvalId)
    expect(made).toBe(0)
    await third.decide(again.approvalId, 'denied', 'ann', 'leave it')
    const state = await passing(clock, third.outcome(runId))
    expect(state.answer?.text).toBe('launcher=failed:ApprovalDenied')
    expect(made).toBe(0)
  })

  it('that fails is never made again by a retry', async () => {
    const clock = new ManualClock()
    let made = 0
    const tool = launch({
      run: async () => {
        made++
        throw new TuttiError('HttpError', 'gateway timeout', { retryable: true })
      },
    })
    const engine = start([launcher(tool, 5)], { store: store(), clock })
    const state = await passing(clock, engine.outcome(await engine.start(request(['launcher']))))
    expect(made).toBe(1)
    expect(state.answer?.text).toBe('launcher=failed:HttpError')
  })

  it('that fails counts as done when the tool then confirms it', async () => {
    const clock = new ManualClock()
    const tool = launch({
      run: async () => {
        throw new Error('connection reset')
      },
      check: () => ({ state: 'done', output: 'had arrived' }),
    })
    const engine = start([launcher(tool)], { store: store(), clock })
    const state = await passing(clock, engine.outcome(await engine.start(request(['launcher']))))
    expect(state.answer?.text).toBe('launcher=succeeded:had arrived')
  })

  it('is made once, for any later attempts of its job', async () => {
    const clock = new ManualClock()
    let made = 0
    const tool = launch({ run: async () => `made ${++made}` })
    const shaky = agent(
      'shaky',
      async (_task, ctx) => {
        const outcome = await ctx.call(tool, 'moon')
        if (ctx.attempt < 3) throw new Error('later trouble')
        return { answer: outcome }
      },
      { limits: { retries: 2 } },
    )
    const engine = start([shaky], { store: store(), clock })
    const state = await passing(clock, engine.outcome(await engine.start(request(['shaky']))))
    expect(state.answer?.text).toBe('shaky=succeeded:made 1')
    expect(made).toBe(1)
  })

  it('is not interrupted by timeout or cancellation, and its result is stored', async () => {
    const clock = new ManualClock()
    const begun = gate()
    const finish = gate()
    const tool = launch({
      run: async (_input, io) => {
        begun.open()
        await finish.promise
        return `aborted: ${io.signal.aborted}`
      },
    })
    const engine = start([{ ...launcher(tool), limits: { timeoutMs: 1_000 } }], { store: store(), clock })
    const runId = await engine.start(request(['launcher']))
    await eventually(begun.isOpen)
    await clock.advance(5_000)
    await engine.cancel(runId, 'ann')
    await settled()
    expect((await engine.state(runId)).status).toBe('running')
    finish.open()
    const state = await passing(clock, engine.outcome(runId))
    expect(state.status).toBe('cancelled')
    expect([...state.effects.values()]).toMatchObject([{ state: 'done', output: 'aborted: false' }])
  })

  it('is waited for when the process shuts down', async () => {
    const clock = new ManualClock()
    const begun = gate()
    const finish = gate()
    let made = 0
    const tool = launch({
      run: async () => {
        made++
        begun.open()
        await finish.promise
        return 'done'
      },
    })
    const engine = engineFor([launcher(tool)], { store: store(), clock, approvals: allowed })
    const runId = await engine.start(request(['launcher']))
    await eventually(begun.isOpen)
    const closing = engine.close()
    await settled()
    finish.open()
    await closing
    expect([...(await engine.state(runId)).effects.values()]).toMatchObject([{ state: 'done', output: 'done' }])
    const next = start([launcher(tool)], { store: store(), clock })
    await next.resume(runId)
    const state = await passing(clock, next.outcome(runId))
    expect(state.answer?.text).toBe('launcher=succeeded:done')
    expect(made).toBe(1)
  })

  it('is not made when its intent cannot be written', async () => {
    const clock = new ManualClock()
    let made = 0
    const tool = launch({ run: async () => `made ${++made}` })
    const inner = store()
    const full = storeWith(inner, {
      append(appends, options) {
        const isIntent = appends.some(({ events }) => events.some((event) => event.type === 'effect.intended'))
        return isIntent
          ? Promise.reject(new TuttiError('StorageError', 'The disk is full: free some space.'))
          : inner.append(appends, options)
      },
    })
    const engine = start([launcher(tool)], { store: full, clock })
    const runId = await engine.start(request(['launcher']))
    await expect(passing(clock, engine.outcome(runId))).rejects.toThrow('The disk is full: free some space.')
    expect(made).toBe(0)
  })

  const hidden = new Proxy(
    { launched: true },
    {
      ownKeys: () => {
        throw new TypeError('no keys')
      },
    },
  )
  it.each<[string, () => unknown, Partial<Tool<string, string>>]>([
    ['no log can hold', () => 1n, {}],
    ['cannot be looked into', () => hidden, {}],
    ['its tool cannot say the origin of', () => 'lift-off', { provenance: (output) => JSON.parse(output) as never }],
  ])('whose output %s counts as made, with an unknown result', async (_what, output, declared) => {
    const clock = new ManualClock()
    let made = 0
    const ran = async () => (made++, output() as string)
    const tool = { ...launch({ run: ran }), ...declared }
    const engine = start([launcher(tool, 3)], { store: store(), clock })
    const state = await passing(clock, engine.outcome(await engine.start(request(['launcher']))))
    expect(state.answer?.text).toBe('launcher=failed:EffectUnknown')
    expect(state.jobs.get('launcher')?.result?.error?.message).toContain('may have taken place')
    expect(made).toBe(1)
  })
})

describeStores('a revoked source', (store) => {
  it('is not used by a call that is approved after the revocation, although the run never left its worker', async () => {
    for (const isTaken of [false, true]) {
      const made: string[] = []
      const held = gate()
      let isGiven = true
      const holder = agent('holder', async () => {
        await held.promise
        return { answer: 'held' }
      })
      const tool = launch({ run: async (where) => (made.push(where), 'launched') })
      const engine = startEngine([launcher(tool), holder], {
        store: store(),
        clock: new ManualClock(),
        rightsOf: async () => async () => {
          if (!isGiven) throw new TuttiError('NotAllowed', 'It was taken away.')
        },
      })
      const runId = await engine.start(request(['launcher', 'holder']))
      const { approvalId } = (await pendingApproval(store(), runId))!
      isGiven = !isTaken
      await engine.decide(approvalId, 'approved', 'ann')
      await eventually(async () =>
        (await engine.events(runId)).some((e) => e.type === 'job.settled' && e.key === 'launcher'),
      )
      held.open()
      await engine.outcome(runId)
      expect([isTaken, made]).toEqual([isTaken, isTaken ? [] : ['moon']])
    }
  })
})
