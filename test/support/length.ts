/** `npm test` runs a sample of large test tables; `npm run test:long` runs all of them. */
export const isLong = process.env['TUTTI_TEST_LONG'] === '1'

/** Every nth item; all items in `npm run test:long`. */
export function sample<T>(all: readonly T[], oneIn: number): readonly T[] {
  return isLong ? all : all.filter((_, at) => at % oneIn === 0)
}

/** Number of runs of a property: all in `npm run test:long`, a fraction in `npm test`. */
export function times(all: number, oneIn = 5): number {
  return isLong ? all : Math.ceil(all / oneIn)
}

/**
 * A third of the items, another third on Node.js 20, 22 and 24, for checks that depend on the Node.js version. `npm test` and
 * `npm run test:nodes` together run all of them. All items in `npm run test:long`.
 */
export function shared<T>(all: readonly T[]): readonly T[] {
  const turn = (Number(process.versions.node.split('.')[0]) / 2) % 3
  return isLong ? all : all.filter((_, at) => at % 3 === turn)
}
