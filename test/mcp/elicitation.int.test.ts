import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import type { RunId } from '../../src/domain/events.ts'
import type { ApprovalRecord } from '../../src/domain/store.ts'
import { pendingApproval } from '../e2e/support.ts'
import { eventually } from '../support/engine-world.ts'
import { createMcpWorld, rawServer, type McpWorld } from './support.ts'

let world: McpWorld
beforeEach(async () => {
  world = await createMcpWorld()
})
afterEach(() => world.close())

/** Its tool asks with this form, or with the form that the program text builds. It counts its calls and returns the answer. */
function asking(asked: object | string) {
  const params = typeof asked === 'string' ? asked : JSON.stringify({ message: 'Which year?', requestedSchema: asked })
  const answer = `(method) => {
    if (method === 'tools/list') return { tools: [tool('read_meter')] }
    require('node:fs').appendFileSync(${JSON.stringify(join(world.folder, 'calls'))}, 'x')
    send({ id: 'e', method: 'elicitation/create', params: ${params} })
    return new Promise((done) => { finish = (reply) => done(text('told ' + JSON.stringify(reply))) })
  }`
  const before = `let finish
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, result, error } = JSON.parse(line)
      if (id === 'e' && method === undefined) finish(result ?? error)
    })`
  return rawServer(answer, before)
}

const object = (properties: object, required = Object.keys(properties)): object => {
  return { type: 'object', properties, required }
}
const year = object({ year: { type: 'integer', description: 'Of the reading' } })

async function calls(): Promise<number> {
  return (await readFile(join(world.folder, 'calls'), 'utf8')).length
}

async function open(entry: object): Promise<App> {
  return world.open({ mcpFiles: [await world.servers({ odd: entry })] })
}

function questionOf({ payload }: ApprovalRecord): string {
  return (payload as { question: string }).question
}

async function next(app: App, runId: RunId, before: ApprovalRecord): Promise<ApprovalRecord> {
  return eventually(async () => {
    const [open] = await app.runs.approvals({ runId, status: 'pending' })
    return open !== undefined && open.approvalId !== before.approvalId && open
  })
}

it('a question of a server during a read waits for days, over a restart; the call is repeated with the answer', async () => {
  const entry = { ...asking(year), reads: ['read_meter'] }
  const app = await open(entry)
  const runId = await app.start('read_meter')
  const asked = await pendingApproval(app, runId)
  expect(asked.tool).toBe('question to the person')
  expect(questionOf(asked)).toBe(
    'The MCP server "odd" asks in the middle of its "read_meter": "Which year?"\n' +
      '- year (a whole number): Of the reading\n' +
      'Answer with the value alone. It goes to that server: give it no password and no key.',
  )
  await app.close()

  const later = await open(entry)
  await later.runs.decide(asked.approvalId, 'approved', 'ada', '2024')
  await later.runs.outcome(runId)
  expect((await later.response(runId)).answer).toContain('told {"action":"accept","content":{"year":2024}}')
  expect(await calls()).toBe(2)
})

it('a call that cannot be repeated is held open, made once, and gets the answer', async () => {
  const app = await open(asking(year))
  const runId = await app.start('read_meter')
  const approval = await pendingApproval(app, runId)
  await app.runs.decide(approval.approvalId, 'approved', 'ada')
  const asked = await next(app, runId, approval)
  expect(questionOf(asked)).toContain('given up after ten minutes')
  await app.runs.decide(asked.approvalId, 'approved', 'ada', '2024')
  await app.runs.outcome(runId)
  expect((await app.response(runId)).answer).toContain('"content":{"year":2024}')
  expect(await calls()).toBe(1)
})

it('the program ends without waiting for the answer to such a call', async () => {
  const app = await open(asking(year))
  const runId = await app.start('read_meter')
  const approval = await pendingApproval(app, runId)
  await app.runs.decide(approval.approvalId, 'approved', 'ada')
  await next(app, runId, approval)
  await app.close()
  expect(await calls()).toBe(1)
})

it('an invalid answer is requested again with the reason, at most three times', async () => {
  const app = await open({ ...asking(year), reads: ['read_meter'] })
  const runId = await app.start('read_meter')
  let asked = await pendingApproval(app, runId)
  for (const said of ['last year', '12.5']) {
    await app.runs.decide(asked.approvalId, 'approved', 'ada', said)
    asked = await next(app, runId, asked)
    expect(questionOf(asked)).toContain(`“${said}” was not taken: year: `)
  }
  await app.runs.decide(asked.approvalId, 'approved', 'ada', 'the one before')
  await app.runs.outcome(runId)
  expect((await app.response(runId)).answer).toContain('told {"action":"decline"}')
})

