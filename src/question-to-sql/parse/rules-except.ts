import { given } from '../../core/given.ts'
import { CALLED_OFF } from '../../terms/vocabulary.ts'
import { EXCEPTED, INCLUDED } from '../words/lexicon.ts'
import type { Condition } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import type { ValueSpan } from '../schema/values.ts'
import { attributeAt, entityAt } from './named-things.ts'
import { nounPhraseAt } from './noun-phrase.ts'
import { phraseAt, skip, word, type Parser, type Rule } from './parser.ts'
import { addFlag } from './rules-flag.ts'
import { joinedValues, pushValue } from './rules-value.ts'

const EXCEPT = (
  'except for,except,excluding,other than,apart from,aside from,not counting,not including,leaving out,leaving aside,' +
  'ignoring,minus,outside of,outside'
).split(',')
const INCLUDING = 'including,counting,together with,along with,as well as,in addition to,besides,plus,with'.split(',')

/** Words before a value, or behind it, that say what becomes of its rows; `at` is where it stands, `end` is behind all of it. */
function saidAround(p: Parser, before: readonly string[], after: readonly string[]) {
  const start = p.at + (p.tokens[p.at]?.kind === 'comma' ? 1 : 0)
  const opener = phraseAt(p, start, before)
  const articles = 'the those these any all ones in from of with that are is which who'
  const at = opener === undefined ? skip(p, start) : skip(p, start + opener.length, articles)
  const values = joinedValues(p, at)
  // “excluding cancelled orders”: the noun only repeats what is left out.
  const noun = skip(p, values.at, 'one ones')
  const behind = noun + (values.spans.length > 0 ? (entityAt(p, noun)?.length ?? 0) : 0)
  if (opener !== undefined) return { text: opener.phrase, at, values, end: behind }
  const close = skip(p, behind, 'is are was were being')
  const closer = phraseAt(p, close, after)
  const end = close + (closer?.length ?? 0)
  // “adult members as well as …” goes on.
  if (closer === undefined || values.spans.length === 0 || word(p, end) === 'as') return undefined
  return { text: closer.phrase, at, values, end }
}

/** `except those in Ireland`, `excluding cancelled orders`, `outside Germany`, `children excluded`. */
export const exceptRule: Rule = (p) => {
  const start = p.at + (p.tokens[p.at]?.kind === 'comma' ? 1 : 0)
  // “revenue without cancelled orders in 2025”: of the rows that the figure is made of, and the time is that of the figure.
  const isOwn =
    p.reading.measures.some((m) => m.kind === 'money' || m.kind === 'units') &&
    p.values.has(start + 1) &&
    entityAt(p, start + 1 + (p.values.get(start + 1)?.length ?? 0))?.entity === p.sales.header?.entity
  // “without rejected ones”: of the rows spoken of.
  const isOnes = p.tokens.slice(start + 1, start + 4).some(({ lower }) => lower === 'ones')
  const said = saidAround(p, isOwn || isOnes ? [...EXCEPT, 'without'] : EXCEPT, EXCEPTED)
  if (said === undefined) return false
  const done = p.values.has(said.at) ? negateValue(p, said.at) : addFlag(p, said.at, false)
  if (!done) return refuse(`I do not know what to leave out after “${said.text}”. Please name a value.`)
  p.at = skip(p, Math.max(p.at, said.end), 'ones')
  return isAlone(p, said.text)
}

/** “without cancelled orders and returns”: what is joined to a thing left out is left out, too, and one is all that is read. */
export function isAlone(p: Parser, text: string): true {
  if (!/^(and|or|nor|,)$/.test(word(p, p.at))) return true
  const next = skip(p, p.at + 1, 'a an any the and or')
  const joined = attributeAt(p, next) ?? nounPhraseAt(p, next)
  if (joined !== undefined)
    refuse(
      `I can leave out only one thing after “${text}”, and “${word(p, next)}” follows. Please ask for one at a time, or repeat “${text}”.`,
    )
  return true
}

/**
 * `including cancelled orders`, `children included`: such rows are among the others, so that nothing is filtered by the value.
 * Sales that were called off are otherwise left out of figures.
 */
export const includeRule: Rule = (p) => {
  const said = saidAround(p, INCLUDING, INCLUDED)
  const texts = said?.values.spans.map(({ text }) => text) ?? []
  const quoted = listed(
    texts.map((text) => `“${text}”`),
    'and',
  )
  if (said === undefined || texts.length === 0) return false
  const { reading } = p
  const isFigure = reading.measures.length > 0 || reading.ranking !== undefined
  const isCalledOff = texts.every((text) => CALLED_OFF.includes(text.toLowerCase()))
  if (said.text === 'with' && !(isFigure && isCalledOff)) return false
  if (isFigure && isCalledOff) reading.keepsCancelled = true
  else if (
    said.text === 'besides' ||
    p.clause !== undefined ||
    reading.conditions.some((c) => isRival(c, said.values.spans))
  )
    return refuse(
      `“${said.text}” beside ${quoted}: I do not see what it adds to. Please name all that counts, joined by “or”, or leave it out.`,
    )
  else reading.notes.push(`${quoted} counts with all the others`)
  p.at = said.end
  return true
}

/** Another value of the same column, to which it may be added: “adult members, children included”. */
function isRival(condition: Condition, spans: readonly ValueSpan[]): boolean {
  const hits = condition.kind === 'value' ? condition.alternatives.flat() : []
  return spans.some((s) => s.hits.some((one) => hits.some((h) => h.table === one.table && h.column === one.column)))
}

/** Rows with the value are left out. */
export function negateValue(p: Parser, at: number): boolean {
  const span = p.values.get(at)
  if (span === undefined || span.people !== undefined) return false
  const anchor = entityAt(p, at + span.length)?.entity
  return pushValue(p, span, at + span.length, { mention: 'in', negated: true, ...given({ anchor }) })
}
