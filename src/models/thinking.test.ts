import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectReply } from './reply.ts'
import { splitThinking } from './thinking.ts'

const shownOf = (deltas: readonly string[]): string => {
  let shown = ''
  const reply = collectReply(true, (text, offset) => {
    shown = shown.slice(0, offset) + text
  })
  for (const delta of deltas) reply.add({ type: 'text-delta', id: '0', delta })
  reply.end()
  return shown
}

test('only the answer of a stream is shown, for any division into chunks', () => {
  const piece = fc.constantFrom('<think>', '</think>', '<th', 'ink>', '</', 'think>', '\n', ' ', 'a', 'word')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      expect(shownOf(pieces)).toBe(splitThinking(pieces.join('')).text)
    }),
    { numRuns: 2_000 },
  )
})
