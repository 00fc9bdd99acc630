import { expect, it } from 'vitest'
import type { Agent } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { responseOf } from '../../domain/response.ts'
import type { RunStore } from '../../domain/store.ts'
import type { EffectCheck, Tool } from '../../domain/tool.ts'
import { agent, eventually, gate, openWorld, task, textTool, types } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { ALLOWED, answering, hanging, holding } from '../../../test/support/test-agents.ts'
import { storeWith } from '../../../test/support/watched-store.ts'
import { settled } from '../../testing/manual-clock.ts'

type Run = Tool<string, string>['run']

function launch(run: Run, check?: () => EffectCheck<string>): Tool<string, string> {
  return textTool('launch', 'irreversible', run, check === undefined ? {} : { check: async () => check() })
}

const launcher = (tool: Tool<string, string>, limits: Agent['limits'] = {}): Agent =>
  agent('launcher', async (_task, ctx) => ({ answer: await ctx.call(tool, 'moon') }), { limits })

const open = (store: RunStore, ...agents: readonly Agent[]) => openWorld(store, agents, { approvals: ALLOWED })

/** A launch that hangs until the gate opens, once for each call. */
function slowLaunch() {
  const [begun, finish] = [gate(), gate()]
  const run: Run = async (_input, io) => {
    begun.open()
    await finish.promise
    return `aborted: ${io.signal.aborted}`
  }
  return { begun, finish, run }
}

/** Starts a launch whose worker dies after the intent is on disk and before the outcome is. */
async function cutOff(store: RunStore, keys: string[] = []) {
  const begun = gate()
  const hung = launch((_input, io) => {
    keys.push(io.idempotencyKey)
    begun.open()
    return new Promise(() => undefined)
  })
  const { start, crash, next } = open(store, launcher(hung))
  const runId = await start(['launcher'])
  await eventually(begun.isOpen)
  expect(types(await store.read(runId)).at(-1), 'the intent is on disk before the call').toBe('effect.intended')
  await crash()
  return { runId, next }
}

