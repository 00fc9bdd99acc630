import { withoutModel } from '../../core/without-model.ts'
import { wordSet } from '../../core/word-set.ts'
import { unreadIn } from '../../language/periods.ts'
import type { GivenTable } from '../python/given-data.ts'
import { deviations } from './deviations.ts'
import { evaluate } from './expression.ts'
import { GROWTH_RULES } from './growth-rules.ts'
import { NUMBER_RULES, type Rule } from './number-rules.ts'
import { literal, NoAnswer } from './rational.ts'
import { looksLikeYear, numberAt, read, Unclear, type Reading } from './read.ts'
import { answerFromTables } from './table-rules.ts'
import { plainValue, shower, type Finding, type Show } from './wording.ts'

export type { GivenTable } from '../python/given-data.ts'
export { byRules } from './wording.ts'

export type Computed = ({ readonly kind: 'finding' } & Finding) | { readonly kind: 'refusal'; readonly reason: string }

const LONGEST_QUESTION = 1000

/**
 * Works a question out without a model: arithmetic over its numbers, or figures over tables. It refuses, naming what it did
 * not understand, unless every word of the question has been accounted for.
 */
export function compute(
  question: string,
  tables: readonly GivenTable[],
  { locale, today = '', reason }: { readonly locale?: string; readonly today?: string; readonly reason?: string } = {},
): Computed {
  try {
    if (question.length > LONGEST_QUESTION)
      return refusal(`${withoutModel(reason)} the question is too long to be read.`)
    const reading = read(question)
    const show = shower(locale)
    const found =
      overNumbers(reading, show) ?? deviations(reading.text, tables) ?? answerFromTables(reading, tables, show)
    if (found !== undefined) return { kind: 'finding', ...found }
    return refusal(unreadIn(question, today)?.reason ?? explain(reading, tables, reason))
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof Unclear) return refusal(error.message)
    throw error
  }
}

function refusal(reason: string): Computed {
  return { kind: 'refusal', reason }
}

const LEAD =
  /^(?:what (?:is|are|would be|will be)|calculate|compute|work out|find|determine|estimate|give me|show me|how much is|how much are|evaluate|solve|get|result of|value of)\b:?\s*/

/** The question as it stands and without its openers: "what is", "calculate the". */
function* variants(text: string): Generator<string> {
  let rest = text
  for (;;) {
    yield rest
    const shorter = rest.replace(LEAD, '')
    const bare = shorter.replace(/^the /, '')
    if (bare === rest) return
    rest = bare
  }
}

/** Words and marks of arithmetic, and the signs for them. Numbers are placeholders. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bmultiplied by\b|\btimes\b/g, '*'],
  [/\bdivided by\b/g, '/'],
  [/\b(?:raised )?to the power of\b|\*\*/g, '^'],
  [/\bplus\b|\badded to\b/g, '+'],
  [/\bminus\b/g, '-'],
  [/\bmod(?:ulo)?\b/g, 'mod'],
  [/\bsquared\b/g, '^2'],
  [/\bcubed\b/g, '^3'],
  [/\b(?:the )?(?:square root of|sqrt(?: of)?)/g, 'sqrt'],
  [/\b(?:the )?factorial of (#\d+)/g, '$1!'],
  [/(?<=[#\d) ])x(?=[ #(])/g, '*'],
  [/\bpercent\b/g, '%'],
]

/** The text as an expression, with its numbers put in. */
function expressionOf(reading: Reading, text: string): string {
  const signs = WORDS.reduce((rest, [pattern, sign]) => rest.replace(pattern, sign), text)
  return signs.replace(/#\d+/g, (placeholder) => literal(numberAt(reading, placeholder)))
}

function overNumbers(reading: Reading, show: Show): Finding | undefined {
  if (reading.numbers.length === 0) return undefined
  for (const text of variants(reading.text)) {
    for (const rule of [...GROWTH_RULES, ...NUMBER_RULES]) {
      const found = apply(rule, text, reading, show)
      if (found !== undefined) return found
    }
    // A number alone is no question.
    const worked = /^#\d+$/.test(text) ? undefined : evaluate(expressionOf(reading, text))
    if (worked !== undefined) {
      const { value, code } = worked
      return { answer: `The result is ${show(value)}.`, code, value: plainValue(value) }
    }
  }
  return undefined
}

function apply({ pattern, find, isSpan }: Rule, text: string, reading: Reading, show: Show): Finding | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const captured = match.slice(1).filter((group) => group !== undefined)
  const placeholders = captured.flatMap((group) => group.match(/-?#\d+/g) ?? [])
  if (isSpan === true && placeholders.filter((placeholder) => looksLikeYear(reading, placeholder)).length >= 2) {
    throw new Unclear('The numbers look like years. Name the amounts to compare, such as “from 120 to 150”.')
  }
  const words = captured.filter((group) => !group.includes('#'))
  return find({ n: placeholders.map((placeholder) => numberAt(reading, placeholder)), words, show })
}

/** Words that the rules know; what is left over is named in the refusal. */
const KNOWN = wordSet(
  'what which is are the of a an to and or from by in on at for over than as how much many more less percent percentage ' +
    'share ratio difference between sum total average mean median maximum minimum calculate compute compare estimate project ' +
    'forecast interest compound growth change increase decrease years year per all they these those them it be would will with',
)

function explain({ text, numbers }: Reading, tables: readonly GivenTable[], reason: string | undefined): string {
  const unknown = [...new Set(text.match(/[\p{L}][\p{L}'-]*/gu))].filter((word) => !KNOWN.has(word)).slice(0, 5)
  const isOverNothing = numbers.length === 0 && tables.length === 0
  const ways = `${withoutModel(reason)} I work out arithmetic, percentages, ratios, differences, growth, interest and simple statistics${isOverNothing ? ' over numbers in the question or a table that was found before' : ''}; every word of the question must fit.`
  return [
    ways,
    ...(unknown.length === 0 ? [] : [`I did not understand ${unknown.map((word) => `“${word}”`).join(', ')}.`]),
  ].join(' ')
}
