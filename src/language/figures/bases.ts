import { numeric } from './derive.ts'
import type { RowsNamed } from './labels.ts'
import { columnsMeant } from './measures.ts'
import { CLAUSE, partAt } from './parts.ts'
import type { Figure, NumberFigure } from './read.ts'
import { isPrinted, type Row } from './rows.ts'

const COMPARES =
  /^[\d.,]+\s?(?:%|percent|per cent|prozent)\s(?:more|less|fewer|higher|lower|larger|smaller|greater|bigger|above|below|mehr|weniger|höher|niedriger|über|unter)(?!\p{L})/iu
/** “Leeds lags Turin by 12 %.” */
const BY =
  /(?<!\p{L})(?:exceed(?:s|ed)|beats?|leads?|led|lags|lagged|trails|trailed|tops|(?:is|was|lies) (?:ahead of|behind)|falls short of)\s_+\s(?:in \p{L}{1,20} )?by\s$/iu
const COMPARED_WITH = /(?<!\p{L})(?:compared (?:to|with)|relative to|against|versus|im Vergleich (?:zu|mit))\s(?=_)/iu
const OTHERWISE = /(?<!\p{L})(?:of|points?|average|mean|median|total|share)(?!\p{L})/iu

/** “12 % fewer orders than Leeds” is 12 % of those of Leeds: percentages that are so many of the other row alone. */
export function wrongBases(named: RowsNamed, figures: readonly Figure[]): string[] {
  const { table, rest } = named
  return figures.flatMap((figure) => {
    if (figure.kind !== 'number' || !figure.isPercent) return []
    const tail = rest.slice(figure.at, figure.at + 80)
    const compares = COMPARES.exec(tail)
    const by = BY.exec(rest.slice(Math.max(0, figure.at - 120), figure.at))
    if (compares === null && by === null) return []
    const [from, to] = partAt(named.parts(CLAUSE), figure.at) ?? [0, 0]
    const head = COMPARED_WITH.exec(rest.slice(0, from))
    const beside = by === null ? figure.at : figure.at - by[0].length
    const [one, other] =
      head === null || head.index + head[0].length >= figure.at
        ? [named.last([0, beside]), named.first([beside, to])]
        : [named.last([head.index + head[0].length + 1, figure.at]), named.first([head.index, from])]
    const [a, b] = [one?.[0], other?.[0]]
    if (a === undefined || b === undefined || a === b || one!.length > 1 || other!.length > 1) return []
    const behind = rest.slice(figure.at + (compares?.[0].length ?? figure.text.length), to).split('_')[0]!
    if (OTHERWISE.test(behind.replace(/(?:that|those) of/giu, ''))) return []
    const columns = columnsMeant(table, rest.slice(from, to))
    const isRight = columns.some((column) => isApart(a, b, column, figure))
    return !isRight && columns.some((column) => isApart(b, a, column, figure)) ? [figure.text] : []
  })
}

/** Whether one lies so many percent of the other from it. */
function isApart(one: Row, other: Row, column: string, figure: NumberFigure): boolean {
  const [a, b] = [numeric(one[column]), numeric(other[column])]
  return a !== undefined && b !== undefined && b !== 0 && isPrinted(Math.abs((100 * (a - b)) / b), figure)
}
