import { expect, test } from 'vitest'
import type { Source } from '../../domain/result.ts'
import type { Task } from '../../domain/plan.ts'
import { memoryEngine, gate, task } from '../../../test/support/engine-world.ts'
import { loopAgent, loopTool, ScriptedModels, type ScriptedReply } from '../../../test/support/tool-loops.ts'

const place = (url: string): Source => ({ kind: 'web', name: 'Rates', url })
const PAGES: Readonly<Record<string, string>> = { a: 'GENUINE', b: 'FOUND', c: 'CHANGED', d: 'GENUINE' }

const call = (tool: string, of = ''): ScriptedReply => ({ calls: [[tool, { of }]] })
const read = (id: string): ScriptedReply => ({ calls: [['read_result', { id }]] })

/** What the jobs are shown as results of their calls. Each job is done by an agent of its own; `list` waits until `a` is done. */
async function shownTo(plan: readonly Task[], script: Readonly<Record<string, readonly ScriptedReply[]>>) {
  const isDone = gate()
  const page = async ({ of }: { readonly of?: unknown }) => PAGES[String(of)]
  const list = loopTool('list', 'read', async () => isDone.promise.then(() => 'LIST'))
  const tools = [loopTool('fetch', 'read', page), loopTool('find', 'read', page), list]
  const models = new ScriptedModels(({ head }, turn) => {
    const reply = script[head.instructions]![turn - 1]
    if (reply === undefined && head.instructions === 'a') isDone.open()
    return reply ?? 'Done.'
  })
  const agents = plan.map(({ agent: name }) =>
    loopAgent(name, tools, {
      instructions: name,
      sourcesOf: ({ tool }) => [
        place('https://a.example/'),
        ...(tool.name === 'list' ? [place('https://b.example/')] : []),
      ],
    }),
  )
  const { run } = await memoryEngine(agents, { models })
  const { transcripts } = await run(plan, { strategy: 'graph' })
  return (key: string) =>
    transcripts.get(key)!.turns.flatMap(({ answers }) => [...answers.values()].map(({ text }) => text))
}

test('an id names one result: another tool or output gets a new id, the same result keeps its id', async () => {
  const calls = [call('fetch', 'a'), call('find', 'b'), call('fetch', 'c'), call('fetch', 'd'), read('s1'), read('s3')]
  const shown = await shownTo([task('a')], { a: calls })
  const results = ['[s1]\nGENUINE', '[s2]\nFOUND', '[s3]\nCHANGED', '[s1]\nGENUINE']
  expect(shown('a')).toEqual([...results, results[0], results[2]])
})

test('an id is looked up in the job’s own results and inputs, not in results of others with the same id', async () => {
  const plan = [task('a'), task('b'), task('c', 'c', { dependsOn: ['a'] }), task('d', 'd', { dependsOn: ['c'] })]
  const shown = await shownTo(plan, {
    a: [call('fetch', 'a')],
    b: [call('list'), read('s1')],
    c: [read('s1')],
    d: [read('s1')],
  })
  expect(shown('b')).toEqual(['LIST', 'LIST'])
  expect(shown('c')).toEqual(['[s1]\nGENUINE'])
  expect(shown('d')).toEqual([expect.stringContaining('There is no result "s1"')])
})
