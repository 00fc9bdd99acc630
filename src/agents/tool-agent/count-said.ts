import { cut } from '../../core/outside.ts'
import { figuresIn, readable, type NumberFigure } from '../../language/figures/read.ts'
import { sentencesOf } from '../../language/figures/sentences.ts'
import { NEGATION } from '../../language/negation.ts'
import { stem, wordsOf } from '../../language/tokens.ts'
import { withoutMarks } from '../citations.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** More than a person would have quoted from, in characters. */
const MOST_READ = 60_000
const HOW_MANY =
  /^(?<lead>.*?)\b(?:how many|(?:the )?(?:total )?(?:number|count) of)\s+(?:the )?(?<asked>.+?)(?:,? (?:please|thanks?|thank you))?[\s.?!]*$/is
/** Words around what is counted by which it is asked for; “can” and “need” are none: what can be is not what is. */
const ASKING = set(
  'a an and any are at be been by contain contains count do does did file files for from give has have hold holds how i in is it ' +
    'its know let list lists many me mention mentioned mentions my name named names now number of on or our please read reads say ' +
    'said says see show shown shows speak speaks stand stands state stated states tell text that the their them then there ' +
    'these they this those to us was we were what which with you your',
)
/** What ends the words for what is counted. */
const ENDS = set(
  'a about after and are as at be because been before but by came can contain contains could did do does done during each for ' +
    'from had has have he holds i if in into is it its list lists may mention mentions must name named names no nor not of on ' +
    'or our over per remain said say says she should since so than that the their them then there these they this those to ' +
    'until was we went were when where which while who whose will with within without would you your',
)
const BOUND =
  /(?:\b(?:at (?:least|most)|(?:more|less|fewer|greater) than|up to|over|under|above|below|between|minimum|maximum|min|max|within|exceed(?:s|ed|ing)?)(?: of)?|[<>≤≥])\s*$/i
const RANGE = /(?:\d|\b[a-z]+)\s*(?:[-–—/]|\b(?:to|or|bis)\b)\s*$|\b(?:between|from)\s+\S+\s+and\s*$/i
const PART_OF =
  /(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|some|most|half|many|all|none|each|both|several))\s+(?:out )?of (?:(?:the|our|all|these|those|its|their) )*$/i
/** What is wished, supposed or asked is not so. */
const SUPPOSED =
  /\?|\b(?:if|unless|whether|should|would|could|might|perhaps|maybe|probably|expect\w*|plan(?:s|ned)?|forecast\w*|target\w*|goal|want\w*|hope[sd]?|or (?:more|less|fewer)|wrong(?:ly)?|instead|false(?:ly)?)\b/i
/** Small, since May is a month. */
const MAY = /\bmay\b/
const FARTHEST = 4
const MOST_QUOTED = 200

interface Mention {
  readonly sentence: string
  /** The part of the sentence that speaks of it. */
  readonly piece: string
  /** Stems of what is counted, as far as the clause says the same. */
  readonly counted: readonly string[]
  /** Whether the number is that of the things, and not that of a part of them, a bound, or something that is not so. */
  readonly isPlain: boolean
}

/**
 * Of parts of a question that a call leaves open those that what it gave answers all the same, each with what to say of it.
 * @param input of the call; of several places at once nobody knows of which a number is
 */
export function countsSaid(
  parts: readonly string[],
  input: Readonly<Record<string, unknown>>,
  text: string,
): { readonly part: string; readonly said: string }[] {
  const places = Object.values(input)
  if (places.some((value) => Array.isArray(value) && value.length > 1)) return []
  const known = new Set(wordsOf(JSON.stringify(places)).map(stem))
  const [place] = places
  const where = places.length === 1 && typeof place === 'string' ? `${cut(place, MOST_QUOTED)} says` : 'it says'
  return parts.flatMap((part) => {
    const sentence = countSaid(part, text, known)
    if (sentence === undefined) return []
    const asked = cut(part.replace(/[\s.?!]+$/, ''), MOST_QUOTED)
    return [{ part, said: `To “${asked}”, ${where}: “${withoutMarks(sentence)}”` }]
  })
}

/**
 * The sentence of a text that says how many there are of what a clause asks for; undefined unless the text says it once, plainly,
 * and of all that the clause names: of several numbers, who knows which.
 * @param known words, stemmed, for the text itself, such as the name of its file
 */
export function countSaid(clause: string, text: string, known: ReadonlySet<string>): string | undefined {
  const { lead = '', asked = '' } = HOW_MANY.exec(clause)?.groups ?? {}
  if (asked === '' || text.length > MOST_READ || isMore(asked)) return undefined
  const things = phraseAt(asked)
  if (things.length === 0 || things[0] === 'times' || !isAsking(wordsOf(lead), known)) return undefined
  const mentions = sentencesOf(unwrapped(readable(text))).flatMap((sentence) => mentionsIn(sentence, things))
  const meant = mentions.filter(({ piece, counted }) => {
    const there = new Set([...known, ...counted, ...wordsOf(piece).map(stem)])
    return isAsking(wordsOf(asked), there)
  })
  const isOfSome = !isAsking(wordsOf(asked), new Set([...known, ...things.map(stem)]))
  const [only, ...others] = isOfSome ? meant : mentions
  return only?.isPlain === true && others.length === 0 && meant.includes(only) ? only.sentence.trim() : undefined
}

