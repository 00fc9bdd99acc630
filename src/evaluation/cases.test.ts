import { describe, expect, it } from 'vitest'
import { parseCases } from './cases.ts'

const GOOD = '{"question":"How many?","expect":{"number":3}}'

describe('cases', () => {
  it('reads one a line, with numbers of lines for ids', () => {
    const cases = parseCases(
      `${GOOD}\n\n{"id":"b","turns":[{"question":"A"},{"question":"B","expect":{"refusal":true}}]}\r\n`,
      'x',
    )
    expect(cases.map(({ id, turns }) => [id, turns.length])).toEqual([
      ['1', 1],
      ['b', 2],
    ])
    expect(cases[0]!.turns[0]!.expect).toEqual([{ number: [3] }])
  })

  it.each([
    ['{"question":', /^set\.jsonl, line 2: no JSON: /],
    ['[]', /^set\.jsonl, line 2: the case: /],
    ['{"question":"?"}', /line 2: .*set expect next to/],
    ['{"question":"?","expect":{}}', /line 2: expect: name at least one expectation/],
    ['{"question":"?","expect":{"ordered":true}}', /line 2: expect: name at least one expectation/],
    ['{"question":"?","expect":{"numbers":3}}', /line 2: expect\.numbers: unknown field/],
    ['{"question":"?","expect":{"number":"3"}}', /line 2: expect\.number: /],
    ['{"question":"?","expect":[]}', /line 2: expect: /],
    ['{"question":"?","turns":[{"question":"?"}],"expect":{"number":3}}', /line 2: .*either question or turns/],
    ['{"turns":[{"question":"?"}]}', /line 2: .*at least one turn/],
    ['{"question":"?","expect":{"number":3},"sql":"SELECT"}', /line 2: sql: unknown field/],
    ['{"id":"1","question":"?","expect":{"number":3}}', /line 2: the id "1" is that of line 1/],
  ])('refuses %s and names the line', (line, said) => {
    expect(() => parseCases(`${GOOD}\n${line}`, 'set.jsonl')).toThrow(said)
  })

  it('refuses a file without a case', () => {
    expect(() => parseCases('\n', 'set.jsonl')).toThrow('There is no case in set.jsonl.')
  })
})
