import { expect, it } from 'vitest'
import { z } from 'zod'
import { mortal, passing, request, startEngine } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { dataOf, defineRole, type RoleType } from '../../domain/actor.ts'
import type { Job } from '../../domain/job.ts'
import { fold, isSettled, type RunState } from '../../domain/state.ts'
import type { RunStore } from '../../domain/store.ts'
import type { Finish, Strategy } from '../../domain/strategy.ts'
import { lastStep, latestRound, roundsOf, stepAgain, stepJob } from '../../strategies/steps.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import type { Engine } from '../engine.ts'

const writerType: RoleType<{ topic: string }, { text: string }> = {
  name: 'writer',
  input: z.object({ topic: z.string() }),
  data: z.object({ text: z.string() }),
}
const criticType: RoleType<null, { verdict: 'approve' | 'reject'; why: string }> = {
  name: 'critic',
  input: z.null(),
  data: z.object({ verdict: z.enum(['approve', 'reject']), why: z.string() }),
}
const enderType: RoleType<null, unknown> = { name: 'ender', input: z.null(), data: z.unknown() }

/** Writer, critic, and again until the critic approves; the table of a strategy whose steps come one after the other. */
const drafting: Strategy = {
  name: 'drafting',
  next(state): readonly Job[] | Finish {
    const last = lastStep(state, ['writer', 'critic', 'ender'])
    const write = (): Job[] => {
      const verdict = latestRound(state, 'critic')
      const said = dataOf(criticType, verdict)
      const input = { topic: state.request.question }
      return said === undefined
        ? [stepJob(state, writerType, input)]
        : [stepAgain(state, writerType, input, { by: 'critic', text: said.why, from: verdict!.key })]
    }
    const judge = (): Job[] => [stepJob(state, criticType, null, { dependsOn: [latestRound(state, 'writer')!.key] })]
    const end = (): Job[] => [
      stepJob(state, enderType, null, { dependsOn: roundsOf(state, 'writer').map(({ key }) => key) }),
    ]
    if (last === undefined) return write()
    const name = last.actor
    if (!isSettled(last)) return name === 'writer' ? write() : name === 'critic' ? judge() : end()
    if (last.status === 'failed') return { finish: 'failed', error: last.result!.error! }
    if (name === 'writer') return judge()
    if (name === 'ender') return { finish: 'answered' }
    return dataOf(criticType, last)!.verdict === 'approve' ? end() : write()
  },
}

interface Seen {
  readonly who: string
  readonly inputs: readonly unknown[]
  readonly feedback?: unknown
}

function roles(seen: Seen[], written: (round: number) => unknown = (round) => ({ text: `draft ${round}` })) {
  return [
    defineRole({
      ...writerType,
      async run({ feedback, inputs, input }) {
        expect(input).toEqual({ topic: 'Q' })
        seen.push({
          who: 'writer',
          inputs: inputs(),
          feedback: feedback && [feedback.text, feedback.attempt?.result.data],
        })
        return { data: written(seen.filter(({ who }) => who === 'writer').length) as { text: string } }
      },
    }),
    defineRole({
      ...criticType,
      async run(ctx) {
        const [draft] = ctx.inputs()
        seen.push({ who: 'critic', inputs: ctx.inputs().map(({ key }) => key) })
        const isGood = dataOf(writerType, ctx.state.jobs.get(draft!.key))!.text === 'draft 3'
        return { data: { verdict: isGood ? 'approve' : 'reject', why: isGood ? '' : `not ${draft!.key}` } }
      },
    }),
    defineRole({
      ...enderType,
      async run(ctx) {
        seen.push({ who: 'ender', inputs: ctx.inputs().map(({ result }) => result.data) })
        ctx.emit({ type: 'answer.composed', answer: 'done', by: 'fallback' })
        return {}
      },
    }),
  ]
}

function open(store: RunStore, clock: ManualClock, seen: Seen[], written?: (round: number) => unknown): Engine {
  const engine = startEngine([], { store, clock, strategies: [drafting], roles: roles(seen, written) })
  return engine
}

async function end(engine: Engine, clock: ManualClock): Promise<RunState> {
  const asked = { ...request([], { strategy: 'drafting' }), question: 'Q' }
  return passing(clock, engine.outcome(await engine.start(asked)))
}

describeStores('steps that come again', (store) => {
  it('have a round number, get the reason with the earlier attempt, and pass neither on', async () => {
    const clock = new ManualClock()
    const seen: Seen[] = []
    const state = await end(open(store(), clock, seen), clock)
    expect(state.status).toBe('finished')
    expect(roundsOf(state, 'critic').map(({ key, round }) => [key, round])).toEqual([
      ['critic:1', 1],
      ['critic:2', 2],
      ['critic:3', 3],
    ])
    expect(seen.filter(({ who }) => who === 'writer').map(({ feedback }) => feedback)).toEqual([
      undefined,
      ['not writer:1', { text: 'draft 1' }],
      ['not writer:2', { text: 'draft 2' }],
    ])
    expect(seen.filter(({ who }) => who === 'critic').map(({ inputs }) => inputs)).toEqual([
      ['writer:1'],
      ['writer:2'],
      ['writer:3'],
    ])
    // A reference to a rejected attempt resolves to its replacement.
    expect(seen.at(-1)!.inputs).toEqual([{ text: 'draft 3' }])
  })
})

describeStores('a role whose types are declared', (store) => {
  it('ends with a clear error when it gives back something else', async () => {
    const clock = new ManualClock()
    const state = await end(
      open(store(), clock, [], () => ({ txt: 1 })),
      clock,
    )
    expect(state.error).toEqual({
      type: 'Internal',
      message:
        'The result of "writer:1" is not what the role "writer" declares: text: Invalid input: expected string, received undefined.',
    })
  })

  it('is not believed when another version wrote its result', async () => {
    const clock = new ManualClock()
    const dying = mortal(store())
    const engine = open(dying, clock, [])
    const state = await end(engine, clock)
    const events = await engine.events(state.runId)
    const older = events.map((event) =>
      event.type === 'job.settled' && event.key === 'critic:1'
        ? { ...event, result: { ...event.result, data: { verdict: 'maybe' } } }
        : event,
    )
    const at = older.findIndex((event) => event.type === 'job.settled' && event.key === 'critic:1')
    expect(() => drafting.next(fold(older.slice(0, at + 1)))).toThrow(
      'The result of "critic:1" is none of the role "critic"; another version may have written it. Ask anew.',
    )
  })
})
