import { NUMBER_WORDS } from '../../language/numbers.ts'
import { multiply, parseDecimal, rational, type Rational } from './rational.ts'

/** A question with its numbers taken out: `15% of $1,240` is `#0% of #1` with the numbers beside it. */
export interface Reading {
  readonly text: string
  readonly numbers: readonly Rational[]
  /** Numbers as they were written. */
  readonly written: readonly string[]
}

/** Thrown when a question cannot be read surely; the message is for the person who asked. */
export class Unclear extends Error {
  override readonly name = 'Unclear'
}

const MULTIPLES: Readonly<Record<string, bigint>> = {
  k: 1000n,
  thousand: 1000n,
  mn: 1_000_000n,
  million: 1_000_000n,
  bn: 1_000_000_000n,
  billion: 1_000_000_000n,
  trillion: 1_000_000_000_000n,
  dozen: 12n,
  hundred: 100n,
}

const NUMBER =
  /(?<![\w.#])[$€£]?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?|\.\d+)(?:\s?(k|mn|bn)\b|\s(thousand|million|billion|trillion|dozen|hundred)\b)?(?![\w]|\.\d)/g

/**
 * Lower-cases a question, drops what is only polite, writes contractions out and takes the numbers out of it.
 * @throws Unclear for numbers that can be read in two ways
 */
export function read(question: string): Reading {
  const plain = question
    .normalize('NFC')
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/[−–—]/g, '-')
    .replace(/[“”"`]/g, ' ')
    // The sign marks the numbers that are taken out below.
    .replaceAll('#', '＃')
    .replace(/\bwhat's\b/g, 'what is')
    .replace(/×|·/g, ' * ')
    .replace(/÷/g, ' / ')
    .replace(/\b(per cent|percentage points?)\b/g, (found) => (found === 'per cent' ? 'percent' : found))
  const date = /\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}([/.])\d{1,2}\1\d{2,4}\b/.exec(plain)
  if (date !== null) throw new Unclear(`“${date[0]}” looks like a date, which I cannot reckon with by rules.`)
  const symbols = new Set(plain.match(/[$€£]/g))
  if (symbols.size > 1) throw new Unclear('The question mixes currencies, which I do not convert.')
  const ambiguous = /(?<![\d,.])\d+,\d{1,2}(?![\d,.])/.exec(plain)
  if (ambiguous !== null) {
    throw new Unclear(
      `“${ambiguous[0]}” can be one number or two. Write decimals with a point, and a space after a comma.`,
    )
  }
  const numbers: Rational[] = []
  const written: string[] = []
  const keep = (value: Rational, as: string): string => `#${written.push(as) && numbers.push(value) - 1}`
  const text = plain
    .replace(NUMBER, (all: string, digits: string, short?: string, long?: string) => {
      const value = parseDecimal(digits.replaceAll(',', ''))!
      const multiple = MULTIPLES[short ?? long ?? '']
      return keep(multiple === undefined ? value : multiply(value, rational(multiple)), all)
    })
    .replace(/(?<!\bthe )\b[a-z]+\b/g, (word) => {
      const value = NUMBER_WORDS.indexOf(word)
      return value < 0 ? word : keep(rational(BigInt(value)), word)
    })
  if (numbers.length > 1 && /#\d+ ?![?.\s]*$/.test(text)) {
    throw new Unclear('Is “!” at the end a factorial? Leave it away, or write “factorial of”.')
  }
  return { text: trim(text), numbers, written }
}

/** Openers and closers that do not change what is asked. */
function trim(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[?.=\s]+$/, '')
    .replace(/(?<![#\d) ])!+$/, '')
    .replace(/^(hi|hello|hey|please|now|then|and|also|so)\b[, ]*/g, '')
    .replace(/^(can|could|would) you (please )?(tell me |help me )?/, '')
    .replace(/^(please )?tell me /, '')
    .replace(/^i (want|need|would like) to know /, '')
    .replace(/^please /, '')
    .replace(/[, ]+(please|for me|thanks|thank you)$/, '')
    .trim()
}

/** The number behind a placeholder such as `#2` or `-#2`. */
export function numberAt({ numbers }: Reading, placeholder: string): Rational {
  const value = numbers[Number(placeholder.replace(/[^\d]/g, ''))]!
  return placeholder.startsWith('-') ? { top: -value.top, bottom: value.bottom } : value
}

/** Whether it was written as people write years; two of them may be meant as dates. */
export function looksLikeYear({ written }: Reading, placeholder: string): boolean {
  return /^(19|20)\d\d$/.test(written[Number(placeholder.replace(/[^\d]/g, ''))] ?? '')
}
