import { given } from '../../core/given.ts'
import { wrongBases } from './bases.ts'
import { Claimed } from './claimed.ts'
import { deniedIn, opposites, turnedDenials } from './denials.ts'
import { deniedDeviations } from './deviations.ts'
import { isSaidOfOther } from './elsewhere.ts'
import { wrongChanges } from './changes.ts'
import type { Evidence } from './evidence.ts'
import { extremesIn } from './extremes.ts'
import { RowsNamed } from './labels.ts'
import { linesAfter, NO_LINES, type Lines } from './lines.ts'
import { unsaidNames } from './names.ts'
import { wrongPairs } from './pairs.ts'
import { arePointsApart } from './points.ts'
import { quantitiesIn } from './quantified.ts'
import { figuresIn, listNumberOf, type DateFigure, type Figure, type NumberFigure } from './read.ts'
import { reckoned, type Quantity } from './reckon.ts'
import { wrongComparisons, wrongRanks } from './relations.ts'
import { turnedStances } from './stances.ts'
import { wrongTrends } from './trends.ts'

/** What an answer is held against. */
export interface Grounds {
  /** What every sentence may rest on: the question, the profile, the conversation, what is known of the day. */
  readonly common: Evidence
  /** What was found, source by source. */
  readonly found: readonly Evidence[]
  /** Whether commas are decimal in the answer; absent: told from its text. */
  readonly decimalComma?: boolean
}

/** Figures of the sentence before still count as said. */
export interface Said {
  readonly values: readonly Quantity[]
  /** The list number that came last. */
  readonly listNumber?: number
  /** What headings and the sentences before say of those behind them. */
  readonly lines?: Lines
}

export interface Checked {
  /** As printed, in their order; none: all stands somewhere. */
  readonly unfounded: readonly string[]
  readonly said: Said
  /** The figures, without those of the question and the like. */
  readonly figures: readonly Figure[]
}

export const NOTHING_SAID: Said = { values: [] }

/**
 * Holds one sentence of an answer against what it may rest on: each number, date and quoted name must stand there, after
 * rounding, in whatever form, or follow from the tables, or from the figures beside it by one step of arithmetic.
 */
