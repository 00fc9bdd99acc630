import type { Evidence } from './evidence.ts'
import { figuresIn, readable, type Figure } from './read.ts'

const LOW =
  /(?<!\p{L})(?:below|under|(?:less|fewer|lower) than|(?:no|not) (?:more|greater|higher|longer|later) than|not (?:above|over|exceeding)|at most|up to|maximum of|unter|weniger als|höchstens|bis zu)\s(?:\p{Sc}\s?|the\s)?$/iu
const HIGH =
  /(?<!\p{L})(?:above|over|(?:more|greater|higher|longer) than|(?:no|not) (?:less|fewer|lower|earlier) than|not (?:below|under)|at least|minimum of|exceed(?:s|ed|ing)?|über|mehr als|mindestens)\s(?:\p{Sc}\s?|the\s)?$/iu
/** What may turn a bound round and still be right. */
const TURNS =
  /(?<!\p{L})(?:not|never|none|without|except|unless|other(?:wise|s)?|rest|remaining|nicht|kein\p{L}*|ohne|übrigen)(?!\p{L})|n['’]t(?!\p{L})|\?/iu

type Side = 'low' | 'high'

/** Figures with the side on which a text says that something lies of them. */
function bounded(
  text: string,
  figures: readonly Figure[] = figuresIn(text),
): { readonly figure: Figure; readonly side: Side }[] {
  const plain = readable(text)
  return figures.flatMap((figure) => {
    if (figure.kind !== 'number') return []
    const before = plain.slice(Math.max(0, figure.at - 40), figure.at)
    const side = LOW.test(before) ? 'low' : HIGH.test(before) ? 'high' : undefined
    return side === undefined ? [] : [{ figure, side } as const]
  })
}

/**
 * Bounds that are said the other way round than all that the sentence rests on says them: “12 orders are below 500”, where those
 * above 500 were asked for. Beside a table of several rows others may well lie there.
 */
export function turnedBounds(sentence: string, figures: readonly Figure[], all: readonly Evidence[]): string[] {
  if (TURNS.test(sentence) || all.some(({ tables }) => tables.some(({ rowCount }) => rowCount > 1))) return []
  const said = bounded(sentence, figures)
  if (said.length === 0) return []
  return said.flatMap(({ figure, side }) => {
    const sides = all.flatMap((one) =>
      one.texts.flatMap((text) =>
        bounded(text.length > MOST_READ ? '' : text).filter((own) => isSame(own.figure, figure)),
      ),
    )
    return sides.length > 0 && sides.every((own) => own.side !== side)
      ? [`${side === 'low' ? 'below' : 'above'} ${figure.text}`]
      : []
  })
}

const MOST_READ = 20_000

function isSame(one: Figure, other: Figure): boolean {
  if (one.kind !== 'number' || other.kind !== 'number' || one.isPercent !== other.isPercent) return false
  return one.readings.some(({ value }) => other.readings.some((reading) => reading.value === value))
}