describeStores('an irreversible call', (store) => {
  it.each<[string, number, EffectCheck<string>]>([
    ['is not repeated when the tool confirms it', 1, { state: 'done', output: 'it flies' }],
    ['is made with the same key when the tool knows that it did not happen', 2, { state: 'not-done' }],
  ])('that was interrupted %s', async (_what, times, found) => {
    const keys: string[] = []
    const { runId, next } = await cutOff(store(), keys)
    const run: Run = async (_input, io) => (keys.push(io.idempotencyKey), 'again')
    const state = await next([launcher(launch(run, () => found))]).resume(runId)
    expect(state.answer?.text).toBe(`launcher=succeeded:${times === 1 ? 'it flies' : 'again'}`)
    expect(keys).toHaveLength(times)
    expect(new Set(keys).size).toBe(1)
  })

  it.each<[string, (() => EffectCheck<string>) | undefined]>([
    ['no check', undefined],
    ['check says unknown', () => ({ state: 'unknown' })],
    ['check fails', () => expect.fail('service is down')],
  ])('that was interrupted needs a new approval: %s', async (_how, check) => {
    const { runId, next } = await cutOff(store())
    const { engine, decide, end } = next([launcher(launch(async () => 'once more', check))])
    await engine.resume(runId)
    expect((await decide(runId)).reason).toMatch(/interrupted half-way and may already have happened/)
    expect((await end(runId)).answer?.text).toBe('launcher=succeeded:once more')
    const log = types(await engine.events(runId))
    expect(log.filter((type) => /^effect\.(?:unknown|intended)$/.test(type)).toSorted()).toEqual([
      'effect.intended',
      'effect.intended',
      'effect.unknown',
    ])
  })

  it('that was interrupted, of a task that the plan no longer has, is not repeated and is reported as possibly made', async () => {
    const keys: string[] = []
    const { runId, next } = await cutOff(store(), keys)
    const again = launch(async () => (keys.push('again'), 'again'))
    const { engine, resume } = next([launcher(again), answering('other')])
    await engine.replan(runId, { tasks: [task('other')] }, 'ann')
    await resume(runId)
    const events = await engine.events(runId)
    expect(events.find(({ type }) => type === 'effect.unknown')).toMatchObject({ key: 'launcher', tool: 'launch' })
    expect(responseOf(events).metadata.notes).toEqual([
      'The call of "launch" was cut off half-way and may have taken place; look whether it did.',
    ])
    expect(keys).toHaveLength(1)
  })

  it('that was made for a task that the plan no longer has is reported', async () => {
    const isMade = gate()
    const flying = launcher(launch(async () => 'it flies'))
    const { engine, start, end } = open(store(), flying, hanging('slow', isMade.open), answering('other'))
    const runId = await start(['launcher', 'slow'])
    await eventually(isMade.isOpen)
    await engine.replan(runId, { tasks: [task('other')] }, 'ann')
    await end(runId)
    expect(responseOf(await engine.events(runId)).metadata.notes).toEqual([
      'The call of "launch" took place for a task that is no longer in the plan, and stays done.',
    ])
  })

  it.each(['done', 'cut off'] as const)(
    'of an attempt that the changed plan replaced is %s: a repetition needs approval',
    async (how) => {
      const made: string[] = []
      const hold = gate()
      const tool = launch(async (to) => (made.push(to), 'it flies'))
      const flights = agent('launcher', async (given, ctx) => ({ answer: await ctx.call(tool, given.text ?? 'moon') }))
      const agents = [flights, holding('slow', hold.promise)]
      const lost = how === 'done' ? undefined : await cutOff(store())
      const { engine, start, asked, pass, decide, end } = lost?.next(agents) ?? open(store(), ...agents)
      const to = (text: string) => task('launcher', 'launcher', { text })
      const runId = lost?.runId ?? (await start([to('moon'), 'slow']))
      if (how === 'done') await eventually(() => made.length === 1)
      made.length = 0
      await engine.replan(runId, { tasks: [to('mars')] }, 'ann')
      hold.open()
      if (how === 'cut off') void engine.resume(runId)
      const { payload, reason } = await pass(asked(runId))
      expect([payload, made]).toEqual(['mars', []])
      expect(reason).toContain('This task has called "launch" before, or has set about calling it.')
      await decide(runId)
      expect((await end(runId)).jobs.get('launcher~2')?.result?.answer).toBe('it flies')
      expect(made).toEqual(['mars'])
    },
  )

  it('that was interrupted twice needs two approvals', async () => {
    const { runId, next } = await cutOff(store())
    const { begun, run } = slowLaunch()
    const second = next([launcher(launch(run))])
    await second.engine.resume(runId)
    const first = await second.decide(runId)
    await eventually(begun.isOpen)
    await second.crash()

    let made = 0
    const third = next([launcher(launch(async () => `made ${++made}`))])
    await third.engine.resume(runId)
    const again = await third.decide(runId, 'denied', 'leave it')
    expect(again.approvalId).not.toBe(first.approvalId)
    expect((await third.end(runId)).answer?.text).toBe('launcher=failed:ApprovalDenied')
    expect(made).toBe(0)
  })

  it('that fails is never made again by a retry', async () => {
    let made = 0
    const error = new TuttiError('HttpError', 'gateway timeout', { retryable: true })
    const tool = launch(async () => (made++, Promise.reject(error)))
    const { answer } = await open(store(), launcher(tool, { retries: 5 })).run(['launcher'])
    expect([made, answer?.text]).toEqual([1, 'launcher=failed:HttpError'])
  })

  it('that fails counts as done when the tool then confirms it', async () => {
    const failing: Run = () => Promise.reject(new Error('connection reset'))
    const tool = launch(failing, () => ({ state: 'done', output: 'had arrived' }))
    const { answer } = await open(store(), launcher(tool)).run(['launcher'])
    expect(answer?.text).toBe('launcher=succeeded:had arrived')
  })

  it('is not interrupted by timeout or cancellation, and its result is stored', async () => {
    const { begun, finish, run } = slowLaunch()
    const { engine, clock, start, end } = open(store(), launcher(launch(run), { timeoutMs: 1_000 }))
    const runId = await start(['launcher'])
    await eventually(begun.isOpen)
    await clock.advance(5_000)
    await engine.cancel(runId, 'ann')
    await settled()
    expect((await engine.state(runId)).status).toBe('running')
    finish.open()
    const state = await end(runId)
    expect(state.status).toBe('cancelled')
    expect([...state.effects.values()]).toMatchObject([{ state: 'done', output: 'aborted: false' }])
  })

  it('is waited for when the process shuts down', async () => {
    const { begun, finish, run } = slowLaunch()
    const { engine, start, next } = open(store(), launcher(launch(run)))
    const runId = await start(['launcher'])
    await eventually(begun.isOpen)
    const closing = engine.close()
    await settled()
    finish.open()
    await closing
    expect([...(await engine.state(runId)).effects.values()]).toMatchObject([{ state: 'done' }])
    const again = launch(async () => expect.fail('made twice'))
    const state = await next([launcher(again)]).resume(runId)
    expect(state.answer?.text).toBe('launcher=succeeded:aborted: false')
  })

  it('is not made when its intent cannot be written', async () => {
    let made = 0
    const tool = launch(async () => `made ${++made}`)
    const inner = store()
    const full = storeWith(inner, {
      append(appends, options) {
        const isIntent = appends.some(({ events }) => events.some((event) => event.type === 'effect.intended'))
        return isIntent
          ? Promise.reject(new TuttiError('StorageError', 'The disk is full: free some space.'))
          : inner.append(appends, options)
      },
    })
    const { start, end } = open(full, launcher(tool))
    await expect(end(await start(['launcher']))).rejects.toThrow('The disk is full: free some space.')
    expect(made).toBe(0)
  })

  const hidden = new Proxy({}, { ownKeys: () => expect.fail('no keys') })
  it.each<[string, () => unknown, Partial<Tool<string, string>>]>([
    ['no log can hold', () => 1n, {}],
    ['cannot be looked into', () => hidden, {}],
    ['its tool cannot say the origin of', () => 'lift-off', { provenance: (output) => JSON.parse(output) as never }],
  ])('whose output %s counts as made, with an unknown result', async (_what, output, declared) => {
    let made = 0
    const tool = { ...launch(async () => (made++, output() as string)), ...declared }
    const state = await open(store(), launcher(tool, { retries: 3 })).run(['launcher'])
    expect(state.answer?.text).toBe('launcher=failed:EffectUnknown')
    expect(state.jobs.get('launcher')?.result?.error?.message).toContain('may have taken place')
    expect(made).toBe(1)
  })
})

describeStores('a revoked source', (store) => {
  it.each([false, true])(
    'is not used by a call that is approved after the revocation, although the run never left its worker: %s',
    async (isTaken) => {
      const made: string[] = []
      const held = gate()
      let isGiven = true
      const tool = launch(async (where) => (made.push(where), 'launched'))
      const { engine, start, asked, decide, end } = openWorld(
        store(),
        [launcher(tool), holding('holder', held.promise)],
        {
          rightsOf: async () => async () => {
            if (!isGiven) throw new TuttiError('NotAllowed', 'It was taken away.')
          },
        },
      )
      const runId = await start(['launcher', 'holder'])
      await asked(runId)
      isGiven = !isTaken
      await decide(runId)
      await eventually(async () =>
        (await engine.events(runId)).some((event) => event.type === 'job.settled' && event.key === 'launcher'),
      )
      held.open()
      await end(runId)
      expect(made).toEqual(isTaken ? [] : ['moon'])
    },
  )
})
