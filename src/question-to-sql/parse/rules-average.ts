import { AGGREGATES, GROUP_OPENERS } from '../words/lexicon.ts'
import { countAt, figureTo, type MeasureMatch } from './measures.ts'
import { isForm, isMoneyNoun, phraseAt, skip, word, type Parser, REVENUE_MEASURE } from './parser.ts'
import { dimensionAt, entityAt } from './named-things.ts'
import type { Measure } from '../reading.ts'
import { refuse } from '../refusal.ts'

const WORTH = ['value', 'amount', 'total', 'worth', 'revenue']

/**
 * An average of figures rather than of rows: `average number of items per order`, `average revenue per month`, and
 * `average order value` where orders keep no total of their own.
 */
export function averageAt(p: Parser, at: number): MeasureMatch | undefined {
  if (AGGREGATES[word(p, at)] !== 'avg') return undefined
  const start = skip(p, at + 1)
  const count = phraseAt(p, start, ['number of', 'count of'])
  if (count !== undefined) return averageCount(p, start + count.length)
  if (isMoneyNoun(p, start) && p.names.attributesAt(start) === undefined) return perEach(p, start + 1, REVENUE_MEASURE)
  return orderValue(p, start)
}

function averageCount(p: Parser, start: number): MeasureMatch {
  const counted = countAt(p, start)
  if (counted?.measure.kind !== 'measure')
    return refuse(`I do not know what to count: “${p.tokens[start]?.text ?? ''}” is not the name of a table.`)
  p.reading.conditions.push(...(counted.conditions ?? []))
  return (
    perEach(p, counted.next, counted.measure.measure) ??
    refuse('I cannot average a count without knowing of what. Please say “per …”, as in “average number of … per …”.')
  )
}

/** `per order`, `for each month`: what there is one figure of. */
function perEach(p: Parser, start: number, of: Measure): MeasureMatch | undefined {
  const opener = phraseAt(p, start, [...GROUP_OPENERS, 'in a', 'in an', 'of a', 'of an', 'for a', 'for an', 'a', 'an'])
  const found = opener === undefined || opener.phrase === 'across' ? undefined : dimensionAt(p, start + opener.length)
  if (found === undefined) return undefined
  return figureTo(found.next, { kind: 'average', of, per: found.dimension })
}

/** `order value`, `value of an order`, where only the lines of orders know prices. */
function orderValue(p: Parser, start: number): MeasureMatch | undefined {
  const { header, line } = p.sales
  if (header === undefined || header.total !== undefined || line === undefined) return undefined
  const value = { kind: 'average', of: REVENUE_MEASURE, per: { kind: 'entity', entity: header.entity } } as const
  const isHeader = (at: number): number => {
    const match = entityAt(p, at)
    return match?.entity === header.entity && match.via === undefined ? match.length : 0
  }
  const noun = isHeader(start)
  if (noun > 0 && isForm(p, start + noun, WORTH)) return figureTo(start + noun + 1, value)
  if (!isForm(p, start, WORTH) || !/^(of|per)$/.test(word(p, start + 1))) return undefined
  const at = skip(p, start + 2, 'a an the all our each')
  return isHeader(at) > 0 ? figureTo(at + isHeader(at), value) : undefined
}
