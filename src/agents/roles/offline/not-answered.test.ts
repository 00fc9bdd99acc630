import { expect, it } from 'vitest'
import { agent } from '../../../../test/support/engine-world.ts'
import type { RoleContext } from '../../../core/actor.ts'
import { notAnswered } from './not-answered.ts'

const ctx = { state: { request: {}, jobs: new Map(), usage: { calls: 0 } }, request: { question: 'Why?' }, agents: [] }

const said = (about: object, stopped?: string) =>
  notAnswered({ ...ctx, ...about } as unknown as RoleContext, { summaries: [] }, stopped)

it.each([
  [undefined, 'No agent was chosen for this question, so there is nothing to answer from.'],
  ['The critic failed.', ''],
])('where nobody found anything, and the work was ended since “%s”, says “%s”', (stopped, text) => {
  expect(said({}, stopped)).toMatchObject({ text, isAnswered: false })
})

const files = agent('mcp_agent_files', async () => ({}), {
  tools: ['write_file', 'read_file'].map((name) => {
    return { name: `mcp:files/${name}`, description: '', effect: name === 'read_file' ? 'read' : 'irreversible' }
  }),
})
it.each<[string, readonly object[], string]>([
  ['read weather city=Berlin', [], 'No MCP server is connected, so there is no tool to call.'],
  ['Please read weather city=Berlin', [files], 'Tools that are connected: read_file, write_file.'],
  ['read_file path=a.txt', [files], ''],
  ['How is the weather in Berlin?', [files], ''],
  ['read weather city=Berlin', [{ ...files, tools: [], unavailable: 'It is down.' }], 'It is down.'],
])('of “%s” names the tools that there are (%#)', (question, agents, text) => {
  expect(said({ request: { question }, agents }, 'It stopped.').text).toBe(text)
})

it.each([
  ['Wie lange ist die Kündigungsfrist?', false],
  ['How long is the notice period?', true],
])('of “%s”, the nearest passage is shown: %s', (question, isShown) => {
  const nearest = { place: 'contract.txt', text: 'Either party may end it.' }
  const error = { type: 'PlanningDeclined', message: 'no passage answers this for certain' }
  const result = { agent: 'rag', status: 'failed', error, data: { nearest } }
  const job = { key: 'rag', actor: 'rag', status: 'failed', task: { id: 'rag', agent: 'rag' }, result }
  const state = { request: {}, jobs: new Map([['rag', job]]), usage: { calls: 0 } }
  expect(said({ state, request: { question } }).text.includes(nearest.text)).toBe(isShown)
})
