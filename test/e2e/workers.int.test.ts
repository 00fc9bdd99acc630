import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toolAgent } from '../../src/agents/tool-agent/tool-agent.ts'
import { teamRequest } from '../../src/agents/teams/team-agent.ts'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import type { AppOptions } from '../../src/app/config/options.ts'
import type { RequestInput } from '../../src/domain/request.ts'
import { ownData } from '../../src/domain/provenance.ts'
import { parseTeam } from '../../src/domain/team.ts'
import { defineTool } from '../../src/domain/tool.ts'
import { spansOf } from '../../src/tracing/spans.ts'
import { startModelServer, toolCall, type ModelRequest, type Reply } from '../support/model-server.ts'
import { ASKED, NOTHING_TO_REMEMBER } from './support.ts'
import { openForEach } from '../support/opened.ts'

/** Processing around an agent's work, in every strategy, with the real roles and a scripted model. */

const server = openForEach(() => startModelServer())
let app: App | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

const STEP = 'You keep the store.'
const REFLECTOR = 'You are the reflector.'
const AGAIN = '<feedback by="reflection"'
const EXAMPLES = '<examples>'

const countStock = defineTool({
  name: 'count_stock',
  description: 'Counts the sacks of an item in a room.',
  input: z.object({ item: z.string(), room: z.string().optional() }),
  effect: 'read',
  reach: 'inside',
  provenance: ownData('store'),
  run: async ({ item, room }) => ({ item, sacks: room === 'cellar' ? 0 : 4 }),
})

const listRooms = defineTool({
  name: 'list_rooms',
  description: 'Lists the rooms.',
  input: z.object({}),
  effect: 'read',
  reach: 'inside',
  provenance: ownData('store'),
  run: async () => ({ columns: ['room'], rows: [{ room: 'cellar' }, { room: 'attic' }] }),
})

const storekeeper = (more: object = {}) =>
  toolAgent({
    name: 'storekeeper',
    description: 'Counts what is in stock.',
    instructions: STEP,
    keywords: ['stock', 'sacks'],
    useCases: ['How many sacks are in stock?'],
    tools: [countStock],
    ...more,
  })

const QUESTION = 'How many sacks of beans are in stock?'
const GOOD = 'There are 4 sacks of beans.'
const OFF = 'The shelf is painted blue.'

/** Replies of the agent: a call, and an answer made from its request. It repeats both after feedback. */
function stepping(answer: (text: string) => Reply, input: (text: string) => object = () => ({ item: 'beans' })) {
  return ({ text, messages }: ModelRequest): Reply =>
    messages.at(-1)!.role === 'tool' ? answer(text) : toolCall('count_stock', input(text))
}

/** The result of an agent whose data have a schema. */
const giveResult = (answer: string, data: object): Reply => toolCall('give_result', { answer, data })

function script(step: (request: ModelRequest) => Reply, reflect: (text: string) => object): void {
  server.script([
    NOTHING_TO_REMEMBER,
    { when: REFLECTOR, reply: ({ text }) => ({ json: reflect(text) }) },
    { when: STEP, reply: step },
    {
      when: ASKED.compose,
      reply: ({ text }) => ({ text: [...text.matchAll(/Answer: (.*)/g)].at(-1)?.[1] ?? 'Nothing.' }),
    },
    // All other roles fall back to their rules.
    { reply: { status: 400, text: 'no' } },
  ])
}

const asked = (what: string): readonly string[] =>
  server.requests.flatMap(({ text }) => (text.includes(what) ? [text] : []))

async function open(workers: object, agents = [storekeeper()], more: Partial<AppOptions> = {}): Promise<App> {
  app = await createApp({
    agents,
    models: { providers: [{ kind: 'compatible', baseUrl: server.url, defaultModel: 'scripted' }] },
    config: { workers },
    ...more,
  })
  return app
}

const ask = (more: Partial<RequestInput> = {}) =>
  app!.ask({ question: QUESTION, preferAgents: ['storekeeper'], trace: true, ...more })

