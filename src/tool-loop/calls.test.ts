import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { RunEvent } from '../domain/events.ts'
import type { RunStore } from '../domain/store.ts'
import { ManualClock, settled } from '../testing/manual-clock.ts'
import {
  engineFor,
  eventually,
  gate,
  outcomeOf,
  passing,
  request,
  memoryStore,
} from '../../test/support/engine-world.ts'
import {
  loopAgent,
  loopTool,
  notingTool,
  ScriptedModels,
  type LoopAgentOptions,
  type Script,
} from '../../test/support/tool-loops.ts'
import { MAX_TOOLS, type LoopTool } from './tool-list.ts'

let store: RunStore
const clock = new ManualClock()
beforeAll(async () => void (store = await memoryStore(clock)))

function world(script: Script, tools: readonly LoopTool[], options: LoopAgentOptions = {}) {
  const models = new ScriptedModels(script)
  const engine = engineFor([loopAgent('a', tools, options)], { store, clock, models })
  return { models, engine, run: () => outcomeOf(engine, clock, request(['a'])) }
}

async function outcome(script: Script, tools: readonly LoopTool[], options: LoopAgentOptions = {}) {
  const { models, run } = world(script, tools, options)
  const state = await run()
  return { models, state, result: state.jobs.get('a')!.result!, transcript: state.transcripts.get('a')! }
}

describe('order of the calls of a turn', () => {
  test('reads run in parallel, at most six, and all before the first write', async () => {
    const gates = Array.from({ length: 8 }, () => gate())
    const started: string[] = []
    const look = loopTool('look', 'read', async ({ n }) => {
      started.push(`look ${n}`)
      await gates[n as number]!.promise
      return n
    })
    const calls = gates.map((_gate, n) => ['look', { n }] as const)
    const { engine, models } = world(
      [{ calls: [['save'], ...calls] }, 'done'],
      [look, loopTool('save', 'write', async () => started.push('save'))],
    )
    const runId = await engine.start(request(['a']))
    await eventually(() => started.length >= 6)
    await settled()
    expect(started).toEqual([0, 1, 2, 3, 4, 5].map((n) => `look ${n}`))
    gates[5]!.open()
    await eventually(() => started.length === 7)
    expect(started.at(-1)).toBe('look 6')
    for (const one of gates) one.open()
    const state = await passing(clock, engine.outcome(runId))
    expect(started).toEqual([...[0, 1, 2, 3, 4, 5, 6, 7].map((n) => `look ${n}`), 'save'])
    expect(state.jobs.get('a')?.result?.answer).toBe('done')
    expect(models.results(1)).toEqual(['9', '0', '1', '2', '3', '4', '5', '6', '7'])
  })

  test('writes run one by one in the order of the model', async () => {
    const underWay: string[] = []
    let atOnce = 0
    const save = loopTool('save', 'write', async ({ n }) => {
      underWay.push(String(n))
      atOnce = Math.max(atOnce, underWay.length)
      await settled()
      underWay.pop()
      return `saved ${n}`
    })
    const { models } = await outcome([{ calls: [1, 2, 3].map((n) => ['save', { n }]) }, 'done'], [save])
    expect(atOnce).toBe(1)
    expect(models.results(1)).toEqual(['saved 1', 'saved 2', 'saved 3'])
  })

  test('after a write that failed the rest is not executed, and reads are', async () => {
    const done: string[] = []
    const fail = loopTool('fail', 'write', async () => Promise.reject(new Error('disk full')))
    const tools = [notingTool('save', 'write', done), notingTool('look', 'read', done), fail]
    const { models, result } = await outcome(
      [{ calls: [['save', { n: 1 }], ['fail'], ['save', { n: 2 }], ['look']] }, 'so it is'],
      tools,
    )
    expect(done).toEqual(['look {}', 'save {"n":1}'])
    expect(models.results(1)).toEqual([
      'save done',
      'Error Internal: disk full',
      expect.stringContaining('Not executed'),
      'look done',
    ])
    expect(result.answer).toBe('so it is')
  })

  test.each([
    ['an unknown tool', ['sav', {}] as const],
    ['arguments that cannot be used', ['save', {}, { invalid: 'the arguments are no JSON.' }] as const],
  ])('%s counts as a failed write', async (_what, call) => {
    const done: string[] = []
    await outcome([{ calls: [call, ['save', { n: 2 }]] }, 'so it is'], [notingTool('save', 'write', done)])
    expect(done).toEqual([])
  })
})

