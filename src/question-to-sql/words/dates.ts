import { periodAtWord, type Period } from '../../language/periods.ts'
import type { Token } from './tokens.ts'

/** The period whose words begin at this token, preposition included, and how many tokens they are. */
export function dateAt(
  tokens: readonly Token[],
  at: number,
  today: string,
): { readonly range: Period; readonly length: number } | undefined {
  const next = tokens.slice(at, at + 16)
  const quoted = next.findIndex((token) => token.kind === 'quoted')
  const words = (quoted < 0 ? next : next.slice(0, quoted)).map((token) => token.text)
  const found = periodAtWord(words, 0, today)
  return found === undefined ? undefined : { range: found.period, length: found.length }
}