describe('a reviewed result', () => {
  it.each(['pipeline', 'graph'])('is sent back with feedback in the strategy %s', async (strategy) => {
    await open({ reflection: 'model' })
    script(
      stepping((text) => ({ text: text.includes(AGAIN) ? GOOD : OFF })),
      (text) =>
        text.includes(OFF) ? { status: 'REJECTED', feedback: 'Say how many sacks there are.' } : { status: 'APPROVED' },
    )
    const response = await ask({ strategy })
    expect(response.agentResults).toMatchObject([{ status: 'succeeded', answer: GOOD, reflection: 'APPROVED' }])
    const again = asked(AGAIN)
    expect(again[0]).toContain('Say how many sacks there are.')
    expect(again[0]).toContain(OFF)
    expect(asked(ASKED.compose).filter((text) => text.includes(OFF))).toEqual([])
    expect(response.answer).not.toContain('blue')
    const events = await app!.runs.events(response.metadata.runId)
    const spans = spansOf({ events, traceId: 'a' }, true)
    const said = spans.filter(({ attributes }) => attributes['tutti.reflection.by'] === 'reflection')
    expect(said.map(({ attributes, content }) => [attributes['tutti.reflection.status'], content?.output])).toEqual([
      ['REJECTED', 'Say how many sacks there are.'],
      ['APPROVED', undefined],
    ])
    const tags = spans.find(({ kind }) => kind === 'run')!.tags
    expect(tags).toEqual(expect.arrayContaining(['reflection_status:REJECTED', 'reflection_status:APPROVED']))
    expect(response.trace!.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'Sent back by reflection: Say how many sacks there are.',
        'Finished: succeeded, APPROVED by reflection',
      ]),
    )
  })

  it('is judged by what its task was given, without the rows of look-ups', async () => {
    const carrier = storekeeper({ name: 'carrier', instructions: 'You carry sacks.' })
    await open({ reflection: 'model' }, [storekeeper({ tools: [countStock, listRooms] }), carrier])
    const looking = [toolCall('list_rooms', {}), toolCall('count_stock', { item: 'beans' }), { text: `${GOOD} [s2]` }]
    server.script([
      NOTHING_TO_REMEMBER,
      { when: REFLECTOR, reply: { json: { status: 'APPROVED' } } },
      { when: STEP, reply: () => looking.shift()! },
      { when: 'You carry sacks.', reply: { text: 'I carry 4 sacks [s2].' } },
      { when: ASKED.compose, reply: { text: GOOD } },
      { reply: { status: 400, text: 'no' } },
    ])
    await ask({ strategy: 'pipeline', preferAgents: ['storekeeper', 'carrier'] })
    const given = asked(REFLECTOR).at(-1)!
    expect(given).toContain(`<given by="storekeeper">\n${GOOD} [s2]`)
    expect(given).toContain('[s1] ')
    expect(given).not.toContain('attic')
  })

  it('is returned as repaired, and counts as a call of the budget', async () => {
    await open({ reflection: 'model' })
    script(
      stepping(() => ({ text: 'Ther are 4 sacks of beans.' })),
      () => ({ status: 'FIXED', refined_output: GOOD }),
    )
    const { answer, agentResults, metadata } = await ask()
    expect(agentResults).toMatchObject([{ answer: GOOD, reflection: 'FIXED' }])
    expect(answer).toContain(GOOD)
    expect(metadata.usage.calls).toBe(server.requests.length)
  })

  it('is not repaired with data that do not fit the schema', async () => {
    const output = { type: 'object', properties: { sacks: { type: 'number' } }, required: ['sacks'] }
    await open({ reflection: 'model' }, [storekeeper({ output })])
    script(
      stepping(() => giveResult(GOOD, { sacks: 4 })),
      () => ({ status: 'FIXED', refined_output: GOOD, refined_data: { sacks: 'four' } }),
    )
    const { agentResults, answer, metadata } = await ask()
    expect(agentResults).toMatchObject([{ status: 'failed', error: { type: 'ResultRejected' } }])
    expect(metadata.isAnswered).toBe(false)
    expect(answer).not.toContain('four')
  })

  it('is sent back up to the limit, and then fails; the answer holds none of it', async () => {
    await open({ reflection: 'model' })
    script(
      stepping(() => ({ text: OFF })),
      () => ({ status: 'REJECTED', feedback: 'No.' }),
    )
    const { agentResults, answer } = await ask({ strategy: 'pipeline' })
    expect(asked(REFLECTOR)).toHaveLength(2)
    expect(agentResults).toMatchObject([{ status: 'failed', error: { type: 'ResultRejected' } }])
    expect(asked(ASKED.compose).filter((text) => text.includes(OFF))).toEqual([])
    expect(answer).not.toContain('blue')
  })

  it('is on by default in the strategy supervisor: sees the cited call completely, and lookups only by name', async () => {
    await open({}, [storekeeper({ tools: [countStock, listRooms] })])
    const looking = [
      toolCall('list_rooms', {}),
      toolCall('count_stock', { item: 'beans <b>' }),
      toolCall('report_gap', { missing: 'The price', reason: 'It is not kept.' }),
      { text: `${GOOD} [s2]` },
    ]
    server.script([
      NOTHING_TO_REMEMBER,
      { when: REFLECTOR, reply: { json: { status: 'APPROVED', feedback: null } } },
      { when: STEP, reply: () => looking.shift()! },
      {
        when: 'You are the supervisor',
        reply: ({ text }) => ({
          json: text.includes('<result')
            ? { thought_process: 'Done.', plan: [], selected_agents: [] }
            : {
                thought_process: 'Count.',
                plan: [{ id: 'count', agent: 'storekeeper', task: 'Count the beans.', depends_on: [] }],
                selected_agents: [{ agent: 'storekeeper', task: 'count' }],
                is_final: true,
              },
        }),
      },
    ])
    const { agentResults } = await ask({ strategy: 'supervisor' })
    expect(agentResults).toMatchObject([{ status: 'succeeded', reflection: 'APPROVED' }])
    const [shown] = asked(REFLECTOR)
    expect(shown).toContain(`<result>\n${GOOD} [s2]\nReported as not done: The price\n</result>`)
    expect(shown).toContain('<call>\nlist_rooms {}\n</call>')
    expect(shown).toContain('<call>\ncount_stock {"item":"beans <b>"}\n[s2]\n{"item":"beans <b>","sacks":4}\n</call>')
  })

  it('is kept with a note where the model of the reflector fails', async () => {
    await open({ reflection: 'model' })
    server.script([
      NOTHING_TO_REMEMBER,
      { when: REFLECTOR, reply: { status: 400, text: 'no' } },
      { when: STEP, reply: stepping(() => ({ text: GOOD })) },
    ])
    const { answer, metadata } = await ask()
    expect(answer).toContain(GOOD)
    expect(metadata.notes).toContain('A result was not looked at a second time, because the model for it failed.')
  })

  it('is off by default', async () => {
    await open({})
    script(
      stepping(() => ({ text: GOOD })),
      () => ({ status: 'REJECTED', feedback: 'No.' }),
    )
    const { agentResults } = await ask()
    expect(asked(REFLECTOR)).toEqual([])
    expect(agentResults[0]).not.toHaveProperty('reflection')
  })
})

