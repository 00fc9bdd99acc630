import { onlyOf } from '../../core/only.ts'
import { entitySpokenOf } from './parser.ts'
import { ARRIVED, DONE, DONE_VERBS, SENT } from '../../terms/vocabulary.ts'
import { isDate, isNumeric, type Attribute, type Entity } from '../../terms/catalogue.ts'
import type { Parser, Rule } from './parser.ts'
import { addCondition, anchored, isForm, phraseAt, skip, subjectEntity, word } from './parser.ts'
import { attributeAt } from './named-things.ts'
import { operatorAt } from './rules-comparison.ts'
import type { Comparison } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { datePairs, type DatePair } from '../../terms/dates.ts'
import { sameWord } from '../../terms/words.ts'

/** `below their reorder level`, `whose cost is above the list price`: one column against another of the same row. */
export const columnsRule: Rule = (p) => {
  const found = operatorAt(p, p.at)
  if (found === undefined) return false
  const { op } = found
  const at = skip(p, p.at + found.length, 'the their its a')
  const match = attributeAt(p, at)
  const owner = entitySpokenOf(p)
  const right = match?.candidates.find((c) => c.attribute.entity === owner)?.attribute
  if (match === undefined || owner === undefined || right === undefined || !isNumeric(right)) return false
  const left = leftColumn(p, owner, right)
  addCondition(p, { kind: 'columns', left, op, right, home: owner, ...anchored(p) })
  p.at = at + match.length
  return true
}

/** The column named before; else what a level for reordering is compared with: the stock. */
function leftColumn(p: Parser, owner: Entity, right: Attribute): Attribute {
  const named = p.reading.selected.at(-1)?.candidates.find((c) => c.attribute.entity === owner)?.attribute
  if (named !== undefined && named !== right && isNumeric(named)) {
    p.reading.selected.pop()
    return named
  }
  const isLevel = right.words.some((w) => /^(reorder|minimum|min|safety|threshold)$/.test(w))
  const isStock = (a: Attribute): boolean =>
    isNumeric(a) && a !== right && a.words.some((w) => /^(stock|inventory|hand)$/.test(w))
  const stock = isLevel ? onlyOf(owner.attributes.filter(isStock)) : undefined
  if (stock !== undefined) return stock
  return refuse(
    `I do not see what should be compared with ${right.words.join(' ')}. Please name the column, as in “whose … is below the ${right.words.join(' ')}”.`,
  )
}

const DUE = /^(required|due|promised|expected|deadline|estimated|planned|scheduled)$/

/** `delivered late`, `shipped on time`, `late orders`: two dates, the one that was and the one that should have been. */
export const lateRule: Rule = (p) => {
  const at = skip(p, p.at, 'too very')
  const isVerb = /^(late|on)$/.test(word(p, at + 1)) && /(ed|sent|came|come)$/.test(word(p, at))
  const start = isVerb ? at + 1 : at
  const onTime = phraseAt(p, start, ['on time', 'in time'])
  const late = phraseAt(p, start, ['late', 'too late', 'after the required date', 'after the due date'])
  if (late === undefined && onTime === undefined) return false
  if (p.tokens.slice(Math.max(0, p.at - 3), start).some((t) => /^(not|never|\w+n['’]t)$/.test(t.lower)))
    return refuse('“Not on time” can mean late, or not there yet. Please ask for what came late, or on time.')
  const pair = datesOf(p)
  // “what percentage of delivered orders came late”: the share is about what is late.
  if (p.reading.share) p.reading.shareFrom = p.reading.shareFrom ?? p.reading.conditions.length
  const op: Comparison = late === undefined ? '<=' : '>'
  addCondition(p, { kind: 'columns', left: pair.from, op, right: pair.to, home: pair.home, ...anchored(p) })
  p.at = start + (late ?? onTime ?? { length: 1 }).length
  return true
}

function datesOf(p: Parser): DatePair {
  const subject = p.clause?.entity ?? subjectEntity(p) ?? p.names.entitiesAt(p.at + 1)[0]?.entity
  const near = subject?.edges.filter((e) => e.to !== subject && !e.to.junction).map((e) => e.to) ?? []
  const done = [subject, ...near].flatMap((e) => e?.attributes.filter(isDone) ?? [])
  const due = [subject, ...near].flatMap((e) => e?.attributes.filter(isDue) ?? [])
  const verbs = p.tokens.filter((_, i) => isForm(p, i, DONE_VERBS))
  const named = done.filter((d) => verbs.some((v) => d.words.some((w) => sameWord(w, v.lower))))
  const pairs = datePairs(
    named.length > 0 ? named : done.filter((d) => d.words.some((w) => ARRIVED.test(w))),
    due,
  ).filter(({ from, to, home }) => {
    if (from.entity !== home || (home !== subject && to.entity !== subject)) return false
    // When a ticket was closed has nothing to do with when its order was due.
    return to.entity === home || from.words.some((w) => SENT.test(w))
  })
  return (
    onlyOf(pairs) ??
    refuse(
      pairs.length === 0
        ? 'I do not know what “late” is measured by. Please compare two dates by name, such as delivered and due.'
        : `“late” could be about ${listed(pairs.map((d) => `${d.from.column.name} and ${d.to.column.name}`))}. Please say which.`,
    )
  )
}

function isDue(attribute: Attribute): boolean {
  return isDate(attribute) && attribute.words.some((w) => DUE.test(w))
}

function isDone(attribute: Attribute): boolean {
  return isDate(attribute) && !isDue(attribute) && DONE.test(attribute.words[0] ?? '')
}
