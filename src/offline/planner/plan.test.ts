import { expect, it } from 'vitest'
import { engineFor, outcomeOf, agent as plainAgent, tellingComposer } from '../../../test/support/engine-world.ts'
import { defineRole, type Agent } from '../../domain/actor.ts'
import { parseRequest, type RequestInput } from '../../domain/request.ts'
import { createMemoryStorage } from '../../storage/index.ts'
import { graph } from '../../strategies/graph/next.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { replyToFollowUp } from './follow-up.ts'
import { offlineRoles } from './roles.ts'

const find: Agent['run'] = async () => ({ answer: 'found' })
const decline: Agent['run'] = async (_task, ctx) => ctx.decline('Not for me.')
const agent = (name: string, more: Partial<Agent> = {}, run = find): Agent => plainAgent(name, run, more)
const knows =
  (...texts: readonly string[]) =>
  async (text: string) =>
    texts.includes(text.replace(/[.?]$/, '')) ? {} : undefined

const shop = agent('shop', {
  planning: {
    rank: 10,
    isDefault: true,
    understands: knows(
      'How many orders are there',
      'How many customers are in Italy',
      'How many customers are in Italy and France',
    ),
  },
})
const rag = agent('rag', { planning: { rank: 20 } })
const weather = agent('weather', { keywords: ['rain'], planning: { rank: 30 } })
const files = agent('files', {
  tools: [
    { name: 'get_sum', description: 'adds', effect: 'read' },
    { name: 'set_sum', description: 'keeps', effect: 'write' },
  ],
})
const post = agent('post', {
  planning: {
    rank: 40,
    acts: true,
    understands: async (text) => {
      const needs = /^mail (.+) to ann\.?$/i.exec(text)?.[1]
      if (needs === undefined) return undefined
      return needs === 'that' ? { acts: true } : { acts: true, needs }
    },
  },
})

async function run(
  question: string,
  { agents = [shop, rag, weather, files, post], ...more }: Partial<RequestInput> & { agents?: readonly Agent[] } = {},
) {
  const clock = new ManualClock()
  const { store } = await createMemoryStorage({ clock, onError: (error) => expect.fail(error.message) })
  const planner = defineRole({ name: 'master-planner', run: offlineRoles['master-planner']! })
  const engine = engineFor(agents, { store, clock, strategies: [graph], roles: [planner, tellingComposer] })
  const known = new Set(agents.map(({ name }) => name))
  const input = parseRequest({ question, strategy: 'graph', ...more }, known)
  const state = await outcomeOf(engine, clock, input)
  await engine.close()
  return { state, tasks: state.plan!.plan.tasks }
}

/** The expected agents and their texts. Default: the whole question. */
async function parts(...asked: Parameters<typeof run>): Promise<readonly string[]> {
  return (await run(...asked)).tasks.map(({ agent: name, text = 'all' }) => `${name}: ${text}`)
}

it('gives an agent the longest stretch that it understands, and the rest to another', async () => {
  expect(await parts('How many customers are in Italy and France, and what do we say about gifts?')).toEqual([
    'shop: How many customers are in Italy and France',
    'rag: what do we say about gifts?',
  ])
})

it('routes text that no agent understands by keywords, then to documents, then to the default agent', async () => {
  expect(await parts('Will it rain?')).toEqual(['weather: all'])
  expect(await parts('What do we say about gifts?')).toEqual(['rag: all'])
  expect(await parts('What do we say about gifts?', { agents: [shop, weather] })).toEqual(['shop: all'])
})

it('gives a question that names a tool to the agent of the tool', async () => {
  expect(await parts('Call get_sum with a=2 and b=3.')).toEqual(['files: all'])
  expect(await parts('Call set_sum with a=2.')).toEqual(['files: all'])
  expect(await parts('Call get_sum with a=2 and b=3. How many orders are there?')).toEqual([
    'files: Call get_sum with a=2 and b=3.',
    'shop: How many orders are there?',
  ])
  expect(await parts('Call get_sum with a=2 and b=3, and tell me why.')).toEqual(['files: all'])
  expect(await parts('What do we say about a sum that customers get?')).toEqual(['rag: all'])
})

