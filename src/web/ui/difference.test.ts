import { expect, test } from 'vitest'
import { differenceOf, sideOf, type Piece } from './difference.tsx'

const whole = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')

/** The length of the longest sequence that both have, tried out. */
function longest([first, ...rest]: readonly string[], b: readonly string[]): number {
  if (first === undefined || b.length === 0) return 0
  const at = b.indexOf(first)
  const without = longest(rest, b)
  return at < 0 ? without : Math.max(without, 1 + longest(rest, b.slice(at + 1)))
}

test('both texts stay complete, and their common part is the longest possible', () => {
  let seed = 7
  const next = (n: number): number => (seed = (seed * 48_271) % 2_147_483_647) % n
  const text = (): string => Array.from({ length: next(6) }, () => 'abc'[next(3)]).join(' ')
  for (let round = 0; round < 300; round++) {
    const [a, b] = [text(), text()]
    const pieces = differenceOf(a, b)
    expect([whole(sideOf(pieces, 0)), whole(sideOf(pieces, 1))]).toEqual([a, b])
    // Each word and each space is one character.
    const shared = whole(pieces.filter(({ change }) => change === undefined))
    expect(shared).toHaveLength(longest([...a], [...b]))
  }
})
