import { expect, test } from 'vitest'
import { wordDiff, type Piece } from './word-diff.ts'

const whole = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')
const shared = (pieces: readonly Piece[]): string[] =>
  pieces.flatMap(({ text, isShared }) => (isShared ? text.split(/\s+/).filter(Boolean) : []))

/** The length of the longest sequence that both have, tried out. */
function longest(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0
  const [[first, ...rest], at] = [a as [string, ...string[]], b.indexOf(a[0]!)]
  const without = longest(rest, b)
  return at < 0 || first === undefined ? without : Math.max(without, 1 + longest(rest, b.slice(at + 1)))
}

test('both texts stay complete, and their common part is the longest possible', () => {
  let seed = 7
  const next = (n: number): number => (seed = (seed * 48_271) % 2_147_483_647) % n
  const text = (): string => Array.from({ length: next(8) }, () => 'abc'[next(3)]).join(' ')
  for (let round = 0; round < 500; round++) {
    const [a, b] = [text(), text()]
    const [left, right] = wordDiff(`${a} `, `${b} `)
    expect([whole(left), whole(right)]).toEqual([`${a} `, `${b} `])
    expect(shared(left)).toEqual(shared(right))
    expect(shared(left)).toHaveLength(longest(a.split(' ').filter(Boolean), b.split(' ').filter(Boolean)))
  }
})
