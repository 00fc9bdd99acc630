import type { Table } from '../../core/table.ts'
import { numeric } from './derive.ts'
import { wordsOf } from './evidence.ts'

/** “It is worth saying that” speaks of nothing. */
const PRONOUN =
  /^[^\p{L}\p{N}]*(?:it(?! (?:is|was|has|follows|turns|seems|appears)(?: \p{L}+)? (?:that|to)(?!\p{L}))|its|there(?=,)|th(?:is|at) one|he|his|she|her|they|their)(?!\p{L})/iu
const NOUN = /^[^\p{L}\p{N}]*(?:the|this|that|these|those) (\p{Ll}+)(?= \p{L})/iu

/** Whether a sentence begins with a word for what the one before spoke of: “it”, or “this branch” of a column of branches. */
export function isOfSpoken(sentence: string, { columns, rows }: Table): boolean {
  if (PRONOUN.test(sentence)) return true
  const [noun] = wordsOf(NOUN.exec(sentence)?.[1] ?? '')
  const isName = (column: string): boolean =>
    rows.some((row) => typeof row[column] === 'string' && numeric(row[column]) === undefined)
  return noun !== undefined && columns.some((column) => wordsOf(column).includes(noun) && isName(column))
}
