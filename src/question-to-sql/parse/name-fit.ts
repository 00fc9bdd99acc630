import type { DatabaseSchema } from '../../databases/schema.ts'
import type { LinkOptions } from '../types.ts'
import { MONEY_NOUNS } from '../words/lexicon.ts'
import { isGrammarWord } from './grammar-words.ts'
import { knownWords } from './known-words.ts'

/** How well one word of a question is a name in a schema: EXACT, SYNONYM, PARTIAL, or 0 where it is none. */
export interface NameFit {
  readonly word: string
  /** As a table. */
  readonly table: number
  /** As a table or a column; words that say something without a name, such as “total” or “month”, are no columns here. */
  readonly own: number
  /** With words for what came in, such as “revenue”, which may be worked out, or be a table or column. */
  readonly all: number
}

/** The words of a question with how well they are names in the schema: the same words, in the same order, for every schema. */
export function nameFit(
  question: string,
  schema: DatabaseSchema,
  { terms, today }: Required<Pick<LinkOptions, 'terms' | 'today'>>,
): readonly NameFit[] {
  const { tokens, names } = knownWords(question, schema, { terms })
  const tables = tokens.map(() => 0)
  const columns = tokens.map(() => 0)
  const raise = (of: number[], at: number, { length, score }: { length: number; score: number }): void => {
    for (let i = at; i < at + length; i++) of[i] = Math.max(of[i] ?? 0, score)
  }
  tokens.forEach((_, at) => {
    for (const match of names.entitiesAt(at)) raise(tables, at, match)
    const column = names.attributesAt(at)
    if (column !== undefined) raise(columns, at, { length: column.length, score: column.candidates[0]?.score ?? 0 })
  })
  return tokens.map(({ text, forms }, at) => {
    const [named, column] = [tables[at]!, columns[at]!]
    const isMoney = MONEY_NOUNS.some((noun) => forms.has(noun))
    const table = isMoney ? 0 : named
    const own = isGrammarWord(tokens, at, today) ? table : Math.max(table, column)
    return { word: text, table, own, all: isMoney ? Math.max(named, column) : own }
  })
}
