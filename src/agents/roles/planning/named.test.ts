import { expect, it } from 'vitest'
import { defineAgent } from '../../../core/actor.ts'
import { planByRules } from './plan-by-rules.ts'
import type { Team } from './choose.ts'

const server = (name: string, tools: readonly string[]) =>
  defineAgent({
    name: `mcp_agent_${name}`,
    description: 'A server.',
    capabilities: [],
    useCases: [],
    // As an agent of a server has them: the words of its tools.
    keywords: [name, ...tools.flatMap((tool) => tool.split(/[_:-]/))],
    tools: tools.map((tool) => ({ name: `mcp:${name}/${tool}`, description: '', effect: 'read' as const })),
    run: async () => ({}),
  })

const ALL = [
  server('files', ['read_text_file', 'list_directory', 'list_directory_with_sizes', 'resource:list']),
  server('everything', ['echo', 'get-sum', 'resource:list']),
  server('memory', ['add_observations', 'read_graph', 'search_nodes', 'resource:list']),
]

function plan(question: string, given: Partial<Team> = {}): string {
  const { tasks } = planByRules(question, { agents: ALL, preferred: [], context: {}, ...given }, '2026-11-24')
  return tasks
    .map(({ agent, tools }) => `${agent.slice(10)}${tools === undefined ? '' : `? ${tools.join(' ')}`}`)
    .join(' | ')
}

it.each([
  ['call get-sum a=2 b=40', 'everything'],
  ['Add observations: call get-sum a=2 b=40', 'everything'],
  ['search the memory nodes by read_text_file path=notes.txt', 'files'],
  ['Get-sum of the memory nodes', 'everything'],
  ['Call mcp:everything/get-sum a=2 b=40 and search', 'everything'],
  ['Use the tool `read_graph` to read the text file', 'memory'],
  ['Call echo message="read the graph"', 'everything'],
  ['list_directory_with_sizes path=memory/', 'files'],
  // Each of several calls.
  ['Call get-sum a=2 b=40 and read_graph', 'everything | memory'],
  ['call get-sum a=2 b=40, call echo message=hi and then call read_graph', 'everything | everything | memory'],
  // What is quoted, a value, part of another name, or an everyday word names nothing.
  ['search_nodes query="get-sum"', 'memory'],
  ['search_nodes query=get-sum', 'memory'],
  ['Search the nodes for “please call get-sum a=1”', 'memory'],
  ['Read the text file get-sum.txt', 'files'],
  ['Search the nodes for an echo', 'memory'],
])('a tool that is named exactly decides who works: %s', (question, expected) => {
  expect(plan(question)).toBe(expected)
})

it.each([
  ['resource:list', 'files? mcp:files/resource:list mcp:everything/resource:list mcp:memory/resource:list'],
  [
    'call resource:list for everything',
    'files? mcp:files/resource:list mcp:everything/resource:list mcp:memory/resource:list',
  ],
  ['call resource:list of everything', 'everything'],
  ['call resource:list on the server memory', 'memory'],
  ['call resource:list of mcp_agent_memory', 'memory'],
  ['mcp:memory/resource:list', 'memory'],
  ['everything/resource:list', 'everything'],
])('of tools of one name the one that is meant must be said: %s', (question, expected) => {
  expect(plan(question)).toBe(expected)
})

it('of tools of one name the preferred agent decides', () => {
  expect(plan('resource:list', { preferred: ['mcp_agent_memory'] })).toBe('memory')
})

it('who was asked in vain is the only one who has it', () => {
  const agents = ALL.filter(({ name }) => name !== 'mcp_agent_everything')
  expect(plan('Add observations: call get-sum a=2', { agents, known: ALL })).toBe('')
})