/** Whether more than one number is asked for, or what is not of the things. */
function isMore(asked: string): boolean {
  return HOW_MANY.test(asked) || /\b(?:and|or)\b|,/i.test(asked) || NEGATION.test(asked)
}

function isAsking(words: readonly string[], held: ReadonlySet<string>): boolean {
  return words.every((word) => ASKING.has(word) || held.has(stem(word)))
}

/** Lines that only their width has broken. */
function unwrapped(text: string): string {
  return text.replace(/(?<=[\p{L}\p{N},])\r?\n(?=\p{Ll})/gu, ' ')
}

/** The words that a phrase begins with, up to what ends it: a mark, a verb, the name of a file. */
function phraseAt(text: string): string[] {
  const words: string[] = []
  for (const [, word, behind] of text.matchAll(/\s*([\p{L}\p{M}’'-]+)(\S*)/gu)) {
    if (ENDS.has(word!.toLowerCase()) || /^[./\\_\d@]\S/.test(behind!)) break
    words.push(word!.toLowerCase())
    if (behind !== '' || words.length === FARTHEST) break
  }
  return words
}

function mentionsIn(sentence: string, things: readonly string[]): Mention[] {
  if (!/\d|\p{L}/u.test(sentence)) return []
  const isSo = !SUPPOSED.test(sentence) && !MAY.test(sentence) && !NEGATION.test(sentence.replace(/\bonly\b/gi, ' '))
  return figuresIn(sentence).flatMap((figure) => {
    if (figure.kind !== 'number') return []
    const [before, after] = [sentence.slice(0, figure.at), sentence.slice(figure.at + figure.text.length)]
    const found = behind(figure, after, things) ?? asLabel(before, after, things)
    if (found === undefined) return []
    const isWhole = !BOUND.test(before) && !RANGE.test(before) && !PART_OF.test(before)
    return [
      {
        sentence,
        piece: pieceAt(before, figure.text + after),
        counted: found.counted,
        isPlain: found.isSame && isPlain(figure) && isWhole && isSo,
      },
    ]
  })
}

function isPlain({ text, readings, isPercent, isOrdinal, isYear, unit }: NumberFigure): boolean {
  const isCount = readings.some(({ value }) => Number.isInteger(value) && value >= 0)
  // “2025 orders” may be those of a year; written in words it is none.
  const isNumber = isYear === false || !/\d/.test(text)
  return isCount && isNumber && !isPercent && !isOrdinal && !['label', 'ratio', 'percent'].includes(unit?.kind ?? '')
}

type Counted = { readonly counted: readonly string[]; readonly isSame: boolean } | undefined

/** “12 orders”. “12 order forms” are no orders, “12 new orders” not all of them. */
function behind({ readings }: NumberFigure, after: string, things: readonly string[]): Counted {
  const phrase = /^\+?[ \t]/.test(after) ? phraseAt(after.replace(/^\+/, '')) : []
  const isOne = readings.some(({ value }) => value === 1)
  const differs = things.findIndex((thing, at) => {
    const word = phrase[at]
    return word === undefined || (isOne ? stem(word) !== stem(thing) : word !== thing)
  })
  const length = differs < 0 ? things.length : differs
  const isSame = length > 0 && !isPlural(phrase[length]) && !isPlural(things[length])
  const counted = (length > 0 ? things.slice(0, length) : things.filter((thing) => phrase.includes(thing))).map(stem)
  return counted.length === 0 ? undefined : { counted, isSame: isSame && !after.startsWith('+') }
}

function isPlural(word: string | undefined): boolean {
  return word !== undefined && /(?:[^su]s|people|men)$/.test(word)
}

/** “Orders: 12”, “the number of orders is 12”. A number behind the singular is the name of one. */
function asLabel(before: string, after: string, things: readonly string[]): Counted {
  const label = /([\p{L} _]+)["*]*\s*(?:[:=]|(?<=\b(?:number|count) of [\p{L} ]+) (?:is|are|was|were))\s*["*]*$/iu.exec(
    before,
  )?.[1]
  if (label === undefined) return undefined
  const words = label
    .toLowerCase()
    .split(/[ _]+/)
    .filter((word) => word !== '')
  const length =
    things.findLastIndex((_, at) => words.slice(-at - 1).join(' ') === things.slice(0, at + 1).join(' ')) + 1
  const rest = words.slice(0, words.length - length)
  if (length === 0) return undefined
  const isSame = rest.every((word) => ASKING.has(word) || word === 'total') && !isPlural(things[length])
  return {
    counted: things.slice(0, length).map(stem),
    isSame: isSame && /^["*]*\s*(?:$|[.;)}\]]|,(?!\s*\d))/.test(after),
  }
}

/** Where a number stands between “and”, “but” and the like; what comes first may say when and where. */
function pieceAt(before: string, from: string): string {
  const joint = /[;,:]|(?<!\p{L})(?:and|but|while|whereas|or|though|although)(?!\p{L})/iu
  const said = from.slice(0, joint.exec(from.replace(/(?<=\d)[,.](?=\d)/g, ' '))?.index)
  const parts = before.split(new RegExp(joint, 'giu'))
  const last = parts.at(-1)!
  const isFronted =
    parts.length === 2 && /^\s*(?:on|in|at|during|since|by|last|this|yesterday|today|from)\b/i.test(before)
  return `${isFronted ? before : last}${said}`
}
