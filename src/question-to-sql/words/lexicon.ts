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
    'existing so far name names customerwise hello hi thanks company business ' +
    "'s , ( )"
  ).split(' '),
)

/** Each of the words, with what it stands for. */
export function meaning<T extends string>(words: Readonly<Record<T, string>>): Readonly<Record<string, T>> {
  const pairs = Object.entries<string>(words).flatMap(([value, said]) =>
    said.split(',').map((w) => [w, value as T] as const),
  )
  // Without a prototype, which knows a word “constructor”.
  return Object.assign(Object.create(null) as Record<string, T>, Object.fromEntries(pairs))
}

export const AGGREGATES = meaning<Aggregate>({
  avg: 'average,avg,mean,median',
  sum: 'total,sum,combined,overall',
  max: 'maximum,max',
  min: 'minimum,min',
})

export const SUPERLATIVES = meaning<Direction>({
  desc: 'most,highest,greatest,largest,biggest,maximum,top,best',
  asc: 'least,fewest,lowest,smallest,minimum,bottom,worst',
})

/** What a column is called that says how dear a thing is. */
export const PRICE_WORDS = ['price', 'cost', 'fee', 'rate']

/** What is said behind a value of which the rows are left out, or count with the others. */
export const EXCEPTED = 'excluded,excepted,left out,left aside,not included,not counted,aside'.split(',')
export const INCLUDED = 'included,inclusive,counted as well,as well,too'.split(',')

const LENGTH = ['duration', 'length', 'runtime']

/** Adjectives by the columns that they are about, tried in order: those that rank from the top down, from the bottom up, and those that compare. */
const ADJECTIVES: readonly (readonly [
  columns: readonly string[],
  down: string,
  up: string,
  more?: string,
  less?: string,
])[] = [
  [LENGTH, 'longest', 'shortest', 'longer than', 'shorter than'],
  [
    PRICE_WORDS,
    'priciest,dearest,most expensive',
    'cheapest,least expensive',
    'more expensive than',
    'cheaper than,less expensive than',
  ],
  [['weight'], 'heaviest', 'lightest', 'heavier than', 'lighter than'],
  [['height'], 'tallest', ''],
  [['date'], 'newest,last,latest,most recent', 'first,earliest'],
  [['birth date', 'birth year', 'born', 'date'], '', 'oldest'],
  [['birth date', 'birth year', 'born'], 'youngest', ''],
  [PAY, 'highest paid,best paid,top paid', 'lowest paid,worst paid'],
]

interface Adjective<T> {
  readonly columns: readonly string[]
  readonly means: T
}

function adjectives<T>(from: number, above: T, below: T): Readonly<Record<string, Adjective<T>>> {
  return Object.fromEntries(
    ADJECTIVES.flatMap(([columns, ...said]) =>
      [above, below].flatMap((means, i) =>
        (said[from + i] ?? '').split(',').flatMap((w) => (w === '' ? [] : [[w, { columns, means }]])),
      ),
    ),
  ) as Record<string, Adjective<T>>
}

export const RANKED_ADJECTIVES = adjectives<Direction>(0, 'desc', 'asc')
export const COMPARATIVES = adjectives<Comparison>(2, '>', '<')

const COMPARED = meaning<Comparison>({
  '>': 'more than,greater than,higher than,larger than,bigger than,over,above,exceeding,>',
  '<': 'fewer than,less than,lower than,smaller than,under,below,<',
  '>=': 'greater than or equal to,at least,no less than,no fewer than,>=',
  '<=': 'less than or equal to,at most,no more than,not more than,up to,<=',
  '=': 'equal to,exactly,=',
  '<>': '<>,!=',
})

/** Longest first, so that none is cut short. */
export const COMPARISONS: readonly (readonly [string, Comparison])[] = Object.entries(COMPARED).sort(
  ([a], [b]) => b.length - a.length,
)

export const GRAINS = meaning<Grain>({
  year: 'year,years',
  quarter: 'quarter,quarters',
  month: 'month,months',
  day: 'day,days',
  week: 'week,weeks',
  weekday: 'weekday,weekdays',
})

export const GRAIN_ADVERBS = meaning<Exclude<Grain, 'weekday'>>({
  year: 'yearly,annually,annual',
  quarter: 'quarterly',
  month: 'monthly',
  week: 'weekly',
  day: 'daily',
})

/** Openers of a breakdown, longest first. */
export const GROUP_OPENERS = (
  'broken down by,grouped by,group by,split by,by each,for each,for every,in each,in every,of each,from each,on each,' +
  'within each,to each,per each,across,per,each,every'
).split(',')

/** Currency words that may follow an amount. */
export const CURRENCIES = 'dollar euro pound usd eur gbp'.split(' ')
