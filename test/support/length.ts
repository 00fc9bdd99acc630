/** A search looks through a part of all that there is in `npm test`, and through all of it in `npm run test:long`. */
export const isLong = process.env['TUTTI_TEST_LONG'] === '1'

/** One in so many, spread over all; all of them in `npm run test:long`. */
export function sample<T>(all: readonly T[], oneIn: number): readonly T[] {
  return isLong ? all : all.filter((_, at) => at % oneIn === 0)
}

/** So many runs of a property in `npm run test:long`, and one in so many in `npm test`. */
export function times(all: number, oneIn = 3): number {
  return isLong ? all : Math.ceil(all / oneIn)
}

const SHARE = Number(process.env['TUTTI_TEST_SHARE'] ?? 4)

/**
 * What is only true or false again on each Node.js, which takes a part of its own: one in four in `npm test`, one in
 * so many in `npm run test:nodes`, on one line of it others than on the next; all of them in `npm run test:long`.
 */
export function shared<T>(all: readonly T[]): readonly T[] {
  if (isLong) return all
  const turn = Number(process.versions.node.split('.')[0]) / 2
  return all.filter((_, at) => at % SHARE === turn % SHARE)
}
