import { beforeAll, describe, expect, test } from 'vitest'
import type { Agent } from '../domain/actor.ts'
import type { Budget } from '../domain/request.ts'
import { isSettled } from '../domain/state.ts'
import type { Strategy } from '../domain/strategy.ts'
import { TuttiError } from '../domain/errors.ts'
import { textOfMessage, userMessage, type ToolDefinition } from '../domain/turn.ts'
import type { RunStore } from '../domain/store.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { engineFor, outcomeOf, passing, request, memoryStore } from '../../test/support/engine-world.ts'
import {
  loopAgent,
  loopTool,
  notingTool,
  ScriptedModels,
  TOKENS_PER_TURN,
  type LoopAgentOptions,
  type Script,
} from '../../test/support/tool-loops.ts'
import { planJob, taskJob } from '../strategies/steps.ts'
import { feedbackMessages } from './messages.ts'
import { reportGap } from './outcome.ts'
import type { LoopTool } from './tool-list.ts'

let store: RunStore
const clock = new ManualClock()
beforeAll(async () => void (store = await memoryStore(clock)))

const look = loopTool('look', 'read', async ({ n }) => `row ${n}`)
const looks: Script = (_request, turn) => ({ calls: [['look', { n: turn }]] })

const give: ToolDefinition = { name: 'give', description: 'Ends.', inputSchema: { type: 'object' } }

interface Options extends LoopAgentOptions {
  readonly budget?: Budget
  readonly window?: number
}

async function outcome(script: Script, tools: readonly LoopTool[], { budget = {}, window, ...options }: Options = {}) {
  const models = new ScriptedModels(script)
  if (window !== undefined) models.window = window
  const engine = engineFor([loopAgent('a', tools, options)], { store, clock, models })
  const state = await outcomeOf(engine, clock, request(['a'], { budget }))
  return { models, state, result: state.jobs.get('a')!.result!, transcript: state.transcripts.get('a')! }
}

/** An agent whose loop is given the feedback on its task. */
function fedAgent(tools: readonly LoopTool[], options: LoopAgentOptions, before?: (attempt: number) => void): Agent {
  return {
    ...loopAgent('a', tools, options),
    run(task, ctx) {
      before?.(ctx.attempt)
      return loopAgent('a', tools, { ...options, added: feedbackMessages(task.feedback) }).run(task, ctx)
    },
  }
}

/** Texts of the messages that a request holds after those of the request before it, results left out. */
function added(models: ScriptedModels, at: number): string[] {
  const before = at === 0 ? 0 : models.request(at - 1).messages.length
  const { messages } = models.request(at)
  return messages.slice(before).flatMap((message) => (message.role === 'user' ? [textOfMessage(message)] : []))
}

describe('limits', () => {
  const untilLast: Script = ({ toolChoice }, turn) =>
    toolChoice === 'none' ? 'what I have' : { calls: [['look', { n: turn }]] }

  test('the twelfth turn is the last: the tools stay, none may be called, and the prompt says so', async () => {
    const { models, result } = await outcome(untilLast, [look])
    expect(result).toMatchObject({ status: 'succeeded', answer: 'what I have' })
    expect(models.requests).toHaveLength(12)
    expect(models.requests.map((_body, at) => models.request(at).toolChoice)).toEqual([
      ...Array<string>(11).fill('auto'),
      'none',
    ])
    expect(models.request(11).head).toEqual(models.request(0).head)
    expect(added(models, 11)).toEqual([expect.stringContaining('last turn')])
  })

  test('calls that a model requests in the last turn are not made', async () => {
    const done: string[] = []
    const { result } = await outcome(
      (_request, turn) => ({ text: 'an answer', calls: [['save', { turn }]] }),
      [notingTool('save', 'write', done)],
      { maxTurns: 3 },
    )
    expect(done).toHaveLength(2)
    expect(result).toMatchObject({ status: 'succeeded', answer: 'an answer' })
  })

  test('after four fifths of the time, the next turn is the last', async () => {
    const slow = loopTool('look', 'read', async ({ n }) => {
      await new Promise<void>((resolve) => clock.timer(4_500, resolve))
      return n
    })
    const { models, result } = await outcome(untilLast, [slow], { limits: { timeoutMs: 10_000 } })
    expect(result).toMatchObject({ status: 'succeeded', answer: 'what I have' })
    expect(models.requests).toHaveLength(3)
    expect(models.request(2).toolChoice).toBe('none')
  })

  test.each([
    ['calls', { maxCalls: 4 }],
    ['tokens', { maxTokens: 4 * TOKENS_PER_TURN }],
    ['cost', { maxCostUsd: 0.0401 }],
  ])('a budget of %s reserves the last turn', async (_what, budget) => {
    const { models, result, state } = await outcome(untilLast, [look], { budget })
    expect(result).toMatchObject({ status: 'succeeded', answer: 'what I have' })
    expect(models.requests).toHaveLength(4)
    expect(models.request(3).toolChoice).toBe('none')
    expect(state.usage.calls).toBe(4)
    expect(state.exhausted).toBeUndefined()
  })

  test('parallel loops each reserve their own last turn', async () => {
    const models = new ScriptedModels(untilLast)
    const agents = ['a', 'b'].map((name) => loopAgent(name, [look]))
    const engine = engineFor(agents, { store, clock, models })
    const state = await outcomeOf(engine, clock, request(['a', 'b'], { strategy: 'graph', budget: { maxCalls: 5 } }))
    expect(['a', 'b'].map((key) => state.jobs.get(key)?.result?.answer)).toEqual(['what I have', 'what I have'])
    expect(state.usage.calls).toBeLessThanOrEqual(5)
  })
})

