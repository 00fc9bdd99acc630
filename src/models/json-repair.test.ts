import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonCandidates } from './answer.ts'

test.each([
  ['plain', '{"a":1}', { a: 1 }],
  ['with space around', '\n  {"a":1}\n', { a: 1 }],
  ['a scalar', '"x"', 'x'],
  ['fenced with a language', '```json\n{"a":1}\n```', { a: 1 }],
  ['fenced without one, Windows line ends', '```\r\n{"a":1}\r\n```', { a: 1 }],
  ['fenced inside text', 'Here:\n```JSON\n{"a":1}\n```\nBye {x}', { a: 1 }],
  ['text before', 'Sure! {"a":1}', { a: 1 }],
  ['text after, with braces', '{"a":1} hope {that} helps', { a: 1 }],
  ['brackets and quotes in strings', 'x {"a":"}]\\"{"} y', { a: '}]"{' }],
  ['an apostrophe before', `I don't know: {"a":1}`, { a: 1 }],
  ['nested', 'x {"a":[{"b":{}}]}', { a: [{ b: {} }] }],
  ['a fence in a string of the JSON', '{"a":"```json\\n1\\n```"}', { a: '```json\n1\n```' }],
])('%s', (_name, text, expected) => {
  expect(jsonCandidates(text)[0]).toEqual(expected)
})

test.each([
  ['nothing', ''],
  ['prose', 'I cannot do that.'],
  ['cut off', '{"a":1,"b":[1,2'],
  ['cut off inside a fence', '```json\n{"a":1,'],
  ['not JSON', "{'a': 1}"],
  ['a comma too many', '{"a":1,,"b":2}'],
])('%s is not repaired to a value', (_name, text) => {
  expect(jsonCandidates(text)).toEqual([])
})

test('later values are offered too, in order, so that a citation does not hide the answer', () => {
  expect(jsonCandidates('As [1] says: {"a":1} and {"b":2}')).toEqual([[1], { a: 1 }, { b: 2 }])
})

test('any JSON is found unchanged in any surrounding text', () => {
  const around = fc.string().map((text) => text.replace(/[[\]{}"`\\]/g, ''))
  const value = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))
  fc.assert(
    fc.property(value, around, around, (value, before, after) => {
      const json = JSON.stringify(value)
      expect(jsonCandidates(`${before}x${json}${after}x`)[0]).toEqual(JSON.parse(json))
      expect(jsonCandidates(`${before}x\n\`\`\`json\n${json}\n\`\`\`\n${after}`)[0]).toEqual(JSON.parse(json))
    }),
  )
})

// Quadratic time would exceed the time limit of a test.
test('hostile text is rejected in time', () => {
  expect(jsonCandidates('[{"a":'.repeat(200_000))).toEqual([])
  expect(jsonCandidates('```'.repeat(100_000))).toEqual([])
  expect(jsonCandidates(`{"${'\\"'.repeat(200_000)}`)).toEqual([])
})