describe('the settings of workers', () => {
  it('learn only from reviewed results', async () => {
    await expect(open({ skills: true })).rejects.toThrow(/set workers\.reflection to model/)
  })
})

describe('skills', () => {
  const day = (n: number) => ({ question: `How many sacks of beans are in stock on shelf ${n}?` })
  const MISLED = 'There are 0 sacks of beans.'
  /** An agent that follows an example looks into the cellar, which is empty. */
  const intoTheCellar = (text: string): object =>
    text.includes(EXAMPLES) && text.includes('cellar') && !text.includes(AGAIN)
      ? { item: 'beans', room: 'cellar' }
      : { item: 'beans' }
  const learning = { reflection: 'model', skills: true }
  const shown = async () => (await app!.skills.list('local')).map(({ steps }) => steps)

  it('are learnt from the accepted attempt, and the attempt after a rejection gets none', async () => {
    await open(learning)
    let round = 0
    script(
      // The first run looked into the cellar, and its result was accepted by mistake.
      stepping(
        (text) => ({ text: text.lastIndexOf('"sacks":0') > text.lastIndexOf('"sacks":4') ? MISLED : GOOD }),
        (text) => (round === 0 ? { item: 'beans', room: 'cellar' } : intoTheCellar(text)),
      ),
      (text) =>
        text.includes(MISLED) && round > 0
          ? { status: 'REJECTED', feedback: 'Not the cellar.' }
          : { status: 'APPROVED' },
    )
    await ask(day(1))
    const [bad] = await app!.skills.list('local')
    expect(bad!.steps[0]!.input).toContain('cellar')
    round = 1
    const second = await ask(day(2))
    expect(second.agentResults).toMatchObject([{ answer: GOOD, reflection: 'APPROVED' }])
    const known = await app!.skills.list('local')
    // The new skill holds the accepted attempt, and nothing of the rejected one.
    expect(JSON.stringify(known.filter(({ skillId }) => skillId !== bad!.skillId))).not.toContain('cellar')
    expect(known).toHaveLength(2)
    // The answer is not stored.
    expect(JSON.stringify(known)).not.toContain(GOOD)
  })

  it('are neither used nor learnt without memory, nor with secrets', async () => {
    await open(learning)
    script(
      stepping(
        () => ({ text: GOOD }),
        () => ({ item: 'beans sk-proj-abcdef123456' }),
      ),
      () => ({ status: 'APPROVED' }),
    )
    await ask({ ...day(1), memory: false })
    expect(await shown()).toEqual([])
    await ask(day(1))
    expect(JSON.stringify(await shown())).toContain('***')
    expect(JSON.stringify(await shown())).not.toContain('abcdef123456')
  })
})

it('members of teams are reviewed like every agent', async () => {
  app = await createApp({ tools: [countStock], config: { workers: { reflection: 'model' } } })
  const team = parseTeam({
    name: 'store_team',
    purpose: 'Counts.',
    agents: [
      {
        name: 'counter',
        purpose: 'Counts.',
        tools: ['count_stock'],
        task: 'Count the beans.',
        call: { tool: 'count_stock', input: { item: 'beans' } },
      },
      { name: 'writer', purpose: 'Writes.', task: 'Write what was counted.', after: ['counter'] },
    ],
    checks: [{ question: 'How many?' }],
  })
  const runId = await app.start(teamRequest(team, 'How many sacks are there?'))
  const { jobs } = await app.runs.outcome(runId)
  expect(['counter', 'writer'].map((key) => jobs.get(key)?.result?.reflection)).toEqual(['APPROVED', 'APPROVED'])
})