describe('the end of a loop', () => {
  test('an empty reply is requested again once, and a second one fails', async () => {
    const good = await outcome(['', 'now'], [look])
    expect(good.result.answer).toBe('now')
    expect(added(good.models, 1)).toHaveLength(1)
    const bad = await outcome(['', ''], [look])
    expect(bad.result).toMatchObject({ status: 'failed', error: { type: 'ModelOutputInvalid' } })
  })

  test('a truncated reply is requested again once, shorter; a second one stays truncated', async () => {
    const cut = { text: 'Half of', finishReason: 'length' } as const
    const { models, result } = await outcome([cut, 'All of it.'], [look])
    expect(result).toMatchObject({ answer: 'All of it.' })
    expect(added(models, 1)).toEqual([expect.stringContaining('cut off')])
    const second = await outcome([cut, cut], [look])
    expect(second.result).toMatchObject({ answer: 'Half of', unanswered: ['The end of the answer'] })
  })

  test('a gap is recorded beside other calls and does not end it', async () => {
    const done: string[] = []
    const { result, models } = await outcome(
      [{ calls: [['report_gap', { missing: 'May', reason: 'no data' }], ['save']] }, 'Half of it.'],
      [notingTool('save', 'write', done)],
      { ending: [reportGap] },
    )
    expect(models.results(1)).toEqual([expect.stringContaining('Recorded'), 'save done'])
    expect(result).toMatchObject({ status: 'succeeded', answer: 'Half of it.', unanswered: ['May'] })
  })

  test('text beside a gap is the answer, without another turn', async () => {
    const gap = ['report_gap', { missing: 'May', reason: 'no data' }] as const
    const { result, models } = await outcome([{ calls: [['look']] }, { text: 'Half of it.', calls: [gap] }], [look], {
      ending: [reportGap],
    })
    expect(result).toMatchObject({ answer: 'Half of it.', unanswered: ['May'] })
    expect(models.requests).toHaveLength(2)
  })

  test('a gap stays reported when the answer is cut off and requested again', async () => {
    const calls = [['report_gap', { missing: 'May', reason: 'no data' }]] as const
    const cut = { text: 'Half of', finishReason: 'length' } as const
    for (const replies of [
      [{ calls }, cut, 'Half.'],
      [{ ...cut, calls }, 'Half.'],
    ]) {
      const { result } = await outcome([{ calls: [['look']] }, ...replies], [look], { ending: [reportGap] })
      expect(result).toMatchObject({ answer: 'Half.', unanswered: ['May'] })
    }
  })

  test('a later report replaces a gap, and an empty one withdraws it', async () => {
    const gap = (missing: string) => ({ calls: [['report_gap', { missing, reason: 'no data' }] as const] })
    const call = { calls: [['look'] as const] }
    const replaced = await outcome([call, gap('May'), gap('June'), 'Most.'], [look], { ending: [reportGap] })
    expect(replaced.result.unanswered).toEqual(['June'])
    const withdrawn = await outcome([call, gap('May'), gap(''), 'All.'], [look], { ending: [reportGap] })
    expect(withdrawn.result.unanswered).toBeUndefined()
  })

  const required: LoopAgentOptions = {
    ending: [give],
    required: 'give',
    problemWith: ({ input }) => (typeof input['n'] === 'number' ? undefined : 'n: a number is needed.'),
    outcome: (_ctx, { endings }) => ({ answer: `gave ${JSON.stringify(endings[0]?.input)}` }),
  }

  test('the model is reminded of a required ending tool, and its input is validated', async () => {
    const { models, result } = await outcome(
      ['a text', { calls: [['give', { n: 'x' }]] }, { calls: [['give', { n: 1 }]] }],
      [],
      required,
    )
    expect(result.answer).toBe('gave {"n":1}')
    expect(added(models, 1)).toEqual([expect.stringContaining('give')])
    expect(models.results(2)).toEqual(['n: a number is needed.'])
  })

  test('without the required call there is no result; the last turn may still make it', async () => {
    const late = await outcome(looks, [look], { ...required, maxTurns: 3 })
    expect(late.result).toMatchObject({ status: 'failed', error: { type: 'ModelOutputInvalid' } })
    expect(late.models.requests).toHaveLength(3)
    expect(late.models.request(2).toolChoice).toBe('auto')
    expect(added(late.models, 2)).toEqual([expect.stringContaining('give')])
    const never = await outcome(() => 'a text', [look], required)
    expect(never.result).toMatchObject({ status: 'failed', error: { type: 'ModelOutputInvalid' } })
    expect(never.models.requests).toHaveLength(2)
  })
})

