import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { HttpWorld } from '../../support/http-server.ts'
import { HOLIDAY, type Ids } from './leave.ts'

/** Answers by request. */
export type Answers = Readonly<Record<string, string>>

/** Bodies for routes that change something. */
const BODIES: Readonly<Record<string, unknown>> = {
  'PUT /runs/:runId/plan': { tasks: [] },
  'POST /runs/:runId/messages': { text: 'In euros, please.' },
  'POST /runs/:runId/fork': { from: 'planner:1' },
  'POST /runs/:runId/feedback': { thumb: 'up' },
  'POST /runs/:runId/case': { number: [1] },
  'POST /approvals/:approvalId/decide': { decision: 'approved' },
  'PATCH /conversations/:conversationId': { title: 'Mine now' },
  'POST /conversations/:conversationId/branches': { turn: 1 },
  'PATCH /schedules/:scheduleId': { paused: true },
  'PATCH /collections/:collectionId': { name: 'Mine now' },
  'PUT /collections/:collectionId/grants': { to: 'user:ben', level: 'editor' },
  'POST /teams/:team/use': { version: 1 },
  'PATCH /teams/:team': { name: 'renamed' },
}

/** The body for a route that changes something, with these ids. */
function bodyOf(route: string, ids: Ids): unknown {
  if (route !== 'POST /teams/:team/versions') return BODIES[route] ?? {}
  const agents = [{ name: 'writer', purpose: 'Writes.', task: 'Write.' }]
  return { team: { name: ids['team'], purpose: 'Writes.', agents, checks: [{ question: 'Write.' }] } }
}

const QUERIES: readonly (readonly [RegExp, string])[] = [
  [/\/passage$/, '?start=0&end=5'],
  [/\/documents\/search$/, '?q=holiday'],
]

/** A text without ids, keys and times: each id is replaced by its position among the ids of the text. */
export function masked(text: string): string {
  const seen: string[] = []
  const named = (id: string): string => {
    if (!seen.includes(id)) seen.push(id)
    return `id${seen.indexOf(id)}`
  }
  return (
    text
      .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[\da-f]{32}/g, named)
      .replaceAll(/(id\d+)\.[\w-]{12}/g, '$1')
      .replaceAll(/("path":\s*"[^"]*?):[\w-]{12}(?=["/])/g, '$1:call')
      .replaceAll(/"id":"[\da-f]{8}"/g, '"id":"x"')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, 'time')
      // The format of exports.
      .replaceAll(/\w{3} \d{1,2}, \d{4}, [\d:]+\s[AP]M UTC/g, 'time')
      .replaceAll(
        /("(?:\w*(?:[mM]s|At|Seconds)|at|created|created_at|completed_at|timeout_seconds)":\s*)\d+(?:\.\d+)?/g,
        '$1n',
      )
      .replaceAll(/("(?:nextCursor|cursor|beginsWith)":\s*)"[^"]*"/g, '$1"x"')
  )
}

async function answerTo(world: HttpWorld, as: string, path: string, init: object): Promise<string> {
  const response = await world.fetch(path, { as, ...init })
  const headers = [...response.headers].filter(([name]) => !/^(?:date|content-length)$/.test(name))
  return masked(`${response.status} ${JSON.stringify(headers)}\n${await response.text()}`)
}

/** The address of a route; parameters without an id get a placeholder. */
function addressOf(pattern: string, ids: Ids): string {
  const query = QUERIES.find(([of]) => of.test(pattern))?.[1] ?? ''
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? 'none') + query
}

/** The answers of all GET routes for these ids. */
export async function looks(world: HttpWorld, as: string, ids: Ids, patterns = /^/): Promise<Answers> {
  const answers: Record<string, string> = {}
  for (const route of world.routes) {
    const [method, pattern] = route.split(' ') as [string, string]
    if (method !== 'GET' || !patterns.test(pattern)) continue
    answers[route] = await answerTo(world, as, addressOf(pattern, ids), {})
  }
  return answers
}

