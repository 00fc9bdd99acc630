import { expect, it } from 'vitest'
import { citesAny, holderIn } from './held.ts'

const TEXTS = [
  'The Osprey winch holds a load of 1,800 kg. Its warranty is 36 months from delivery.',
  'The lease of the warehouse in Bergen ends with a notice period of six months. It is signed by Marte Holm.',
]
const HITS = TEXTS.map((text, ordinal) => ({
  chunk: { chunkId: `${ordinal}`, ordinal, text, start: 0, end: text.length, kind: 'text' as const, tokens: 9 },
  document: { documentId: 'd', name: 'terms.pdf', type: 'pdf' as const },
  score: 1,
}))
const WARRANTY = 'How long is the warranty of the Osprey winch?'
const NOTICE = 'What is the notice period of the lease of the warehouse in Bergen?'

it.each([
  ['ok', WARRANTY, undefined],
  ['Sure, happy to help!', WARRANTY, undefined],
  ['Yes.', WARRANTY, undefined],
  ['The warranty of the Osprey winch.', WARRANTY, undefined],
  ['Thank you for your question about this interesting and important topic.', NOTICE, undefined],
  ['It is 36 months.', WARRANTY, 0],
  ['36 months', WARRANTY, 0],
  ['Six months.', NOTICE, 1],
  ['It was Marte Holm.', 'Who signed the lease?', 1],
  ['Die Kündigungsfrist für das Lager ist ein halbes Jahr, und das steht so in dem Vertrag.', NOTICE, 0],
])('what stands in a passage is its own: %s', (answer, question, holder) => {
  expect(holderIn(answer, question, HITS)).toBe(holder)
})

it.each([
  ['36 months [1].', true],
  ['36 months [3].', false],
  ['36 months [0].', false],
  ['36 months.', false],
])('a number is of a passage that is there: %s', (answer, isCited) => {
  expect(citesAny(answer, HITS)).toBe(isCited)
})
