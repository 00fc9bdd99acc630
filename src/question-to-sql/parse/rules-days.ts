import { isDate, type Attribute } from '../../terms/catalogue.ts'
import { datePairs, datesOfWord, spansTo } from '../../terms/dates.ts'
import type { Measure } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { AGGREGATES } from '../words/lexicon.ts'
import { addMeasure } from './measures.ts'
import { attributeAt } from './named-things.ts'
import { phraseAt, skip, word, type Parser, type Rule } from './parser.ts'

type Days = Extract<Measure, { kind: 'days' }>

const ENDS: Readonly<Record<string, Days['aggregate']>> = { longest: 'max', shortest: 'min' }
const HOW = ['how many days', 'how long']

/** `average days between order and shipping`, `how long did orders from Germany take from order to delivery`. */
export const daysRule: Rule = (p) => {
  const start = skip(p, p.at, 'the')
  const how = phraseAt(p, start, HOW)
  const aggregate = AGGREGATES[word(p, start)] ?? ENDS[word(p, start)]
  const unit = skip(p, start + 1, 'number of the')
  const isUnit = (at: number): boolean => aggregate !== undefined && /^(?:days?|times?|duration)$/.test(word(p, at))
  // “Average delivery time”
  const events =
    isUnit(unit + 1) && !((p.names.attributesAt(unit)?.length ?? 0) > 1) ? datesOfWord(p.catalogue, word(p, unit)) : []
  if (how === undefined && !isUnit(unit) && spansTo(events).length === 0) return false
  const opened =
    how === undefined
      ? unit + (isUnit(unit) ? 1 : 2)
      : skip(p, start + how.length, 'does did do it take takes took last')
  const found =
    isUnit(unit) || how !== undefined
      ? spanAt(p, opened, how === undefined ? opened : p.tokens.length)
      : { at: unit, next: opened, starts: [], ends: events }
  if (found === undefined || aggregate === 'sum') {
    const isLasting = p.tokens.some(({ lower }) => /^(?:takes?|took|lasts?|lasted)$/.test(lower))
    return how?.phrase === 'how long' && isLasting ? refuse(ASK_BOTH) : false
  }
  const pairs = found.ends === events ? spansTo(events) : datePairs(found.starts, found.ends)
  const text = p.tokens.slice(found.at, found.next).map((t) => t.text)
  const [pair, ...others] = pairs
  if (pair === undefined)
    return refuse(`I see no two dates of one row for “${text.join(' ')}”. Please name the columns.`)
  if (others.length > 0) {
    const choices = pairs.map(({ from, to }) => `${namesOf(from)} and ${namesOf(to)}`)
    return refuse(`“${text.join(' ')}” could be about ${listed(choices)}. Please name the columns.`)
  }
  for (let at = found.at; at < found.next; at++) p.used.add(at)
  p.tokens.forEach((_, at) => {
    const said =
      at < opened ? undefined : phraseAt(p, at, ['on average', 'usually', 'typically', 'normally', 'in days'])
    for (let n = 0; n < (said?.length ?? 0); n++) p.used.add(at + n)
  })
  return addMeasure(p, { kind: 'days', aggregate: aggregate ?? 'avg', ...pair }, opened)
}

const ASK_BOTH =
  'I can count the days between two dates. Please say from which to which in words of their columns, as in “between … and …”.'

function namesOf({ entity, column }: Attribute): string {
  return `${entity.table.name}.${column.name}`
}

/** `between order and shipping`, `from order to delivery`: the first such span that begins by the last place given. */
function spanAt(p: Parser, first: number, last: number) {
  for (let at = first; at <= last; at++) {
    if (!/^(?:between|from)$/.test(word(p, at))) continue
    const start = endAt(p, at + 1)
    if (start === undefined || !/^(?:and|to|until|till)$/.test(word(p, start.next))) continue
    const end = endAt(p, start.next + 1)
    if (end !== undefined) return { at, next: end.next, starts: start.dates, ends: end.dates }
  }
  return undefined
}

/** One end of the time: a column by its name, or a word that its name tells of. */
function endAt(p: Parser, start: number): { readonly dates: readonly Attribute[]; readonly next: number } | undefined {
  const at = skip(p, start, 'the a an their its being when it is was placing receiving')
  const named = attributeAt(p, at)
  const dates = named?.candidates.flatMap(({ attribute }) => (isDate(attribute) ? [attribute] : [])) ?? []
  if (named !== undefined && dates.length > 0) return { dates, next: at + named.length }
  const told = datesOfWord(p.catalogue, word(p, at))
  if (told.length === 0) return undefined
  return { dates: told, next: skip(p, at + 1, 'date day time') }
}
