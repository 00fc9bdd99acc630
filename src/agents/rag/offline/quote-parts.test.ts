import { expect, it } from 'vitest'
import { quotesInThread } from './quote-parts.ts'

const SENTENCE = 'The driver who delivers order 4711 on 3 March 2024 to the depot in Bergen signs for 250 pallets. '
const TEXT = SENTENCE.repeat(40)
const HIT = {
  chunk: { chunkId: 'c', ordinal: 0, text: TEXT, start: 0, end: TEXT.length, kind: 'text' as const, tokens: 900 },
  document: { documentId: 'd', name: 'log.txt', type: 'txt' as const },
  score: 1,
}

it('quotes passages for a pasted text without blocking the event loop', async () => {
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const question = `Which driver signs? ${'2026-11-28 ERROR order 7 failed after 3000 ms. '.repeat(80)}`
  const { hits } = await quotesInThread(question, [HIT])
  isDone = true
  expect(hits).toHaveLength(1)
  expect(turns).toBeGreaterThan(50)
})
