import { describe, expect, it } from 'vitest'
import type { Agent } from '../../../core/actor.ts'
import { applyPreferences, missingContext } from './candidates.ts'

function agent(name: string, keywords: readonly string[], more: Partial<Agent> = {}): Agent {
  return { name, description: '', capabilities: [], useCases: [], keywords, run: async () => ({}), ...more }
}

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
