import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../../core/actor.ts'
import { applyPreferences, heuristicCandidates, missingContext } from './candidates.ts'

function agent(name: string, keywords: readonly string[], more: Partial<Agent> = {}): Agent {
  return { name, description: '', capabilities: [], useCases: [], keywords, run: async () => ({}), ...more }
}

/** The three agents of SPEC P3 with their keywords, as they declare them. */
const SQL = 'table tables list show top per group average sum count trend breakdown report'.split(' ')
const COMPUTATION = [
  ...'calculate difference ratio project simulate compute forecast estimate compare percent'.split(' '),
  'what is',
]
const API = ['api', 'endpoint', 'route', 'http', '/api/', 'get /', 'post /', 'put /', 'delete /', 'patch /']
const AGENTS = [
  agent('computation', COMPUTATION, { planning: { rank: 30, rivals: ['sql'] } }),
  agent('sql', SQL, { planning: { rank: 20, rivals: ['computation'], isDefault: true } }),
  agent('api', [...API, 'status code', 'request body'], { planning: { rank: 10, rivals: ['sql', 'computation'] } }),
]

/** The rule of SPEC P3, written a second way. */
function ruleOfP3(question: string): string[] {
  const lowered = question.toLowerCase()
  const score = (name: string): number =>
    AGENTS.find((one) => one.name === name)!.keywords.filter((keyword) => lowered.includes(keyword)).length
  const [sql, computation, api] = [score('sql'), score('computation'), score('api')]
  const order: string[] = []
  if (api >= Math.max(sql, computation) && api > 0) order.push('api')
  if (sql >= computation && sql > 0) order.push('sql')
  if (computation >= sql && computation > 0) order.push('computation')
  return order.length === 0 ? ['sql'] : order
}

describe('heuristic candidates', () => {
  it.each([
    ['List all tables in the database', ['sql']],
    ['Calculate the ratio of A to B', ['computation']],
    ['Which endpoint returns the status code?', ['api']],
    ['Show the top API endpoints', ['api', 'sql']],
    ['Compare the count', ['sql', 'computation']],
    ['Good morning', ['sql']],
    ['SHOW THE REPORT', ['sql']],
  ])('%s → %j', (question, expected) => {
    expect(heuristicCandidates(question, AGENTS)).toEqual(expected)
  })

  it('follows SPEC P3 for any mixture of keywords', () => {
    const words = fc.constantFrom(...AGENTS.flatMap((one) => [...one.keywords]), 'hello', 'Brazil')
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), (chosen) => {
        const question = chosen.join(' ')
        expect(heuristicCandidates(question, AGENTS)).toEqual(ruleOfP3(question))
      }),
      { numRuns: 2_000 },
    )
  })

  it('plans a new agent by its own declaration, with no edit here', () => {
    const weather = agent('weather', ['rain', 'snow'])
    expect(heuristicCandidates('Will it rain or snow?', [...AGENTS, weather])).toEqual(['weather'])
    expect(heuristicCandidates('List the tables', [...AGENTS, weather])).toEqual(['sql'])
  })
})

describe('preferences', () => {
  it.each([
    { candidates: ['sql', 'api'], prefer: ['api'], disable: [], expected: ['api', 'sql'] },
    { candidates: ['sql', 'api'], prefer: [], disable: ['sql'], expected: ['api'] },
    { candidates: ['sql'], prefer: ['api'], disable: ['api'], expected: ['sql'] },
    { candidates: ['sql'], prefer: ['computation', 'computation'], disable: [], expected: ['computation', 'sql'] },
    { candidates: ['sql'], prefer: [], disable: ['sql'], expected: [] },
    { candidates: ['a', 'b', 'c'], prefer: ['c', 'a'], disable: [], expected: ['c', 'a', 'b'] },
  ])('$candidates with $prefer without $disable → $expected', ({ candidates, prefer, disable, expected }) => {
    expect(applyPreferences(candidates, prefer, disable)).toEqual(expected)
  })
})

it('knows which context an agent still needs', () => {
  const api = agent('api', [], { requiredContext: ['api_base_url|base_url', 'tenant'] })
  expect(missingContext(api, {})).toEqual(['api_base_url|base_url', 'tenant'])
  expect(missingContext(api, { base_url: 'http://x', tenant: 't' })).toEqual([])
})
