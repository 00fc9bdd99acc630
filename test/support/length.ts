/** A search looks through a part of all that there is in `npm test`, and through all of it in `npm run test:long`. */
export const isLong = process.env['TUTTI_TEST_LONG'] === '1'

/** One in so many, spread over all; all of them in `npm run test:long`. */
export function sample<T>(all: readonly T[], oneIn: number): readonly T[] {
  return isLong ? all : all.filter((_, at) => at % oneIn === 0)
}

const SHARE = Number(process.env['TUTTI_TEST_SHARE'] ?? 1)

/** All of them in `npm test`. `npm run test:nodes` takes one in three on each Node, on one of them others than on the next. */
export function shared<T>(all: readonly T[]): readonly T[] {
  const turn = Number(process.versions.node.split('.')[0]) / 2
  return all.filter((_, at) => at % SHARE === turn % SHARE)
}
