/** The function of a word in a question. */
export type Role = keyof typeof PHRASES | 'compare' | 'superlative' | 'grain' | 'ordinal'

export interface Meaning {
  readonly role: Role
  /** The operator of a comparison; `asc` or `desc` and the measure of a superlative; the number of an ordinal. */
  readonly detail?: string
}

/** Phrases of several words are tried first. */
const PHRASES = {
  filler:
    'is,are,was,were,be,been,do,does,did,the,a,an,of,our,we,us,in,at,on,from,to,for,with,there,all,please,that,who,currently,' +
    'as,so,also,already,still,any,name,names,overall,in total,in all,pieces of,piece of,contain,contains,containing,include,includes,belong,belongs,come,comes,came,work,works,located,based,exist,' +
    'placed,place,make,made,makes,take,took,taken,takes,get,got,get,been,whose,where,ever,data,level of,breakdown of,breakdown,dollar,dollars,euro,euros,' +
    'delivers,deliver,supplies,supply,brought in,bring in,brings in,in each case,' +
    'can you,could you,me,to me,i want to know,tell',
  count: 'how many,number of,count of,count,number',
  'how much': 'how much',
  sum: 'total,sum of,sum,total of,totals,combined,together,altogether',
  avg: 'average,avg,mean',
  min: 'minimum,min',
  max: 'maximum,max',
  median: 'median',
  share:
    'what percentage of,what percent of,what share of,percentage of,share of,percent of,what proportion of,proportion of',
  list: 'which,what,list,show,give,display,find,who,tell me,show me,give me,list all,what is,what are',
  top: 'top',
  most: 'most,most often,most frequently',
  by: 'by,per,grouped by,broken down by,split by,for each,in each,of each,breakdown by',
  each: 'each,every',
  none: 'no,never,not any,zero',
  not: "not,isn't,aren't,not yet,weren't,wasn't,have not,has not,hasn't,haven't,didn't,don't,doesn't",
  without: 'without,excluding,except,except for,other than',
  and: 'and',
  or: 'or',
  times: 'times',
  have: 'have,has,had,having',
  cost: 'cost,they cost',
  money: 'money',
  late: 'late',
  overdue: 'overdue,past due',
  report: 'report to,reports to,reporting to,reported to',
  change:
    'growth,grow,grew,grown,increase,increased,change,changed,decrease,decreased,vs,versus,compared to,compared with,' +
    'compare,difference,by how much,how,more,fewer',
  than: 'than',
  sales: 'sales,revenue,turnover',
  unclear: 'between,what did we,deliver to,delivers to,supply to,supplies to,in dollars,in euros,as of',
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '>': '>,more than,over,above,greater than,higher than,larger than,exceeding',
  '>=': '> =,at least,no less than,not less than,or more',
  '<': '<,less than,under,below,fewer than,lower than,smaller than',
  '<=': '< =,at most,up to,no more than,not more than',
  '=': '=,exactly,equal to',
}

/** What superlatives measure: `price`, `length` and `date` are matched to columns, `any` needs a named column. */
const SUPERLATIVES: Readonly<Record<string, string>> = {
  'desc any': 'highest,largest,biggest,greatest',
  'asc any': 'lowest,smallest',
  'desc price': 'most expensive,priciest,dearest,costliest',
  'asc price': 'cheapest,least expensive',
  'desc length': 'longest',
  'asc length': 'shortest',
  'desc date': 'newest,latest,most recent',
  'asc date': 'oldest,earliest',
}

const GRAINS: Readonly<Record<string, string>> = {
  year: 'year,years',
  quarter: 'quarter,quarters',
  month: 'month,months',
  week: 'week,weeks',
  weekday: 'weekday,weekdays',
  day: 'day,days',
  'by year': 'yearly,annually',
  'by quarter': 'quarterly',
  'by month': 'monthly',
  'by week': 'weekly',
  'by day': 'daily',
}

const ORDINALS: Readonly<Record<string, string>> = { 2: 'second', 3: 'third', 4: 'fourth', 5: 'fifth' }

const meaningsOf = (table: Readonly<Record<string, string>>, role?: Role): [string, Meaning][] =>
  Object.entries(table).flatMap(([key, words]) =>
    words
      .split(',')
      .map((word): [string, Meaning] => [word, role === undefined ? { role: key as Role } : { role, detail: key }]),
  )

const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ...meaningsOf(PHRASES),
  ...meaningsOf(COMPARISONS, 'compare'),
  ...meaningsOf(SUPERLATIVES, 'superlative'),
  ...meaningsOf(GRAINS, 'grain'),
  ...meaningsOf(ORDINALS, 'ordinal'),
])

const MAX_PHRASE = 4

/** The longest phrase at this position with a meaning independent of the database. */
export function meaningAt(words: readonly string[], at: number): (Meaning & { readonly length: number }) | undefined {
  for (let length = MAX_PHRASE; length > 0; length--) {
    if (at + length > words.length) continue
    const meaning = MEANINGS.get(words.slice(at, at + length).join(' '))
    if (meaning !== undefined) return { ...meaning, length }
  }
  return undefined
}