describe('calls that cannot be made', () => {
  const done: string[] = []
  const strict = notingTool('strict', 'write', done, { input: z.strictObject({ city: z.string() }) })

  test('an unknown tool and wrong arguments return results with the correct usage', async () => {
    const { models, result } = await outcome(
      [{ calls: [['strikt']] }, { calls: [['strict', { town: 'X' }]] }, 'ok'],
      [strict],
    )
    expect(models.results(1)).toEqual([expect.stringMatching(/no tool "strikt".*strict/)])
    expect(models.results(2)[0]).toMatch(/city/)
    expect(done).toEqual([])
    expect(result).toMatchObject({ status: 'succeeded', answer: 'ok' })
  })

  test('an unknown field returns the existing ones', async () => {
    const search = notingTool('search', 'read', done, { input: z.object({ query: z.string().default('') }) })
    const { models } = await outcome([{ calls: [['search', { from: 'Ines' }]] }, 'ok'], [search])
    expect(models.results(1)[0]).toMatch(/no field from\. Fields: query\./)
    expect(done).toEqual([])
  })

  test('a union at the root of a schema, which providers refuse, is offered as one object with all fields', async () => {
    const made: string[] = []
    const search = notingTool('search', 'read', made, { input: z.record(z.string(), z.unknown()) })
    const fieldOf = (name: string) => ({ properties: { [name]: { type: 'string' } }, required: [name] })
    const limit = { properties: { limit: { type: 'integer' } }, required: ['limit'] }
    const inputSchema = { type: 'object', ...limit, anyOf: [fieldOf('id'), fieldOf('name')] }
    const { models } = await outcome(
      [{ calls: [['search', { name: 'Ines', limit: 1 }]] }, 'ok'],
      [{ ...search, inputSchema }],
    )
    expect(models.request(0).head.tools.find(({ name }) => name === 'search')!.inputSchema).toEqual({
      type: 'object',
      properties: { ...limit.properties, id: { type: 'string' }, name: { type: 'string' } },
      required: ['limit'],
    })
    expect(made).toHaveLength(1)
  })

  test('a truncated reply makes none of its calls', async () => {
    const { models } = await outcome([{ calls: [['strict', { city: 'X' }]], finishReason: 'length' }, 'ok'], [strict])
    expect(models.results(1)[0]).toMatch(/cut off/)
    expect(done).toEqual([])
  })
})

describe('identical reads', () => {
  const run = async (calls: readonly string[], more = {}) => {
    const done: string[] = []
    const tools = [notingTool('look', 'read', done, more), notingTool('save', 'write', done)]
    const broken = loopTool('broken', 'write', async () => Promise.reject(new Error('gone')))
    const script = [...calls.map((name) => ({ calls: [[name, { a: 1, b: 2 }] as const] })), 'ok']
    const { models } = await outcome(script, [...tools, broken], { maxTurns: 20 })
    return { done, texts: calls.map((_name, at) => models.results(at + 1)[0]) }
  }

  test('the second is answered from the journal with a note, the third is refused', async () => {
    const { done, texts } = await run(['look', 'look', 'look'])
    expect(done).toHaveLength(1)
    expect(texts).toEqual([
      'look done',
      expect.stringMatching(/^\[.+\]\nlook done$/s),
      expect.stringContaining('Not executed'),
    ])
  })

  test.each(['save', 'broken'])('a call of %s in between makes them run again', async (write) => {
    const { done, texts } = await run(['look', 'look', write, 'look'])
    expect(done.filter((call) => call.startsWith('look'))).toHaveLength(2)
    expect(texts.at(-1)).toBe('look done')
  })

  test('those of a volatile tool always run', async () => {
    const { done } = await run(['look', 'look', 'look'], { isVolatile: true })
    expect(done).toHaveLength(3)
  })

  test('two in one turn are made once', async () => {
    const done: string[] = []
    const script = [{ calls: [['look', { a: 1 }] as const, ['look', { a: 1 }] as const] }, 'ok']
    const { models } = await outcome(script, [notingTool('look', 'read', done)])
    expect(models.results(1)).toHaveLength(2)
    expect(done).toHaveLength(1)
  })
})

