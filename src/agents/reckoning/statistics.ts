import {
  add,
  compare,
  divide,
  multiply,
  NoAnswer,
  rational,
  squareRoot,
  subtract,
  ZERO,
  type Rational,
} from './rational.ts'

interface Rule {
  /** Words for it, parted by `|`. */
  readonly names: string
  /** How it is called in an answer; the sample's deviation is said to be that. */
  readonly title: string
  /** The Python for it, over a list in place of `_`. */
  readonly code: string
  readonly value: (sorted: readonly Rational[]) => Rational
}

function rule(names: string, title: string, code: string, value: Rule['value']): Rule {
  return { names, title, code, value }
}

/** Figures over several numbers. */
const FIGURES = {
  sum: rule('sum|total', 'sum', 'sum(_)', total),
  mean: rule('average|avg|mean', 'average', 'statistics.mean(_)', mean),
  median: rule('median', 'median', 'statistics.median(_)', median),
  mode: rule('mode', 'mode', 'statistics.multimode(_)', mode),
  min: rule('minimum|min|smallest|lowest|least', 'minimum', 'min(_)', (sorted) => sorted[0]!),
  max: rule('maximum|max|largest|highest|biggest|greatest', 'maximum', 'max(_)', (sorted) => sorted.at(-1)!),
  range: rule('range', 'range', 'max(_) - min(_)', (sorted) => subtract(sorted.at(-1)!, sorted[0]!)),
  product: rule('product', 'product', 'math.prod(_)', (sorted) => sorted.reduce(multiply)),
  variance: rule('variance|sample variance', 'sample variance', 'statistics.variance(_)', (sorted) =>
    variance(sorted, 1),
  ),
  populationVariance: rule('population variance', 'population variance', 'statistics.pvariance(_)', (sorted) =>
    variance(sorted, 0),
  ),
  deviation: rule(
    'standard deviation|std dev|sample standard deviation',
    'sample standard deviation',
    'statistics.stdev(_)',
    (sorted) => squareRoot(variance(sorted, 1)),
  ),
  populationDeviation: rule(
    'population standard deviation',
    'population standard deviation',
    'statistics.pstdev(_)',
    (sorted) => squareRoot(variance(sorted, 0)),
  ),
} satisfies Readonly<Record<string, Rule>>

export type Figure = keyof typeof FIGURES

const BY_NAME = new Map(
  (Object.keys(FIGURES) as Figure[]).flatMap((figure) =>
    FIGURES[figure].names.split('|').map((name) => [name, figure] as const),
  ),
)

/** All names, longest first, for use in a pattern. */
export const FIGURE_NAMES = [...BY_NAME.keys()].sort((a, b) => b.length - a.length).join('|')

export function figureOf(name: string): Figure {
  return BY_NAME.get(name)!
}

/** The Python for a figure over a list expression. */
export function figureCode(figure: Figure, list: string): string {
  return FIGURES[figure].code.replaceAll('_', () => list)
}

export function figureTitle(figure: Figure): string {
  return FIGURES[figure].title
}

/** Works the figure out. @throws NoAnswer when there are too few numbers, or no single most frequent one */
export function figureValue(figure: Figure, values: readonly Rational[]): Rational {
  if (values.length === 0) throw new NoAnswer('There are no numbers to work with.')
  return FIGURES[figure].value([...values].sort(compare))
}

function total(values: readonly Rational[]): Rational {
  return values.reduce(add, ZERO)
}

function mean(values: readonly Rational[]): Rational {
  return divide(total(values), count(values))
}

function count(values: readonly unknown[], less = 0): Rational {
  return rational(BigInt(values.length - less))
}

function median(sorted: readonly Rational[]): Rational {
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle]!
  return sorted.length % 2 === 1 ? upper : divide(add(sorted[middle - 1]!, upper), rational(2n))
}

function mode(values: readonly Rational[]): Rational {
  const counts = new Map<string, { value: Rational; count: number }>()
  for (const value of values) {
    const key = `${value.top}/${value.bottom}`
    counts.set(key, { value, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  const [first, second] = [...counts.values()].sort((a, b) => b.count - a.count)
  if (second !== undefined && second.count === first!.count) throw new NoAnswer('No single value is the most frequent.')
  return first!.value
}

function variance(values: readonly Rational[], less: 0 | 1): Rational {
  if (values.length <= less) throw new NoAnswer('That takes at least two numbers.')
  const middle = mean(values)
  const squares = values.map((value) => multiply(subtract(value, middle), subtract(value, middle)))
  return divide(squares.reduce(add, ZERO), count(values, less))
}
