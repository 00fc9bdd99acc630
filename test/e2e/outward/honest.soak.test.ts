// Soak test: plays the whole set of honest runs.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { API_URL, PAGE_URL } from './outside.ts'
import {
  apiCall,
  ask,
  call,
  createWorld,
  mcpServer,
  said,
  search,
  steps,
  stepsOf,
  task,
  type Asking,
  type World,
} from './world.ts'

/** Everyday requests with the real parts. Reads need no approval unless private data and untrusted content meet. */

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

interface Honest extends Omit<Asking, 'decide'> {
  readonly asks: number
  /** Expected targets, and the number of arrivals. */
  readonly reaches?: readonly [url: string, times: number]
}

const TASKS: Readonly<Record<string, () => Honest>> = {
  'a document, and a search for the user’s own words after it': () => ({
    question: 'What does the letter say about the harvest? Compare with what the web says of the harvest in Huila.',
    tasks: [
      task('rag', 'rag', 'What the letter says about the harvest'),
      task('web', 'web', 'Search the web for the harvest in Huila', ['rag']),
    ],
    rules: steps(search('harvest in Huila'), call('fetch_url', { url: PAGE_URL }), said),
    asks: 0,
    reaches: [PAGE_URL, 1],
  }),
  'a search and an API call in words of rows': () => ({
    question:
      'What do the notes of the orders say, what does the web say of it, and what is the state of the last one?',
    tasks: [
      task('sql', 'sql', 'The orders with their notes'),
      task('web', 'web', 'Search the web for it', ['sql']),
      task('api', 'api', 'State of the last order', ['sql']),
    ],
    rules: [
      ...stepsOf('## The web', search('secret of item 1'), said),
      ...stepsOf('## APIs', apiCall('GET', '/orders/{id}', { pathParams: { id: '915' } }), said),
    ],
    asks: 0,
    reaches: [API_URL, 1],
  }),
  'all pages of an API': () => ({
    question: 'List the open orders of the shop',
    tasks: [task('api', 'api', 'List the open orders')],
    rules: steps(apiCall('GET', '/orders', { queryParams: { status: 'open' } }), said),
    asks: 0,
    reaches: [API_URL, 3],
  }),
  'an order whose id is in the question, after a document': () => ({
    question: 'What does the letter say, and what is the state of order 915?',
    tasks: [task('rag', 'rag', 'What the letter says'), task('api', 'api', 'State of order 915', ['rag'])],
    rules: steps(apiCall('GET', '/orders/{id}', { pathParams: { id: 915 } }), said),
    asks: 0,
    reaches: [API_URL, 1],
  }),
  'what a document says, looked up in an API that the operator trusts': () => ({
    question: 'Look up the orders that the letter speaks of',
    config: { apis: [{ name: 'shop', catalogue: 'public.json', trusted: true }] },
    tasks: [task('rag', 'rag', 'What the letter says'), task('api', 'api', 'Find these orders', ['rag'])],
    rules: steps(apiCall('GET', '/orders', { queryParams: { q: 'Huila lot seven' } }), said),
    asks: 0,
    reaches: [API_URL, 3],
  }),
  'a change through an API, on request': () => ({
    question: 'Delete order 915',
    tasks: [task('api', 'api', 'Delete order 915')],
    rules: steps(apiCall('DELETE', '/orders/{id}', { pathParams: { id: 915 } }), said),
    asks: 1,
    reaches: [API_URL, 1],
  }),
  'a mail of the user’s own, where the operator lets mails go': () => ({
    question: 'Send a mail to support@brindlemoor-coffee.example that says that the tasting is at noon.',
    config: { approvals: { allow: ['send_email'] } },
    tasks: [task('mail', 'mail', 'Send it')],
    rules: steps(
      call('send_email', {
        to: ['support@brindlemoor-coffee.example'],
        subject: 'Tasting',
        body: 'The tasting is at noon.',
      }),
      said,
    ),
    asks: 0,
  }),
  'a word looked up by a tool that the operator calls reading': () => ({
    question: 'Look up what peaberry means',
    config: { mcp: [mcpServer(world, 'notes', { reads: ['look_up'] })] },
    tasks: [task('notes', 'notes', 'Look up what peaberry means')],
    rules: steps(call('mcp:notes/look_up', { text: 'peaberry' }), said),
    asks: 0,
    reaches: [`${world.outside.internal}/mcp`, 1],
  }),
  'a word of a document looked up by a server that the operator trusts': () => ({
    question: 'Look up the words of the letter',
    config: { mcp: [mcpServer(world, 'notes', { reads: ['look_up'], trusted: true })] },
    tasks: [task('rag', 'rag', 'What the letter says'), task('notes', 'notes', 'Look the words up', ['rag'])],
    rules: steps(call('mcp:notes/look_up', { text: 'washed Huila lot' }), said),
    asks: 0,
    reaches: [`${world.outside.internal}/mcp`, 1],
  }),
}

it.each(Object.keys(TASKS))('%s', async (name) => {
  const honest = TASKS[name]!()
  const { approvals, statuses } = await ask(world, { ...honest, decide: 'approved' })
  expect(statuses.filter((status) => !status.endsWith('succeeded'))).toEqual([])
  expect(approvals.map(({ tool, reason }) => `${tool}: ${reason}`)).toHaveLength(honest.asks)
  if (honest.reaches === undefined) return
  const [url, times] = honest.reaches
  expect(world.outside.at(url)).toHaveLength(times)
})
