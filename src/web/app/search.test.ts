import { expect, it } from 'vitest'
import { listOf, searchAs, searchIn, searchTexts } from './search.ts'

it('keeps the query string of an address, whatever it contains', () => {
  for (const agent of [['a,b'], ['plan', 'master-plan'], ['a&b=c', '["x"]', '7']]) {
    const found = searchIn(searchAs({ agent, model: 'a,b', search: '', from: undefined }))
    expect({ ...listOf('agent')(found), ...searchTexts(['model', 'search', 'from'])(found) }).toEqual({
      agent,
      model: 'a,b',
    })
  }
  expect(searchAs({ agent: [] })).toBe('')
  expect(searchTexts(['tab'])(searchIn('?tab=a&tab=b'))).toEqual({ tab: 'b' })
  expect(listOf('agent')(searchIn(''))).toEqual({})
  // An empty text is as one that is not there.
  expect(listOf('agent')(searchIn('?agent=&agent=sql'))).toEqual({ agent: ['sql'] })
  expect({ ...listOf('agent')(searchIn('?agent=')), ...searchTexts(['tab'])(searchIn('?tab=')) }).toEqual({})
})
