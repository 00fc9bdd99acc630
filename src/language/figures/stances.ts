import { says, type PartialDate } from './dates.ts'
import { isPeriodic } from './derive.ts'
import type { Evidence } from './evidence.ts'
import { CLAUSE, partAt, partsOf } from './parts.ts'
import { figuresIn, readable, type Figure, type NumberFigure } from './read.ts'
import { claimedIn, type Claimed } from './row-periods.ts'
import { FALLEN, RISEN } from './row-words.ts'

const LOW =
  /(?<!\p{L})(?:below|under|(?:less|fewer|lower) than|(?:no|not) (?:more|greater|higher|longer|later) than|not (?:above|over|exceeding)|at most|up to|maximum of|unter|weniger als|höchstens|bis zu)\s(?:\p{Sc}\s?|the\s)?$/iu
const HIGH =
  /(?<!\p{L})(?:above|over|(?:more|greater|higher|longer) than|(?:no|not) (?:less|fewer|lower|earlier) than|not (?:below|under)|at least|minimum of|exceed(?:s|ed|ing)?|über|mehr als|mindestens)\s(?:\p{Sc}\s?|the\s)?$/iu
const OF = String.raw`(?: (?:the )?(?:end|start|beginning|month|year) of)?(?: the)?\s$`
const EARLIER = new RegExp(
  String.raw`(?<!\p{L})(?:before|prior to|earlier than|until|till|through|up to|by|vor|bis)${OF}`,
  'iu',
)
const LATER = new RegExp(
  String.raw`(?<!\p{L})(?:since|after|later than|following|(?:starting|beginning) (?:in|on|from|with)|seit|nach|ab)${OF}`,
  'iu',
)
const FROM = /(?<!\p{L})(?:from|von)\s(?:the\s)?$/iu
const ON = /^ (?:on|onwards?|an)(?!\p{L})/iu
const WITHIN = /(?<!\p{L})(?:in|during|on|throughout|within|for|im|am|während)(?: the)?(?: (?:month|year) of)?\s$/iu
/** What may turn it round and still be right. */
const TURNS =
  /(?<!\p{L})(?:not|never|none|without|except|unless|exclud\p{L}*|other(?:wise|s)?|rest|remaining|nicht|kein\p{L}*|ohne|übrigen)(?!\p{L})|n['’]t(?!\p{L})|\?/iu

type Side = 'low' | 'high' | 'in' | 'up' | 'down'

/** A figure, or a day or period, and on which side of it something is said to lie, or which way it is said to go. */
interface Stance {
  readonly of: NumberFigure | Claimed
  readonly side: Side
  /** As it is said. */
  readonly text: string
}

function stancesIn(original: string, figures: readonly Figure[] = figuresIn(original)): Stance[] {
  const text = readable(original)
  const stance = (of: Stance['of'], length: number, side: Side | undefined): Stance[] =>
    side === undefined ? [] : [{ of, side, text: text.slice(text.lastIndexOf(' ', of.at - 2) + 1, of.at + length) }]
  const around = (at: number, length: number): readonly [string, string] => [
    text.slice(Math.max(0, at - 40), at),
    text.slice(at + length, at + length + 20),
  ]
  const times = claimedIn(text, figures)
  const amounts = figures.filter((one): one is NumberFigure => one.kind === 'number' && one.isYear !== true)
  return [
    ...times.flatMap((one) => stance(one, one.length, sideOfTime(...around(one.at, one.length)))),
    ...amounts.flatMap((one) => {
      const [before] = around(one.at, one.text.length)
      const side = LOW.test(before) ? 'low' : HIGH.test(before) ? 'high' : undefined
      return stance(one, one.text.length, side ?? (one.isPercent ? directionAt(text, one) : undefined))
    }),
  ]
}

function sideOfTime(before: string, behind: string): Side | undefined {
  if (EARLIER.test(before)) return 'low'
  if (LATER.test(before) || (FROM.test(before) && ON.test(behind))) return 'high'
  return WITHIN.test(before) ? (ON.test(behind) ? 'high' : 'in') : undefined
}

/** “Up 12 %”, “a drop of 12 %”: the only way that is said in the clause of a percentage. */
export function directionAt(text: string, { at, isPoints }: NumberFigure): 'up' | 'down' | undefined {
  const [from, to] = partAt(partsOf(text, CLAUSE), at) ?? [0, 0]
  const [clause, sign] = [text.slice(from, to), text.slice(from, at + 1)]
  const isUp = RISEN.test(clause) || /(?<!\p{L})higher(?!\p{L})/iu.test(clause) || /\+\d?$/.test(sign)
  const isDown =
    FALLEN.test(clause) || /(?<!\p{L})lower(?!\p{L})/iu.test(clause) || /(?<![\p{N}%]\s?)[-−]\d?$/u.test(sign)
  return isPoints === true || isUp === isDown ? undefined : isUp ? 'up' : 'down'
}

/**
 * What is said the other way round than all that the sentence rests on says it: “12 orders are below 500”, where those above 500
 * were asked for, “before March” of “in March”, “down 12 %” of “rose by 12 %”. Beside a table of several rows, or of periods,
 * others may well lie there.
 */
export function turnedStances(sentence: string, figures: readonly Figure[], all: readonly Evidence[]): string[] {
  const several = all.flatMap(({ tables }) => tables).filter(({ rowCount }) => rowCount > 1)
  if (TURNS.test(sentence) || several.some(isPeriodic)) return []
  const said = stancesIn(sentence, figures).filter(({ of }) => 'dates' in of || several.length === 0)
  if (said.length === 0) return []
  return said.flatMap(({ of, side, text }) => {
    const same = all.flatMap((one, i) =>
      one
        .inTexts(knownIn)
        .flatMap((own) => (isSame(own.of, of) ? [{ side: own.side, isText: i > 0 && one.tables.length === 0 }] : [])),
    )
    // “By 31 March” may be told of a text as “on 31 March”.
    const isOther = same.some(({ isText }) => side !== 'in' || !isText)
    return isOther && same.every((own) => own.side !== side) ? [text] : []
  })
}

const MOST_READ = 20_000
const knownIn = (text: string): readonly Stance[] => (text.length > MOST_READ ? [] : stancesIn(text))

function isSame(one: Stance['of'], other: Stance['of']): boolean {
  if ('dates' in one && 'dates' in other)
    return one.dates.some((a) => other.dates.some((b) => isEqual(dated(a, b), dated(b, a))))
  if ('dates' in one || 'dates' in other || one.isPercent !== other.isPercent) return false
  return one.readings.some(({ value }) => other.readings.some((reading) => reading.value === value))
}

function isEqual(one: PartialDate, other: PartialDate): boolean {
  return says(one, other) && says(other, one)
}

/** A month without a year is of any. */
function dated(one: PartialDate, { year }: PartialDate): PartialDate {
  return one.year === undefined && year !== undefined ? { ...one, year } : one
}
