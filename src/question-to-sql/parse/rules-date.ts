import { given } from '../../core/given.ts'
import { tellsTime, type Attribute } from '../../terms/catalogue.ts'
import { dateAt } from '../words/dates.ts'
import { addCondition, anchored, subjectEntity, word, type Parser, type Rule } from './parser.ts'
import { tellsOf } from '../../terms/dates.ts'
import { isDatedLater } from './named-things.ts'
import { addFlag } from './rules-flag.ts'
import { isParticiple } from '../../terms/words.ts'

/** `in 2023`, `hired before 2003`, `shipped to Peru in 1998`: the time of what happened, where a column holds it. */
export const dateRule: Rule = (p) => {
  const here = namesOthers(p) ? undefined : dateVerbAt(p, p.at)
  const start = here === undefined ? p.at : p.at + 1
  const match = dateAt(p.tokens, start, p.today)
  if (match !== undefined) {
    const verb = here ?? verbBefore(p)
    const isState = [...p.values.values()].some(({ text }) => text.toLowerCase() === verb)
    if (isState) p.reading.notes.push(`“${verb}” with a time goes by the date, whatever state the rows are in`)
    addCondition(p, { kind: 'date', range: match.range, ...anchored(p), ...given({ verb }) })
    p.at = start + match.length
    return true
  }
  // “paid invoices issued in 2025”: before its noun it says what they are, and the time is another's.
  if (p.names.entitiesAt(p.at + 1).length > 0 && (p.values.has(p.at) || addFlag(p, p.at, true)))
    return !p.values.has(p.at)
  // The time comes later, and says when this happened: no state that the row may be in by now.
  if (here === undefined || !isDatedLater(p, p.at + 1)) return false
  p.at++
  return true
}

/** `customers ordered in 2024`: the verb stands for rows of another table, which a clause is opened for. */
function namesOthers(p: Parser): boolean {
  const [match] = isParticiple(word(p, p.at)) ? p.names.entitiesAt(p.at) : []
  const subject = subjectEntity(p)
  return match !== undefined && subject !== undefined && match.entity !== subject && p.clause === undefined
}

/** The verb behind the noun that the time is about, with words between them. */
function verbBefore(p: Parser): string | undefined {
  for (let at = p.at - 1; at > 0 && p.tokens[at]?.kind !== 'comma'; at--) {
    const verb = dateVerbAt(p, at)
    if (verb !== undefined && p.names.entitiesAt(at + 1).length === 0) return verb
    if (p.names.entitiesAt(at).length > 0 && !p.values.has(at)) return undefined
  }
  return undefined
}

/** A verb that names a date column of a table spoken of: `hired` for `HireDate`. */
export function dateVerbAt(p: Parser, at: number): string | undefined {
  const token = p.tokens[at]
  if (
    token === undefined ||
    token.kind !== 'word' ||
    p.used.has(at) ||
    !(isParticiple(token.lower) || /(ing|due)$/.test(token.lower))
  )
    return undefined
  const owners = [p.clause?.entity, p.anchor?.entity, subjectEntity(p), p.sales.header?.entity]
  const isNamed = (a: Attribute): boolean => tellsTime(a) && a.words.some((w) => tellsOf(w, token.lower))
  return owners.some((owner) => owner?.attributes.some(isNamed)) ? token.lower : undefined
}
