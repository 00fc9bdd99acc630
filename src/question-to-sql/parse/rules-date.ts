import { isDate } from '../schema/catalogue.ts'
import type { Attribute } from '../schema/catalogue.ts'
import { dateAt } from '../words/dates.ts'
import type { Parser, Rule } from './parser.ts'
import { addCondition, anchored, subjectEntity } from './parser.ts'
import { sameWord } from '../words/words.ts'

/** `in 2023`, `hired before 2003`, `since March 2024`. */
export const dateRule: Rule = (p) => {
  const verb = dateVerbAt(p, p.at)
  const start = verb === undefined ? p.at : p.at + 1
  const match = dateAt(p.tokens, start, p.today)
  if (match === undefined) return false
  addCondition(p, { kind: 'date', range: match.range, ...anchored(p), ...(verb === undefined ? {} : { verb }) })
  p.at = start + match.length
  return true
}

/** A verb that names a date column of a table spoken of: `hired` for `HireDate`. */
function dateVerbAt(p: Parser, at: number): string | undefined {
  const token = p.tokens[at]
  if (token === undefined || token.kind !== 'word' || !/(ed|ing|born|sold|bought|paid|sent|due)$/.test(token.lower))
    return undefined
  const owners = [p.clause?.entity, p.anchor?.entity, subjectEntity(p), p.sales.header?.entity]
  const isNamed = (a: Attribute): boolean =>
    isDate(a) && a.words.some((w) => !/^(date|at|on|time)$/.test(w) && sameWord(w, token.lower))
  return owners.some((owner) => owner?.attributes.some(isNamed)) ? token.lower : undefined
}
