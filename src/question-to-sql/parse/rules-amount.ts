import { onlyOf } from '../../core/only.ts'
import { NOUN_OF } from '../../terms/vocabulary.ts'
import { amountOf, asMatch, netAmountOf } from '../../terms/amounts.ts'
import { isMoney, type Attribute, type Entity } from '../../terms/catalogue.ts'
import { isForm, phraseAt, word, type Parser, type Rule } from './parser.ts'
import { listed, refuse } from '../refusal.ts'
import { sameWord, singular } from '../../terms/words.ts'

/** Is each such row an amount by itself: a payment, a refund? */
export function isAmountNoun(noun: string): boolean {
  return Object.values(NOUN_OF).includes(noun.split(' ').at(-1) ?? '')
}

export interface VerbAmount {
  readonly attribute: Attribute
  /** Where the verb stands. */
  readonly at: number
}

/** `how much did we invoice`, `how much was refunded`: the amount of what the verb made. */
export function amountOfVerb(p: Parser, start: number): VerbAmount | undefined {
  for (let at = start; at < p.tokens.length; at++) {
    const entity = madeBy(p, at)
    const attribute = entity === undefined ? columnOfVerb(p, at) : amountOf(entity)
    if (entity !== undefined && attribute === undefined) return refuseAmounts(entity, `“${p.tokens[at]?.text}”`)
    if (attribute === undefined) continue
    if (isForm(p, at, ['pay']) && /^(we|i|us)$/.test(word(p, at - 1)))
      return refuse(
        `“${p.tokens[at]?.text}” could mean money paid by us or to us. Please name the column, as in “total ${attribute.words.join(' ')} of ${attribute.entity.nouns}”.`,
      )
    return { attribute, at }
  }
  return undefined
}

/** There is no one amount of such rows. */
export function refuseAmounts({ attributes, nouns }: Entity, said: string): never {
  const amounts = attributes.filter(isMoney).map((a) => a.column.name)
  return refuse(
    amounts.length === 0
      ? `${nouns} hold no amounts of money that I could add up.`
      : `${said} could be about ${listed(amounts)} of ${nouns}. Please name the column.`,
  )
}

/** The table whose rows come about by this verb: `invoiced` makes invoices. */
function madeBy(p: Parser, at: number): Entity | undefined {
  const isVerb =
    word(p, at).endsWith('ed') ||
    /^(we|i|they|you|it|was|been|get|got|did)$/.test(word(p, at - 1)) ||
    p.names.entitiesAt(at - 1).length > 0
  if (!isVerb || p.tokens[at]?.kind !== 'word') return undefined
  const verb = Object.keys(NOUN_OF).find((v) => isForm(p, at, [v]))
  const nouns = verb === undefined ? undefined : NOUN_OF[verb]
  if (nouns !== undefined) {
    const isMade = ({ table, words }: Entity): boolean =>
      table.kind === 'table' && singular(words.at(-1) ?? '') === nouns
    return onlyOf(p.catalogue.entities.filter(isMade))
  }
  const { entity, via, length } = onlyOf(p.names.entitiesAt(at)) ?? {}
  // What has a name is a party to it.
  const isDeed = length === 1 && via === undefined && entity?.label.length === 0
  return isDeed && entity.attributes.some(isMoney) ? entity : undefined
}

/** `refunded` where a column is called `refund_amount`. */
function columnOfVerb(p: Parser, at: number): Attribute | undefined {
  const text = word(p, at)
  if (!Object.keys(NOUN_OF).some((v) => isForm(p, at, [v]))) return undefined
  const all = p.catalogue.entities.flatMap((e) => (e.table.kind === 'table' ? e.attributes : []))
  return onlyOf(all.filter((a) => isMoney(a) && a.words.some((w) => sameWord(w, text))))
}

const BEFORE = ['before taxes', 'before tax', 'excluding tax', 'without tax', 'net of tax', 'excl tax', 'pre-tax']
const AFTER = ['after taxes', 'after tax', 'including tax', 'with tax', 'incl tax']

/** `before tax`, `including tax`: which of the two amounts the figure adds up. */
export const taxRule: Rule = (p) => {
  const comma = p.tokens[p.at]?.kind === 'comma' ? 1 : 0
  const before = phraseAt(p, p.at + comma, BEFORE)
  const found = before ?? phraseAt(p, p.at + comma, AFTER)
  if (found === undefined) return false
  const measure = p.reading.measures.at(-1)
  const owner = measure?.kind === 'column' ? measure.match.owner : undefined
  const column = owner === undefined ? undefined : before === undefined ? amountOf(owner) : netAmountOf(owner)
  if (measure?.kind !== 'column' || column === undefined || owner === undefined || netAmountOf(owner) === undefined)
    return refuse(`I do not know which amounts are “${found.phrase}”. Please name the column to add up.`)
  p.reading.measures.pop()
  p.reading.measures.push({ ...measure, match: asMatch(column, found.phrase) })
  p.at += comma + found.length
  return true
}
