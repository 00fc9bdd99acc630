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

/** Words for a figure over several numbers. */
const NAMES: Readonly<Record<string, Figure>> = {
  sum: 'sum',
  total: 'sum',
  average: 'mean',
  avg: 'mean',
  mean: 'mean',
  median: 'median',
  mode: 'mode',
  minimum: 'min',
  min: 'min',
  smallest: 'min',
  lowest: 'min',
  least: 'min',
  maximum: 'max',
  max: 'max',
  largest: 'max',
  highest: 'max',
  biggest: 'max',
  greatest: 'max',
  range: 'range',
  product: 'product',
  variance: 'variance',
  'sample variance': 'variance',
  'population variance': 'population variance',
  'standard deviation': 'standard deviation',
  'std dev': 'standard deviation',
  'sample standard deviation': 'standard deviation',
  'population standard deviation': 'population standard deviation',
}

export type Figure =
  | 'sum'
  | 'mean'
  | 'median'
  | 'mode'
  | 'min'
  | 'max'
  | 'range'
  | 'product'
  | 'variance'
  | 'population variance'
  | 'standard deviation'
  | 'population standard deviation'

/** All names, longest first, for use in a pattern. */
export const FIGURE_NAMES = Object.keys(NAMES)
  .sort((a, b) => b.length - a.length)
  .join('|')

export function figureOf(name: string): Figure {
  return NAMES[name]!
}

const CODE: Readonly<Record<Figure, (list: string) => string>> = {
  sum: (list) => `sum(${list})`,
  mean: (list) => `statistics.mean(${list})`,
  median: (list) => `statistics.median(${list})`,
  mode: (list) => `statistics.multimode(${list})`,
  min: (list) => `min(${list})`,
  max: (list) => `max(${list})`,
  range: (list) => `max(${list}) - min(${list})`,
  product: (list) => `math.prod(${list})`,
  variance: (list) => `statistics.variance(${list})`,
  'population variance': (list) => `statistics.pvariance(${list})`,
  'standard deviation': (list) => `statistics.stdev(${list})`,
  'population standard deviation': (list) => `statistics.pstdev(${list})`,
}

/** The Python for a figure over a list expression. */
export function figureCode(figure: Figure, list: string): string {
  return CODE[figure](list)
}

/** How the figure is called in an answer; the sample's deviation is said to be that. */
export function figureTitle(figure: Figure): string {
  const long: Partial<Record<Figure, string>> = {
    mean: 'average',
    min: 'minimum',
    max: 'maximum',
    variance: 'sample variance',
    'standard deviation': 'sample standard deviation',
  }
  return long[figure] ?? figure
}

/** Works the figure out. @throws NoAnswer when there are too few numbers, or no single most frequent one */
export function figureValue(figure: Figure, values: readonly Rational[]): Rational {
  if (values.length === 0) throw new NoAnswer('There are no numbers to work with.')
  const sorted = [...values].sort(compare)
  const total = values.reduce(add, ZERO)
  switch (figure) {
    case 'sum':
      return total
    case 'mean':
      return divide(total, count(values))
    case 'median':
      return median(sorted)
    case 'mode':
      return mode(sorted)
    case 'min':
      return sorted[0]!
    case 'max':
      return sorted.at(-1)!
    case 'range':
      return subtract(sorted.at(-1)!, sorted[0]!)
    case 'product':
      return values.reduce(multiply)
    case 'variance':
      return variance(values, total, 1)
    case 'population variance':
      return variance(values, total, 0)
    case 'standard deviation':
      return squareRoot(variance(values, total, 1))
    case 'population standard deviation':
      return squareRoot(variance(values, total, 0))
  }
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

function variance(values: readonly Rational[], total: Rational, less: 0 | 1): Rational {
  if (values.length <= less) throw new NoAnswer('That takes at least two numbers.')
  const mean = divide(total, count(values))
  const squares = values.map((value) => multiply(subtract(value, mean), subtract(value, mean)))
  return divide(squares.reduce(add, ZERO), count(values, less))
}
