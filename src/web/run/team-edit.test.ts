import { expect, test } from 'vitest'
import {
  toName,
  changeMember,
  removeDependency,
  setTool,
  possibleMembersBefore,
  addDependency,
  addMember,
  removeMember,
  type Team,
} from './team-edit.ts'

const member = (name: string, after: string[] = [], tools: string[] = []) => ({
  name,
  purpose: 'P.',
  tools,
  task: 'T.',
  after,
})
const team: Team = {
  name: 'desk',
  purpose: 'Looks.',
  keywords: [],
  useCases: [],
  strategy: 'graph',
  agents: [member('finder', [], ['run_sql']), member('judge', ['finder']), member('writer', ['judge'])],
  checks: [{ question: 'Well?', contains: [] }],
}
const afters = ({ agents }: Team) => agents.map(({ name, after }) => [name, after])

test('the order follows a new name, a removal and a connection, without cycles', () => {
  expect(afters(changeMember(team, 0, { name: 'seeker' }))).toEqual([
    ['seeker', []],
    ['judge', ['seeker']],
    ['writer', ['judge']],
  ])
  expect(afters(removeMember(team, 1))).toEqual([
    ['finder', []],
    ['writer', ['finder']],
  ])
  expect(addDependency(team, 0, 2)).toBe(team)
  expect(afters(addDependency(team, 2, 0))[2]).toEqual(['writer', ['judge', 'finder']])
  expect(possibleMembersBefore(team, 2)).toEqual(['finder'])
  expect(possibleMembersBefore(team, 0)).toEqual([])
  expect(afters(removeDependency(team, 2, 'judge'))[2]).toEqual(['writer', []])
})

test('a fixed call is removed with its tool, and a new member gets a unique name', () => {
  const called = changeMember(team, 0, { call: { tool: 'run_sql', input: {} } })
  expect(setTool(called, 0, 'call_api', true).agents[0]).toMatchObject({
    tools: ['run_sql', 'call_api'],
    call: { tool: 'run_sql' },
  })
  expect(setTool(called, 0, 'run_sql', false).agents[0]).toEqual(member('finder'))
  expect(setTool(team, 9, 'run_sql', true)).toBe(team)
  const twice = addMember(changeMember(addMember(team), 3, { name: 'member-5' }))
  expect(twice.agents.map(({ name }) => name)).toEqual(['finder', 'judge', 'writer', 'member-5', 'member-6'])
})

test('a name is derived from typed text, with valid characters', () => {
  expect(['Überfällige Großkunden', 'Büro-2'].map(toName)).toEqual(['uberfallige_grosskunden', 'buro-2'])
})
