import o200k from 'js-tiktoken/ranks/o200k_base'
import { expect, it } from 'vitest'
import { vocabularyOf } from './vocabulary.ts'

/** The same lookup with a plain map. */
function mapOf(lines: string): Map<string, number> {
  const ranks = new Map<string, number>()
  for (const line of lines.split('\n')) {
    const [, first, ...tokens] = line.split(' ')
    for (const [i, token] of tokens.entries()) ranks.set(token, Number(first) + i)
  }
  return ranks
}

it('has the rank of every token, and of nothing else', () => {
  const vocabulary = vocabularyOf(o200k.bpe_ranks)
  const map = mapOf(o200k.bpe_ranks)
  expect(map.size).toBe(199_998)
  const wrong: string[] = []
  for (const [token, rank] of map) {
    if (vocabulary.rankOf(token) !== rank) wrong.push(token)
    // Prefixes, suffixes and extensions of a token, which may be tokens or not.
    for (const near of [token.slice(0, -1), token.slice(1), `${token}=`, `${token} `, token.toLowerCase()])
      if (vocabulary.rankOf(near) !== map.get(near)) wrong.push(near)
  }
  expect(wrong).toEqual([])
  expect(vocabulary.rankOf('')).toBeUndefined()
})

it.each(['! 0 AAA= AQ== Ag==', '! 0 AAA=\n! 7 AQ== Ag==', '! 3 AAAA'])('reads %j', (lines) => {
  const vocabulary = vocabularyOf(lines)
  for (const [token, rank] of mapOf(lines)) expect([token, vocabulary.rankOf(token)]).toEqual([token, rank])
  for (const other of ['!', '0', '3', '7', '', 'AAAA=', 'AQ=', 'BAAA', '! 0'])
    expect(vocabulary.rankOf(other)).toBeUndefined()
})
