/** A search looks through a part of all that there is in `npm test`, and through all of it in `npm run test:long`. */
export const isLong = process.env['TUTTI_TEST_LONG'] === '1'

/** One in so many, spread over all; all of them in `npm run test:long`. */
export function sample<T>(all: readonly T[], oneIn: number): readonly T[] {
  return isLong ? all : all.filter((_, at) => at % oneIn === 0)
}

/** So many runs of a property in `npm run test:long`, and one in so many in `npm test`. */
export function times(all: number, oneIn = 5): number {
  return isLong ? all : Math.ceil(all / oneIn)
}

/**
 * What is only true or false again on each Node.js: every third one, another one on 20, 22 and 24, so that `npm test` and
 * `npm run test:nodes` try all of them together. All of them in `npm run test:long`.
 */
export function shared<T>(all: readonly T[]): readonly T[] {
  const turn = (Number(process.versions.node.split('.')[0]) / 2) % 3
  return isLong ? all : all.filter((_, at) => at % 3 === turn)
}