/** The answers of all changing routes for these ids. */
async function changes(world: HttpWorld, as: string, ids: Ids): Promise<Answers> {
  const answers: Record<string, string> = {}
  for (const route of world.routes) {
    const [method, pattern] = route.split(' ') as [string, string]
    if (method === 'GET' || !pattern.includes(':') || pattern.includes(':field')) continue
    const file = new FormData()
    file.append('file', new Blob(['# Mine\n']), 'mine.md')
    const sent =
      route === 'POST /collections/:collectionId/documents'
        ? { body: file }
        : method === 'DELETE'
          ? {}
          : { json: bodyOf(route, ids) }
    answers[`${route} (foreign)`] = await answerTo(world, as, addressOf(pattern, ids), { ...sent, method })
  }
  return answers
}

/** All requests of a user who wants to find out about another one, with their own ids and with those of the other. */
export async function asksAll(world: HttpWorld, as: string, own: Ids, foreign: Ids, name: string): Promise<Answers> {
  const answers: Record<string, string> = {}
  const ask = async (said: string, path: string, json?: unknown): Promise<void> => {
    answers[said] = await answerTo(world, as, path, json === undefined ? {} : { json })
  }
  Object.assign(answers, await looks(world, as, own))
  const others = await looks(world, as, foreign, /:/)
  for (const [route, answer] of Object.entries(others)) answers[`${route} (foreign)`] = answer
  for (const word of ['holiday', 'parking', 'Contracts', name]) {
    await ask(`conversations of ${word}`, `/conversations?search=${word}`)
    await ask(`runs of ${word}`, `/runs?search=${word}`)
    await ask(`documents of ${word}`, `/documents?search=${word}`)
  }
  await ask('a page of runs', '/runs?limit=1')
  await ask('two runs', `/runs/compare?a=${own['runId']}&b=${foreign['runId']}`)
  await ask('what runs came to', '/runs/usage?from=2000-01-01T00:00:00Z')
  await ask('a question in another’s', '/query', { question: HOLIDAY, conversationId: foreign['conversationId'] })
  await ask('a question to another’s papers', '/query', { question: HOLIDAY, collections: [foreign['collectionId']] })
  await ask('a question to another’s files', '/query', { question: HOLIDAY, documents: foreign['documents'] })
  await ask('a question to another’s team', '/query', { question: 'Write.', preferAgents: [foreign['team']] })
  await ask('a model of another’s team', '/v1/chat/completions', {
    model: foreign['model'],
    messages: [{ role: 'user', content: 'Write.' }],
  })
  await ask('what is decided as its decision', '/hitl/respond', {
    request_id: foreign['approvalId'],
    decision: 'approved',
  })
  const questions = [HOLIDAY, `Who is ${name}?`, `What is 6 times 7, ${name}?`, 'What is my name?', 'What costs lunch?']
  for (const question of questions) {
    await ask(`answer to ${question}`, '/query', { question })
    await ask(`stream of ${question}`, '/query/stream', { question })
    await ask(`chat of ${question}`, '/v1/chat/completions', {
      model: 'auto',
      messages: [{ role: 'user', content: question }],
    })
  }
  return { ...answers, ...(await byMcp(world, as, foreign, name)), ...(await changes(world, as, foreign)) }
}

async function byMcp(world: HttpWorld, as: string, foreign: Ids, name: string): Promise<Answers> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { 'x-test-person': as } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { requestInit }) as Transport)
  const answers: Record<string, string> = {}
  const call = async (tool: string, args: Record<string, unknown>): Promise<void> => {
    const told = await client.callTool({ name: tool, arguments: args })
    answers[`mcp ${tool} ${masked(JSON.stringify(args))}`] = masked(JSON.stringify(told))
  }
  try {
    await call('search_documents', { query: 'holiday' })
    await call('search_documents', { query: name })
    await call('show_run', { runId: foreign['runId'] })
    await call('ask', { question: HOLIDAY })
  } finally {
    await client.close()
  }
  return answers
}