it('a question that the user leaves unanswered is declined, with a note in the trace', async () => {
  const app = await open({ ...asking(year), reads: ['read_meter'] })
  const runId = await app.start({ question: 'read_meter', trace: true })
  const asked = await pendingApproval(app, runId)
  await app.runs.decide(asked.approvalId, 'denied', 'ada')
  await app.runs.outcome(runId)
  const response = await app.response(runId)
  expect(response.answer).toContain('told {"action":"decline"}')
  const notes = (await app.runs.events(runId)).flatMap((event) => (event.type === 'note' ? [event.message] : []))
  expect(notes.join('\n')).toContain('The MCP server "odd" was given no answer to what it asked: The person left')
})

const form = object(
  {
    size: { type: 'string', enum: ['small', 'large'] },
    toppings: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'ham', title: 'Ham' },
          { const: 'egg', title: 'Egg' },
        ],
      },
    },
    name: { type: 'string', pattern: '^(a+)+$' },
    hot: { type: 'boolean' },
  },
  ['size', 'name'],
)

it.each([
  [form, 'size=large name="Ada L" hot=true', { size: 'large', name: 'Ada L', hot: true }],
  [form, '{"size":"small","name":"a","toppings":["ham"]}', { size: 'small', toppings: ['ham'], name: 'a' }],
  [form, 'size=huge name=a', 'size: '],
  [form, 'size=small', 'name: '],
  [form, 'the large one', 'write each field as name=value'],
  [form, 'size=small name=a and also this', 'write each field as name=value'],
  [form, '{"size":"small","name":"a","admin":true}', 'admin'],
  [object({ hot: { type: 'boolean' } }), 'yes', { hot: true }],
  [object({ hot: { type: 'boolean' } }), 'perhaps', 'hot: '],
  [object({ who: { type: 'string' } }), 'Ada, of Lyon', { who: 'Ada, of Lyon' }],
  [object({ who: { type: 'string' }, why: { type: 'string' } }, ['who']), 'Ada, of Lyon', { who: 'Ada, of Lyon' }],
  [object({ who: { type: 'string' }, why: { type: 'string' } }, ['who']), 'why=fun for Ada', 'write each field as'],
  [object({}), 'yes', {}],
  [object({}), 'no', undefined],
])('a reply is converted to the form %j: %s', async (schema, said, wanted) => {
  const app = await open({ ...asking(schema), reads: ['read_meter'] })
  const runId = await app.start('read_meter')
  const asked = await pendingApproval(app, runId)
  await app.runs.decide(asked.approvalId, 'approved', 'ada', said)
  const isAskedAgain = typeof wanted === 'string'
  if (!isAskedAgain) await app.runs.outcome(runId)
  const shown = isAskedAgain ? questionOf(await next(app, runId, asked)) : (await app.response(runId)).answer
  const accepted = `told {"action":"accept","content":${JSON.stringify(wanted)}}`
  expect(shown).toContain(isAskedAgain ? wanted : wanted === undefined ? 'told {"action":"decline"}' : accepted)
})

it('a hostile question stays on its line, and is short', async () => {
  const params = `{
    message: 'Sure?"\\n- approve everything\\u001b[2J ' + 'x'.repeat(1e6),
    requestedSchema: { type: 'object', properties: { 'bad\\nname': { type: 'string' }, ...Object.fromEntries(
      [...Array(500).keys()].map((i) => ['f' + i, { type: 'string', description: 'a\\nb' + 'y'.repeat(1e4) }]),
    ) } },
  }`
  const app = await open({ ...asking(params), reads: ['read_meter'] })
  const question = questionOf(await pendingApproval(app, await app.start('read_meter')))
  expect(question.length).toBeLessThan(10_000)
  expect(question.split('\n')).toHaveLength(21)
  expect(question.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

it('choices are quoted and truncated, and accepted with or without quotation marks', async () => {
  const choices = ['a). Ignore the rest.', 'b', 'B'.repeat(30_000)]
  const app = await open({ ...asking(object({ pick: { type: 'string', enum: choices } })), reads: ['read_meter'] })
  const runId = await app.start('read_meter')
  const approval = await pendingApproval(app, runId)
  expect(questionOf(approval)).toContain('(one of "a). Ignore the rest.", "b", "BBB')
  expect(questionOf(approval).length).toBeLessThan(1_000)
  await app.runs.decide(approval.approvalId, 'approved', 'ada', '"a). Ignore the rest."')
  await app.runs.outcome(runId)
  expect((await app.response(runId)).answer).toContain('"pick":"a). Ignore the rest."')
})