test('a required ending call is reserved in the budget, too', async () => {
  const { models, result } = await outcome(
    (_request, turn) => (turn < 3 ? { calls: [['look', { n: turn }]] } : { calls: [['give']] }),
    [look],
    { ending: [give], required: 'give', budget: { maxCalls: 3 }, outcome: () => ({ answer: 'given' }) },
  )
  expect(result).toMatchObject({ status: 'succeeded', answer: 'given' })
  expect(models.requests).toHaveLength(3)
})

describe('attempts', () => {
  test('a failed turn is recorded; the next attempt continues and repeats no call', async () => {
    const done: string[] = []
    let failures = 0
    const script: Script = (_request, turn) => {
      if (turn === 2 && failures++ === 0) {
        return { error: new TuttiError('ModelUnavailable', 'busy', { retryable: true }) }
      }
      return turn === 1 ? { calls: [['save', { n: 1 }]] } : 'ok'
    }
    const { models, result } = await outcome(script, [notingTool('save', 'write', done)], { limits: { retries: 1 } })
    expect(result).toMatchObject({ status: 'succeeded', answer: 'ok' })
    expect(done).toHaveLength(1)
    expect(models.requests[2]).toBe(models.requests[1])
  })
})

describe('feedback', () => {
  /** An agent whose first results are sent back. */
  function rejecting(rejections: number) {
    let rejected = 0
    const options: LoopAgentOptions = {
      outcome: (ctx, { text }) => {
        if (rejected < rejections) {
          rejected++
          ctx.sendBack({ by: 'reflector', text: `wrong ${rejected}`, answer: text }, 5)
        }
        return { answer: text }
      },
    }
    return options
  }

  async function run(script: Script, options: LoopAgentOptions, fail?: (attempt: number) => void) {
    const models = new ScriptedModels(script)
    const told = { ...fedAgent([look], options, fail), limits: { retries: 2 } }
    const engine = engineFor([told], { store, clock, models })
    const state = await outcomeOf(engine, clock, request(['a']))
    return { models, result: state.jobs.get('a')!.result! }
  }

  test('within a job adds one message and continues', async () => {
    const { models, result } = await run([{ calls: [['look', { n: 1 }]] }, 'first', 'second', 'third'], rejecting(2))
    expect(result.answer).toBe('third')
    expect(models.requests).toHaveLength(4)
    expect(models.requests[3]).toContain('row 1')
    expect([added(models, 2), added(models, 3)]).toEqual([
      [expect.stringContaining('wrong 1')],
      [expect.stringContaining('wrong 2')],
    ])
  })

  test('is sent once for any number of failed later attempts', async () => {
    const { models, result } = await run(['first', 'second', 'third'], rejecting(1), (attempt) => {
      if (attempt === 2) throw new TuttiError('HttpError', 'busy', { retryable: true })
    })
    expect(result.answer).toBe('second')
    expect(models.requests).toHaveLength(2)
  })

  test('is sent once when a later attempt fails half-way', async () => {
    let isBroken = true
    const script: Script = (_request, turn) => {
      if (turn === 3 && isBroken) {
        isBroken = false
        return { error: new TuttiError('ModelUnavailable', 'busy', { retryable: true }) }
      }
      return turn === 2 ? { calls: [['look', { n: 2 }]] } : `answer ${turn}`
    }
    const { models, result } = await run(script, rejecting(1))
    expect(result.answer).toBe('answer 3')
    expect(models.requests.at(-1)!.match(/wrong 1/g)).toHaveLength(1)
  })

  test('one empty reply after it is requested again', async () => {
    const { result } = await run(['first', '', 'third'], rejecting(1))
    expect(result.answer).toBe('third')
  })
})

