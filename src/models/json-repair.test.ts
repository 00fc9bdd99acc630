import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonCandidates, parseJsonAnswer } from './answer.ts'

const first = (text: string): unknown => jsonCandidates(text).next().value

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
  ['trailing commas', 'So: {"a":[1,2, ],"b":",]",\n}', { a: [1, 2], b: ',]' }],
  ['line breaks in a string', '{"a":"x\ny\tz", "b": 1}', { a: 'x\ny\tz', b: 1 }],
  ['a fence in a string of the JSON', '{"a":"```json\\n1\\n```"}', { a: '```json\n1\n```' }],
])('%s', (_name, text, expected) => {
  expect(first(text)).toEqual(expected)
})

test.each([
  ['nothing', ''],
  ['prose', 'I cannot do that.'],
  ['cut off', '{"a":1,"b":[1,2'],
  ['cut off inside a fence', '```json\n{"a":1,'],
  ['not JSON', "{'a': 1}"],
  ['cut off behind a comma', '{"a":1,'],
  ['a comma too many', '{"a":1,,"b":2}'],
])('%s is not repaired to a value', (_name, text) => {
  expect([...jsonCandidates(text)]).toEqual([])
})

test('later values are offered too, in order, so that a citation does not hide the answer', () => {
  expect([...jsonCandidates('As [1] says: {"a":1} and {"b":2}')]).toEqual([[1], { a: 1 }, { b: 2 }])
})

test('any JSON is found unchanged in any surrounding text', () => {
  const around = fc.string().map((text) => text.replace(/[[\]{}"`\\]/g, ''))
  const value = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))
  fc.assert(
    fc.property(value, around, around, (value, before, after) => {
      const json = JSON.stringify(value)
      expect(first(`${before}x${json}${after}x`)).toEqual(JSON.parse(json))
      expect(first(`${before}x\n\`\`\`json\n${json}\n\`\`\`\n${after}`)).toEqual(JSON.parse(json))
    }),
  )
})

test('a truncated object is never returned as complete', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.integer(), { minKeys: 1 }), fc.nat(), (value, at) => {
      const json = JSON.stringify(value)
      const cut = json.slice(0, 1 + (at % (json.length - 1)))
      expect([...jsonCandidates(cut)].filter((candidate) => !Array.isArray(candidate))).not.toContainEqual(value)
    }),
  )
})

// Quadratic time would exceed the time limit of a test.
test('hostile text is rejected in time', () => {
  expect([...jsonCandidates('[{"a":'.repeat(200_000))]).toEqual([])
  expect([...jsonCandidates('```'.repeat(100_000))]).toEqual([])
  expect([...jsonCandidates(`{"${'\\"'.repeat(200_000)}`)]).toEqual([])
})

test.each(['{"city": "Bonn", "at": {"day": 1};}', '```json\n{"city": "Bonn", "at": {"day": 1};}\n```'])(
  '%j is reported as invalid JSON with its position, not by the missing fields of a fragment',
  async (text) => {
    const read = await parseJsonAnswer(text, z.object({ city: z.string(), at: z.object({ day: z.number() }) }))
    expect(read).toMatchObject({ ok: false, fault: expect.stringMatching(/^it is no valid JSON: .*position 33/) })
  },
)