describe('many tools', () => {
  test('above the limit the rest is searched and used through two tools', async () => {
    const done: string[] = []
    const many = Array.from({ length: MAX_TOOLS + 6 }, (_, i) =>
      notingTool(`tool_${String(i).padStart(2, '0')}`, 'read', done),
    )
    const { models } = await outcome(
      [
        { calls: [['find_tools', { words: 'tool_29' }]] },
        { calls: [['use_tool', { name: 'tool_29', input: { x: 1 } }]] },
        { calls: [['use_tool', { name: 'tool_99' }]] },
        'ok',
      ],
      many,
    )
    const names = models.request(0).head.tools.map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('tool_'))).toHaveLength(MAX_TOOLS)
    expect(names).toEqual(expect.arrayContaining(['find_tools', 'use_tool']))
    expect(names).toEqual(names.toSorted())
    expect(models.results(1)[0]).toContain('"name":"tool_29"')
    expect(done).toEqual(['tool_29 {"x":1}'])
    expect(models.results(3)[0]).toContain('There is no tool "tool_99"')
  })

  test('an irreversible tool that was found needs approval like any other', async () => {
    const done: string[] = []
    const many = Array.from({ length: MAX_TOOLS }, (_, i) => notingTool(`tool_${i}`, 'read', done))
    const { engine } = world(
      [{ calls: [['use_tool', { name: 'zap', input: {} }]] }, 'ok'],
      [...many, notingTool('zap', 'irreversible', done)],
    )
    const runId = await engine.start(request(['a']))
    const asked = await eventually(async () =>
      (await engine.events(runId)).find(
        (event): event is Extract<RunEvent, { type: 'approval.requested' }> => event.type === 'approval.requested',
      ),
    )
    expect(asked).toMatchObject({ tool: 'zap', payload: {} })
    expect(done).toEqual([])
    await engine.cancel(runId, 'test')
    await passing(clock, engine.outcome(runId))
  })
})

describe('long results', () => {
  test('are shortened with an id to read the rest', async () => {
    const text = Array.from({ length: 4_000 }, (_, i) => `line ${i}`).join('\n')
    const dump = loopTool('dump', 'read', async () => text)
    const { models } = await outcome(
      (request) => {
        const results = request.messages.flatMap((message) => (message.role === 'tool' ? message.parts : []))
        if (results.length === 0) return { calls: [['dump']] }
        const [, id, offset] = /id (\S+) and offset (\d+)/.exec(results.at(-1)!.text) ?? []
        return id === undefined ? 'ok' : { calls: [['read_result', { id, offset: Number(offset) }]] }
      },
      [dump],
    )
    const { messages } = models.request(-1)
    const read = messages.flatMap((message) => (message.role === 'tool' ? message.parts.map((part) => part.text) : []))
    expect(read.length).toBeGreaterThan(2)
    expect(read.map((part) => part.replace(/\n\[Characters [^\]]*\]$/, '')).join('')).toBe(`[s1]\n${text}`)
  })

  test('a table begins with its number of rows and is cut between rows', async () => {
    const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `Customer ${id}` }))
    const table = { columns: ['id', 'name'], rows, rowCount: rows.length }
    const { models } = await outcome([{ calls: [['list']] }, 'ok'], [loopTool('list', 'read', async () => table)])
    const [first] = models.results(1)
    expect(first).toMatch(/^\[3000 rows\]\nid,name\n0,Customer 0\n/)
    expect(first).toMatch(/\n(\d+),Customer \1\n+\[Characters 0 to \d+ of/)
  })

  test('an unknown id returns the existing ids', async () => {
    const dump = loopTool('dump', 'read', async () => 'dumped')
    const { models } = await outcome(
      [
        { calls: [['dump']] },
        { calls: [['read_result', { id: 's7' }]] },
        { calls: [['read_result', { id: 's1' }]] },
        'ok',
      ],
      [dump],
    )
    expect(models.results(2)[0]).toMatch(/There is no result "s7"\.[^]*\[s1\] api dump/)
    expect(models.results(3)).toEqual(['dumped'])
  })
})
