import { PAY } from '../../terms/vocabulary.ts'
import type { Aggregate, Comparison, Direction, Grain } from '../reading.ts'

/** Nouns for money that came in. */
export const MONEY_NOUNS = 'revenue sale turnover income earning proceeds taking money spending'.split(' ')

/** Verbs for money, by what they need to be read so. */
export const MONEY_VERBS = 'earn spend gross generate'.split(' ')

/** Verbs of trade: alone they say that a sale took place; what was counted says how. */
export const SALE_VERBS = 'sell buy purchase'.split(' ')

export const UNIT_NOUNS = 'unit item copy piece'.split(' ')

/** Verbs that only say that two things belong together. The foreign key says how. */
export const RELATION_VERBS = (
  'have place make own contain include belong release record publish hold receive submit handle support serve supply ' +
  'provide offer appear live reside locate base come register list exist use bring get work perform raise file take teach'
).split(' ')

/** Those of them that say no more than that a thing is there. */
export const EXISTENCE_VERBS =
  'have place make take receive get record register raise hold list exist locate base'.split(' ')

/** Words that carry nothing that the grammar needs. Anything else that is not understood stops the question. */
export const FILLERS: ReadonlySet<string> = new Set(
  (
    'the a an all any some of please me us our we i my you can could would will tell give show list find get display ' +
    'return fetch see want need know is are was were be been being do does did there here that which what who whose ' +
    'and also then now in from for on at to their its his her they them it those these this ever currently ' +
    'altogether where database data respective respectively actually just records rows entries ' +
    'existing available so far name names customerwise hello hi thanks company business ' +
    "'s , ( )"
  ).split(' '),
)

export const AGGREGATES: Readonly<Record<string, Aggregate>> = {
  average: 'avg',
  avg: 'avg',
  mean: 'avg',
  total: 'sum',
  sum: 'sum',
  combined: 'sum',
  overall: 'sum',
  maximum: 'max',
  max: 'max',
  minimum: 'min',
  min: 'min',
}

export const SUPERLATIVES: Readonly<Record<string, Direction>> = {
  most: 'desc',
  highest: 'desc',
  greatest: 'desc',
  largest: 'desc',
  biggest: 'desc',
  maximum: 'desc',
  top: 'desc',
  best: 'desc',
  least: 'asc',
  fewest: 'asc',
  lowest: 'asc',
  smallest: 'asc',
  minimum: 'asc',
  bottom: 'asc',
  worst: 'asc',
}

/** What a column is called that says how dear a thing is. */
export const PRICE_WORDS = ['price', 'cost', 'fee', 'rate']

/** Adjectives that name the column they rank by; the words are tried in order. */
export const RANKED_ADJECTIVES: Readonly<
  Record<string, { readonly columns: readonly string[]; readonly direction: Direction }>
> = {
  longest: { columns: ['duration', 'length', 'runtime'], direction: 'desc' },
  shortest: { columns: ['duration', 'length', 'runtime'], direction: 'asc' },
  cheapest: { columns: PRICE_WORDS, direction: 'asc' },
  priciest: { columns: PRICE_WORDS, direction: 'desc' },
  dearest: { columns: PRICE_WORDS, direction: 'desc' },
  'most expensive': { columns: PRICE_WORDS, direction: 'desc' },
  'least expensive': { columns: PRICE_WORDS, direction: 'asc' },
  heaviest: { columns: ['weight'], direction: 'desc' },
  lightest: { columns: ['weight'], direction: 'asc' },
  tallest: { columns: ['height'], direction: 'desc' },
  newest: { columns: ['date'], direction: 'desc' },
  last: { columns: ['date'], direction: 'desc' },
  first: { columns: ['date'], direction: 'asc' },
  latest: { columns: ['date'], direction: 'desc' },
  'most recent': { columns: ['date'], direction: 'desc' },
  earliest: { columns: ['date'], direction: 'asc' },
  oldest: { columns: ['birth date', 'date'], direction: 'asc' },
  youngest: { columns: ['birth date'], direction: 'desc' },
  'highest paid': { columns: PAY, direction: 'desc' },
  'lowest paid': { columns: PAY, direction: 'asc' },
}

/** Comparatives that name their column. */
export const COMPARATIVES: Readonly<Record<string, { readonly columns: readonly string[]; readonly op: Comparison }>> =
  {
    'longer than': { columns: ['duration', 'length', 'runtime'], op: '>' },
    'shorter than': { columns: ['duration', 'length', 'runtime'], op: '<' },
    'cheaper than': { columns: PRICE_WORDS, op: '<' },
    'more expensive than': { columns: PRICE_WORDS, op: '>' },
    'less expensive than': { columns: PRICE_WORDS, op: '<' },
    'heavier than': { columns: ['weight'], op: '>' },
    'lighter than': { columns: ['weight'], op: '<' },
  }

/** Longest first, so that `or more` forms are not cut short. */
export const COMPARISONS: readonly (readonly [string, Comparison])[] = [
  ['greater than or equal to', '>='],
  ['less than or equal to', '<='],
  ['more than', '>'],
  ['greater than', '>'],
  ['higher than', '>'],
  ['larger than', '>'],
  ['bigger than', '>'],
  ['fewer than', '<'],
  ['less than', '<'],
  ['lower than', '<'],
  ['smaller than', '<'],
  ['at least', '>='],
  ['at most', '<='],
  ['no more than', '<='],
  ['no less than', '>='],
  ['no fewer than', '>='],
  ['not more than', '<='],
  ['up to', '<='],
  ['equal to', '='],
  ['exactly', '='],
  ['over', '>'],
  ['above', '>'],
  ['exceeding', '>'],
  ['under', '<'],
  ['below', '<'],
  ['>=', '>='],
  ['<=', '<='],
  ['<>', '<>'],
  ['!=', '<>'],
  ['>', '>'],
  ['<', '<'],
  ['=', '='],
]

export const GRAINS: Readonly<Record<string, Grain>> = {
  year: 'year',
  years: 'year',
  quarter: 'quarter',
  quarters: 'quarter',
  month: 'month',
  months: 'month',
  day: 'day',
  days: 'day',
  week: 'week',
  weeks: 'week',
  weekday: 'weekday',
  weekdays: 'weekday',
}

export const GRAIN_ADVERBS: Readonly<Record<string, Grain>> = {
  yearly: 'year',
  annually: 'year',
  annual: 'year',
  quarterly: 'quarter',
  monthly: 'month',
  weekly: 'week',
  daily: 'day',
}

/** Openers of a breakdown, longest first. */
export const GROUP_OPENERS = [
  'broken down by',
  'grouped by',
  'group by',
  'split by',
  'by each',
  'for each',
  'for every',
  'in each',
  'in every',
  'of each',
  'from each',
  'on each',
  'within each',
  'to each',
  'per each',
  'across',
  'per',
  'each',
  'every',
]

/** Units that people use, and how many of a column's own unit one of them is. */
export const UNITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  millisecond: { millisecond: 1, second: 1000, minute: 60_000, hour: 3_600_000 },
  second: { second: 1, minute: 60, hour: 3600 },
  minute: { minute: 1, hour: 60 },
  byte: { byte: 1, kb: 1000, kilobyte: 1000, mb: 1_000_000, megabyte: 1_000_000, gb: 1_000_000_000 },
}

/** Currency words that may follow an amount. */
export const CURRENCIES = 'dollar euro pound usd eur gbp'.split(' ')

/** A question that begins so asks to change data. */
export const WRITE_VERBS =
  'delete remove drop insert update add create change set truncate alter rename modify erase replace grant'.split(' ')