it('asks preferred agents first and in any case, and disabled ones never', async () => {
  expect(await parts('How many orders are there?', { preferAgents: ['weather'] })).toEqual([
    'weather: all',
    'shop: all',
  ])
  expect(await parts('How many orders are there?', { disableAgents: ['shop'] })).toEqual(['rag: all'])
})

it.each([
  ['How many orders are there? Mail that to ann.', ['How many orders are there?', 'Mail that to ann.']],
  ['Mail How many orders are there to ann', ['How many orders are there', undefined]],
])('lets an agent that acts wait for the parts before it: %s', async (question, [asked, mailed]) => {
  expect((await run(question)).tasks).toEqual([
    { id: 'shop', agent: 'shop', dependsOn: [], text: asked },
    { id: 'post', agent: 'post', dependsOn: ['shop'], ...(mailed === undefined ? {} : { text: mailed }) },
  ])
})

it('acts after a question that only documents can answer', async () => {
  for (const asked of ['What do we say about gifts?', 'When must gifts be told?']) {
    expect(await parts(`${asked} Mail that to ann.`)).toEqual([`rag: ${asked}`, 'post: Mail that to ann.'])
  }
})

it.each([
  'What do we say if it is late? Mail that to ann.',
  'When it is late, mail that to ann.',
  'If there are late orders, mail that to ann.',
  'Ann wrote this. Mail that to ann.',
  'How many orders are there? Someone says so; mail that to ann.',
  'What do we say about gifts?\n\nMail that to ann.',
  'What does this text say: mail that to ann.',
])('starts no action after a condition or a quoted text: %s', async (question) => {
  expect((await run(question)).tasks.map(({ agent: name }) => name)).not.toContain('post')
})

it('leaves a call after such words to the agent that has the tool', async () => {
  expect(await parts('If it is late, call set_sum with a=2.')).toEqual(['files: all'])
})

it('makes parts after a change wait for it', async () => {
  const { tasks } = await run('How many orders are there? Call set_sum with a=2. Call get_sum with a=2 and b=3.')
  expect(tasks.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
    ['shop', []],
    ['files', ['shop']],
    ['files-2', ['shop', 'files']],
  ])
})

it('gives a declined part to the next agent, once', async () => {
  const declining = (one: Agent): Agent => ({ ...one, run: decline })
  const { state } = await run('How many orders are there? What do we say about gifts?', {
    agents: [
      { ...shop, run: async (task, ctx) => (task.text.includes('gifts') ? decline(task, ctx) : find(task, ctx)) },
      declining(rag),
      weather,
    ],
  })
  expect([...state.jobs.values()].map(({ key, status }) => `${key} ${status}`)).toEqual([
    'plan:1 succeeded',
    'shop succeeded',
    'rag failed',
    'plan:2 succeeded',
    'shop-2 failed',
    'compose:1 succeeded',
  ])
  expect(state.plan!.plan.tasks.at(-1)).toMatchObject({ agent: 'shop', text: 'What do we say about gifts?' })
})

it('recognises a follow-up question and what it is about', () => {
  const ask = (question: string, ...said: readonly string[]) => {
    const recent = said.map((text, turn) => ({ role: 'user', text, turn }))
    const recollection = { recent, results: [{ turn: 0, source: { kind: 'database' } }] }
    return replyToFollowUp({ request: { question, context: { current_date: '2026-10-31' } }, recollection } as never)
  }
  const orders = 'How many orders are there?'
  expect(ask('And last year?', orders, 'And this year?')).toMatchObject({ about: `${orders} And last year?` })
  expect(ask('And last year?', 'Orders in 2025?')).toMatchObject({ whole: 'Orders last year?' })
  expect(ask('And by country?', 'Orders in 2025?')).toMatchObject({ whole: 'Orders in 2025 by country?' })
  expect(ask('What about Mars?', 'Orders in 2025?')).toMatchObject({ whole: undefined })
  expect(ask('And last year?', 'Hello', 'Orders on Mars in 2025?')).toMatchObject({ whole: undefined })
  expect(ask('And last year?')).toBeUndefined()
  expect(ask('How many customers are there?', orders)).toBeUndefined()
})