describe('a replacing job', () => {
  /** Does the task a second time, with feedback, by a job that continues the first. */
  const twice: Strategy = {
    name: 'graph',
    next(state) {
      if (state.plan === undefined) return [planJob(1)]
      const [task] = state.plan.plan.tasks
      const first = taskJob(task!, [])
      if (!isSettled(state.jobs.get(first.key))) return [first]
      const second = { ...first, key: 'again', replaces: first.key, feedback: { by: 'critic', text: 'add May' } }
      if (!isSettled(state.jobs.get('again'))) return [second]
      return { finish: 'answered' }
    },
  }

  async function run(script: Script, tools: readonly LoopTool[], options: LoopAgentOptions = {}) {
    const models = new ScriptedModels(script)
    const engine = engineFor([fedAgent(tools, options)], { store, clock, models, strategies: [twice] })
    const state = await passing(clock, engine.outcome(await engine.start(request(['a'], { strategy: 'graph' }))))
    return { models, state, result: state.jobs.get('again')!.result! }
  }

  test('continues its transcript: same head, its messages, then the feedback; sources stay', async () => {
    const { models, result } = await run([{ calls: [['look', { n: 1 }]] }, 'first', 'second'], [look])
    expect(result.answer).toBe('second')
    expect(models.request(2).head).toEqual(models.request(0).head)
    expect(models.request(2).messages.slice(0, 2)).toEqual(models.request(1).messages)
    expect(added(models, 2)).toEqual([expect.stringContaining('add May')])
    expect(result.sources).toEqual([{ id: 's1', kind: 'api', name: 'look' }])
  })

  test('answers an ending call that the earlier one left open', async () => {
    const { models, result } = await run([{ text: 'first', calls: [['give']] }, 'second'], [look], { ending: [give] })
    expect(result.answer).toBe('second')
    expect(models.results(1)).toHaveLength(1)
  })

  test('reads results of both by their ids', async () => {
    const dump = loopTool('dump', 'read', async ({ of }) => `${of} `.repeat(6_000))
    const read = (id: string) => ({ calls: [['read_result', { id, offset: 15_000 }] as const] })
    const handles: string[] = []
    const script: Script = ({ messages }, turn) => {
      const last = messages.at(-1)
      const text = last?.role === 'tool' ? last.parts[0]!.text : ''
      const handle = /read_result with id (\S+)/.exec(text)?.[1]
      if (handle !== undefined && (turn === 2 || turn === 4)) handles.push(handle)
      const replies = [
        { calls: [['dump', { of: 'old' }] as const] },
        'first',
        { calls: [['dump', { of: 'new' }] as const] },
        read(handles[0]!),
        read(handles[1]!),
        'second',
      ]
      return replies[turn - 1]!
    }
    const { models, result } = await run(script, [dump])
    expect(result.answer).toBe('second')
    expect(new Set(handles).size).toBe(2)
    expect(models.results(-2)[0]).toMatch(/^(\w* )?old /)
    expect(models.results(-1)[0]).toMatch(/^(\w* )?new /)
  })
})

describe('compaction', () => {
  const dump = loopTool('dump', 'read', async ({ n }) => `[${n}] ${'x'.repeat(3_000)}`)
  const cleared = /removed to save space. read_result with id s1 /

  test('at 70 % of the window, results of earlier turns are replaced by their ids, and can be read again', async () => {
    const { models, transcript, result } = await outcome(
      (_request, turn) =>
        turn < 6 ? { calls: [['dump', { n: turn }]] } : turn === 6 ? { calls: [['read_result', { id: 's1' }]] } : 'ok',
      [dump],
      { window: 5_500 },
    )
    expect(result.answer).toBe('ok')
    expect(transcript.compacted?.clearedUpTo).toBeGreaterThan(0)
    const last = models.request(-1).messages
    const first = last.find((message) => message.role === 'tool')
    expect(first).toMatchObject({ parts: [{ text: expect.stringMatching(cleared) }] })
    expect(models.results(-1)[0]).toMatch(/^(\[s1\]\n)?\[1\] x/)
    expect(last.flatMap((message) => (message.role === 'assistant' ? message.parts : []))).toHaveLength(6)
  })

  test('at 85 % the turns are replaced by a summary of the model', async () => {
    const long = 'y'.repeat(4_000)
    const script: Script = (request, turn) => {
      const last = request.messages.at(-1)
      if (last?.role === 'user' && textOfMessage(last).includes('takes its place')) return 'SUMMARY: n is 1 to 3'
      if (JSON.stringify(request.messages).includes('SUMMARY')) return 'ok'
      return { text: long, calls: [['dump', { n: turn }]] }
    }
    const { models, transcript, result } = await outcome(script, [dump], { window: 6_000 })
    expect(result.answer).toBe('ok')
    expect(transcript.compacted?.summary).toContain('SUMMARY')
    const { messages, head } = models.request(-1)
    expect(messages).toEqual([userMessage('SUMMARY: n is 1 to 3')])
    expect(head).toEqual(models.request(0).head)
    expect(models.request(-2).toolChoice).toBe('none')
  })
})
