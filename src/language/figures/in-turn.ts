import type { Row } from './rows.ts'

/** What stands in a list at its place. */
interface Listed {
  readonly at: number
  readonly length: number
}

const NEXT = /^(?:,\s?(?:(?:and|und|&)\s)?|\s(?:and|und|&)\s)\p{Sc}?$/u
/** A noun may stand behind each figure where “respectively” says that they are told in turn. */
const NEXT_OR_NOUN =
  /^(?:\s(?!(?:from|with|of|in|on|at|to)\s)\p{L}{1,20}){0,2}?(?:,\s?(?:(?:and|und|&)\s)?|\s(?:and|und|&)\s)\p{Sc}?$/u
const IN_TURN = /(?<!\p{L})(?:respectively|in that order|jeweils|beziehungsweise)(?!\p{L})/iu
/** “Between 4 and 9”, which are of neither in turn. */
const RANGE = /(?<!\p{L})(?:between|zwischen)\s[\p{Sc}\s]*$/iu

/** “Turin and Leeds have 4 and 9 orders”: the rows of each figure, by its place, of names and figures that are as many. */
export function inTurn(
  rest: string,
  names: readonly (Listed & { readonly rows: readonly Row[] })[],
  figures: readonly Listed[],
): ReadonlyMap<number, readonly Row[]> {
  const [own, ...more] = listsOf(rest, names, NEXT)
  if (own === undefined || own.length < 2 || more.length > 0) return new Map()
  const lists = listsOf(rest, figures, IN_TURN.test(rest) ? NEXT_OR_NOUN : NEXT)
  return new Map(
    lists.flatMap((list) => {
      const isRange = RANGE.test(rest.slice(Math.max(0, list[0]!.at - 20), list[0]!.at))
      return list.length !== own.length || isRange ? [] : list.map(({ at }, i) => [at, own[i]!.rows] as const)
    }),
  )
}

/** Those between which nothing else stands, together. */
function listsOf<T extends Listed>(rest: string, all: readonly T[], between: RegExp): T[][] {
  const lists: T[][] = []
  for (const one of all) {
    const last = lists.at(-1)?.at(-1)
    const gap = last === undefined ? undefined : rest.slice(last.at + last.length, one.at)
    if (gap !== undefined && gap.length < 60 && between.test(gap)) lists.at(-1)!.push(one)
    else lists.push([one])
  }
  return lists
}
