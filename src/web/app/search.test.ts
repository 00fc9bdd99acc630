import { expect, it } from 'vitest'
import { searchList, searchAs, searchIn, searchTexts } from './search.ts'

it('keeps the query string of an address, whatever it contains', () => {
  for (const agent of [['a,b'], ['plan', 'master-plan'], ['a&b=c', '["x"]', '7']]) {
    const found = searchIn(searchAs({ agent, model: 'a,b', search: '', from: undefined }))
    expect({ ...searchList('agent')(found), ...searchTexts(['model', 'search', 'from'])(found) }).toEqual({
      agent,
      model: 'a,b',
    })
  }
  expect(searchAs({ agent: [] })).toBe('')
  expect(searchTexts(['tab'])(searchIn('?tab=a&tab=b'))).toEqual({ tab: 'b' })
  expect(searchList('agent')(searchIn(''))).toEqual({})
  // An empty text is as one that is not there.
  expect(searchList('agent')(searchIn('?agent=&agent=sql'))).toEqual({ agent: ['sql'] })
  expect({ ...searchList('agent')(searchIn('?agent=')), ...searchTexts(['tab'])(searchIn('?tab=')) }).toEqual({})
})
