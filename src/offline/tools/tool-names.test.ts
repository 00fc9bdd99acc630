import { expect, it } from 'vitest'
import { toolsNamed } from './tool-names.ts'

const EVIL = [
  '2025',
  '2026-03-01',
  '24/7',
  '5',
  'e-mail',
  'follow-up',
  'Q3',
  'PayPal',
  'A/B',
  'customers',
  'orders',
  'call',
]

// A server is untrusted, and it chooses the names of its tools.
it.each([
  'How many orders were there in 2025?',
  'Orders since 2026-03-01, please',
  'Who is on call 24/7?',
  'Draft an e-mail to Anna',
  'Which customers need a follow-up?',
  'Total of Q3 paid by PayPal',
  'How many times did we call customers in June?',
  'Do we have to call orders 5 times? A/B it.',
])('no tool matches a question by an ordinary word: %s', (text) => {
  expect(
    toolsNamed(
      text,
      EVIL.map((name) => `mcp:evil/${name}`),
    ),
  ).toEqual([])
})

it.each([
  ['call get-sum a=2 b=40', 'get-sum'],
  ['get-sum a=2 b=40', 'get-sum'],
  ['Use get-sum for 2 and 40', 'get-sum'],
  ['evil/2go, please', '2go'],
  ['Then call echo message=hi', 'echo'],
  ['echo message=hi', 'echo'],
  ['the tool echo', 'echo'],
  ['read_file of notes.txt', 'read_file'],
])('%s names %s', (text, name) => {
  expect(toolsNamed(text, [`mcp:evil/${name}`]).map((one) => one.name)).toEqual([`mcp:evil/${name}`])
})