export function checkSentence(sentence: string, grounds: Grounds, before: Said = NOTHING_SAID): Checked {
  const { common, found, decimalComma } = grounds
  const { listNumber = 0, lines = NO_LINES } = before
  if (!/[\p{L}\p{N}]/u.test(sentence)) return { unfounded: [], said: { values: [], listNumber, lines }, figures: [] }
  if (sentence.length > LONGEST_SENTENCE) return tooLong(sentence, listNumber)
  const figures = figuresIn(sentence, { listNumber, ...given({ decimalComma }) })
  if (figures.length > MOST_FIGURES) return tooLong(sentence, listNumber)
  const all = [common, ...found]
  const named = found.flatMap(({ tables }) => tables.map((table) => new RowsNamed(table, sentence, figures, lines)))
  const claimed = named.map((rows) => new Claimed(rows, figures, lines, common))
  const rowsTold = named.map((rows) => (figure: NumberFigure) => rows.isOfOther(figure))
  const daysTold = named.map((rows) => (figure: DateFigure) => rows.isDayOfOther(figure))
  const claimsTold = claimed.map((one) => (figure: NumberFigure) => one.isOther(figure))
  const values = new Map<Figure, Quantity>()
  const open = new Set<Figure>()
  const swapped = new Set<Figure>()
  const quantities = quantitiesIn(named, figures, all)
  for (const figure of figures) {
    if (figure.kind === 'number' && quantities.held.includes(figure)) {
      values.set(figure, quantity(figure.readings[0]!.value, figure))
      continue
    }
    const isApart =
      figure.kind === 'number' && figure.isPoints === true ? arePointsApart(figure, figures, named) : undefined
    if (isApart === false) swapped.add(figure)
    if (isApart !== undefined) {
      if (!isApart) open.add(figure)
      continue
    }
    const isSwapped =
      figure.kind === 'number'
        ? isOther(rowsTold, figure) || isOther(claimsTold, figure)
        : figure.kind === 'date' && isOther(daysTold, figure)
    // What the question itself says may be repeated of anything.
    if (isSwapped) swapped.add(figure)
    const holding = (isSwapped ? [common] : all).filter((evidence) => evidence.find(figure, sentence) !== undefined)
    const isElsewhere = holding.length > 0 && holding.every((one) => isSaidOfOther(figure, sentence, one))
    if (isElsewhere) swapped.add(figure)
    const place = isElsewhere ? undefined : holding[0]?.find(figure, sentence)
    if (place === undefined) open.add(figure)
    else if (place.value !== undefined) values.set(figure, quantity(place.value, figure))
  }
  // What was worked out is something to go on with: first the total, then a share of it.
  for (let [round, before_] = [0, -1]; before_ !== open.size && round < MOST_ROUNDS; round++) {
    before_ = open.size
    for (const figure of open) {
      if (figure.kind !== 'number' || swapped.has(figure)) continue
      const value = reckoned(figure, sentence, grounds, named, [...values.values(), ...before.values])
      if (value === undefined) continue
      open.delete(figure)
      values.set(figure, quantity(value, figure))
    }
  }
  return {
    unfounded: [
      ...figures.flatMap((figure) => (open.has(figure) ? [figure.text] : [])),
      ...wrongExtremes(named, all),
      ...wrongTrends(sentence, figures, found),
      ...wrongChanges(
        named,
        figures.filter((one) => !open.has(one)),
        all,
      ),
      ...wrongOf(named, wrongComparisons),
      ...wrongOf(named, wrongRanks),
      ...wrongOf(named, (rows) => wrongBases(rows, figures)),
      ...quantities.wrong,
      ...deniedIn(sentence, grounds),
      ...deniedDeviations(sentence, found),
      ...turnedDenials(sentence, figures, grounds),
      ...opposites(sentence, found),
      ...turnedStances(sentence, figures, all),
      ...wrongPairs(sentence, all),
      ...unsaidNames(sentence, all, common.asked),
    ],
    said: {
      values: [...values.values()],
      listNumber: listNumberOf(sentence, listNumber) ?? listNumber,
      lines: linesAfter(sentence, named, lines),
    },
    figures: figures.filter((figure) => common.find(figure) === undefined),
  }
}

function quantity(value: number, figure: Figure): Quantity {
  return { value, ...(figure.kind === 'number' && given({ unit: figure.unit })) }
}

/** A sentence with more than this is not held against anything: nobody reads it, and its check would stop all else. */
const LONGEST_SENTENCE = 20_000
const MOST_FIGURES = 250

function tooLong(sentence: string, listNumber: number): Checked {
  return { unfounded: [`${sentence.trim().slice(0, 80)}…`], said: { values: [], listNumber }, figures: [] }
}

/** Whether a table has it as something else than the sentence says, in other rows or columns, and none has it as it is said. */
function isOther<F>(tables: readonly ((figure: F) => boolean | undefined)[], figure: F): boolean {
  const told = new Set(tables.map((isOtherIn) => isOtherIn(figure)))
  return told.has(true) && !told.has(false)
}

/** What a table says otherwise, unless the tables that know of it do not agree. */
function wrongOf(named: readonly RowsNamed[], wrongIn: (rows: RowsNamed) => string[]): string[] {
  const told = named.filter(({ rows }) => rows.length > 0).map(wrongIn)
  return told.every((wrong) => wrong.length > 0) ? (told[0] ?? []) : []
}

/** What is said to be the most or the least and is not, by any table or in the words of a source. */
function wrongExtremes(named: readonly RowsNamed[], all: readonly Evidence[]): string[] {
  const claims = named.flatMap(extremesIn)
  if (claims.some(({ isWrong }) => !isWrong)) return []
  return claims.flatMap(({ said }) => (all.some((evidence) => evidence.mentions(said)) ? [] : [said]))
}

/** So often figures may rest on those behind them; each time all that are before them are known. */
const MOST_ROUNDS = 4
