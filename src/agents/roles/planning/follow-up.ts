import { MAX_RULE_TEXT, ruleText } from '../../../core/rule-text.ts'
import { addDays, addMonths } from '../../../language/days.ts'
import { lastDayOf, periodOf, timesIn, type FoundPeriod } from '../../../language/periods.ts'
import { inScopeOf, withMeasure } from './carry.ts'
import { startsClause, wordsOf } from '../../../language/clause-starts.ts'
import { splitClauses } from '../../../language/clauses.ts'
import { unitCalled } from '../../../language/figures/units.ts'
import { namesIn } from './entities.ts'
import { isElliptical, refersBack } from './references.ts'

/** How a question stands to the one before it. */
export interface Standing {
  /** As it stands alone; the question itself where it does so already. */
  readonly question: string
  /** Why it does not stand alone: a sentence for whoever asked. */
  readonly unclear?: string
  /** Nothing but a piece of a question: no agent can do anything with it. */
  readonly isFragment?: boolean
}

/** “And in 2024?”, “What about Germany?” */
const LED = /^(?:(?:and|or|but|then)\b[,\s]*)?(?:(?:what|how) about\b[,\s]*)?/i
const PREPOSITION = String.raw`(?:in|from|for|by|of|at|with|to|since|before|after|until|on|during)`
const PLACED = new RegExp(String.raw`^(?:in|from|for|by|at)\s+(?:the\s+)?\p{Lu}`, 'u')
const OF_THOSE =
  /^how (?<which>many|much) (?:of (?:those|them|these)|(?=(?:are|were|is|was|have|has|had|did)\b(?! (?:we|you|i|they|our|the)\b)))\s*(?<rest>.*)$/i
const WHICH_ONES = /^(?<which>which) (?:ones|of (?:those|them|these)|(?=(?:are|were)\b))\s*(?<rest>.*)$/i
/** “How many are that?”, “What do they add up to?”, “Is it larger for the Netherlands?”: of what was asked for before. */
const HOW_MANY_THAT = /^how many (?:are|is|were|was) (?:that|those|these|they|it)(?: in total)?$/i
const ADDED_UP =
  /^what (?:do|does|did|is|was) (?:they|those|these|that|it|their total)(?: (?:add up|sum up|come|amount) to)?(?: in total)?$/i
const IS_MORE =
  /^(?:is|was|are|were) (?:it|that|the (?:answer|number|figure|count|total|result)) (?:any )?(?:larger|smaller|higher|lower|bigger|greater|more|less|fewer|the same|different) (?:for|in|with|of) (?<piece>.+)$/i
/** “When they are ill”: whoever the question before was about. */
const THEY = /\bthey\b/gi
const ABOUT = /\b(?:do|does|did|can|may|must|should|will) (?:the |our )?(?<nouns>\p{Ll}[\p{L}-]*s)(?= \p{Ll})/u
/** Characters of a question that is changed in one place. */
const LONGEST_BASE = 300
const THERE = new RegExp(String.raw`^how many (?:are|were) there (?<rest>${PREPOSITION}\b.+)$`, 'i')

/**
 * The question as it stands alone, where it differs from the one before it in a single place: its period, a named value, a
 * measure, or what is said of “those”. `before` stands alone itself; `today` is YYYY-MM-DD.
 */
export function standingOf(question: string, last: string | undefined, today: string): Standing {
  if (question.length > MAX_RULE_TEXT) return { question }
  const before = last === undefined ? undefined : ruleText(last)
  const said = withoutEnd(question)
  const rest = said.replace(LED, '')
  const isLed = rest !== said
  const isPiece = isLed ? !startsClause(rest) : periodOf(said, today) !== undefined || PLACED.test(said)
  const isShort = wordsOf(rest).length <= 12 && splitClauses(question).length < 2
  const asked = before === undefined ? undefined : ofAsked(rest, withoutEnd(before))
  if (asked !== undefined) return { question: `${capital(asked)}?` }
  const leansOn = OF_THOSE.exec(rest) ?? WHICH_ONES.exec(rest)
  if (!isShort || (!isPiece && leansOn === null && !THERE.test(rest))) {
    if (before === undefined) return { question }
    const scoped = isLed && startsClause(rest) ? inScopeOf(rest, before, today) : undefined
    if (scoped !== undefined) return { question: `${capital(scoped)}?` }
    return refersBack(rest) || isElliptical(rest)
      ? { question, unclear: unclearSentence(question, before) }
      : { question }
  }
  if (before === undefined) {
    // “What about overtime?” is a question to documents.
    if (!/^(?:and|or|but|then)\b/i.test(said) || !isPiece) return { question }
    const unclear = `“${question.trim()}” goes on from a question before it, and there is none. Ask the whole question.`
    return { question, unclear, isFragment: true }
  }
  const base = withoutEnd(before)
  const isBaseWhole = base.length <= LONGEST_BASE && standingOf(before, undefined, today).isFragment !== true
  if (!isBaseWhole) return { question, unclear: unclearSentence(question, before), isFragment: isPiece }
  const piece = (THERE.exec(rest)?.groups?.['rest'] ?? rest).replace(
    /^(?:In|From|For|By|At|Since|Before|After|Until|On|During|Last|This|The)\b/,
    (letter) => letter.toLowerCase(),
  )
  const changed = leansOn !== null && !THERE.test(rest) ? ofThose(leansOn, base) : withPiece(piece, base, today)
  if (changed !== undefined) return { question: `${capital(changed)}?` }
  return { question, unclear: unclearSentence(question, before), ...(isPiece ? { isFragment: true } : {}) }
}

/** What leans on the things or the figure asked for before by one place alone. */
function ofAsked(rest: string, base: string): string | undefined {
  if (base.length > LONGEST_BASE || splitClauses(base).length > 1) return undefined
  if (HOW_MANY_THAT.test(rest)) {
    if (/^which \p{Ll}/u.test(base.slice(0, 1).toLowerCase() + base.slice(1)))
      return base.replace(/^which/i, 'how many')
    const { verb, what } = /^who (?<verb>\p{Ll}+[^s\s])s (?<what>.+)$/iu.exec(base)?.groups ?? {}
    return verb === undefined ? undefined : `how many ${verb} ${what}`
  }
  if (ADDED_UP.test(rest) && / to\b| total/i.test(rest)) {
    const { state, noun } = STATED.exec(base)?.groups ?? {}
    return state === undefined ? undefined : `what is the total of ${state} ${noun}`
  }
  const { piece } = IS_MORE.exec(rest)?.groups ?? {}
  if (piece !== undefined) {
    const [name, ...more] = namesIn(base)
    const [own, ...others] = namesIn(`of ${piece}`)
    const isOne = name !== undefined && own !== undefined && more.length + others.length === 0
    return isOne && own === piece.replace(/^the\s+/i, '') ? base.replace(name, own) : undefined
  }
  const { nouns } = isAmbiguous(base) ? {} : (ABOUT.exec(base)?.groups ?? {})
  const isOfThem = nouns !== undefined && rest.match(THEY)?.length === 1 && !refersBack(rest.replace(THEY, nouns))
  return isOfThem ? rest.replace(THEY, nouns) : undefined
}

/** “How many orders did customers place?” is about both; days and hours are nobody. */
function isAmbiguous(base: string): boolean {
  const [, how, things = ''] = /^(how many|which|what) (\p{L}+)/iu.exec(base) ?? []
  return how !== undefined && !(/many/i.test(how) && unitCalled(things) !== undefined)
}

/** The answer before in other words: nothing to look up. */
const REWORDED =
  /^(?:please |now |and |can you )*(?:(?:make|say|put|write|tell|give) (?:it|that|this|me that)\b.*\b(?:shorter|short|longer|simpler|briefer|brief|briefly|clearer|words?|language|english|german|french|formal|friendlier|again)\b|(?:shorten|summari[sz]e|rephrase|reword|translate|simplify|explain) (?:it|that|this)\b|(?:shorter|longer|simpler|in short)\b.{0,20}$)/i

function unclearSentence(question: string, whole: string): string {
  if (REWORDED.test(question.trim()))
    return `“${question.trim()}” asks for the answer before in other words, for which a language model is needed.`
  const before = whole.length > LONGEST_BASE ? `${whole.slice(0, LONGEST_BASE)}…` : whole
  return `“${question.trim()}” goes on from “${before.trim()}”, and it is not clear how. Ask the whole question.`
}

/** The question before with one place of it changed; undefined where it is not certain which. */
function withPiece(piece: string, base: string, today: string): string | undefined {
  const times = timesIn(base, today)
  const [time] = times
  if (times.length > 1 || (time !== undefined && 'reason' in time)) return undefined
  const near = neighbourOf(piece, time)
  const period = near ?? (periodOf(piece, today) === undefined ? undefined : piece)
  if (period !== undefined) return inPlaceOf(base, time, /^(?:19|20)\d\d$/.test(period) ? `in ${period}` : period)
  const names = namesIn(base)
  if (PLACED.test(piece)) return withPlace(piece, base, names)
  // “And Harbour Couriers?”
  const [own, ...more] = namesIn(`of ${piece}`)
  if (own !== undefined) {
    const isAll = more.length === 0 && own === piece.replace(/^the\s+/i, '')
    return isAll && names.length === 1 ? base.replace(names[0]!, own) : undefined
  }
  return withMeasure(piece, base) ?? withWord(piece, base)
}

function inPlaceOf(base: string, time: FoundPeriod | undefined, words: string): string {
  return time === undefined ? `${base} ${words}` : base.slice(0, time.start) + words + base.slice(time.end)
}

const NEIGHBOUR =
  /^(?:in |for )?(?:the )?(?:(?<unit>day|week|month|quarter|year) (?<side>before|after)(?: that)?|(?<which>previous|preceding|following) (?<of>day|week|month|quarter|year))$/i

/** “The month before” the month that was spoken of. */
function neighbourOf(piece: string, time: FoundPeriod | undefined): string | undefined {
  const { unit, side, which = '', of } = NEIGHBOUR.exec(piece)?.groups ?? {}
  const { from, before } = time ?? {}
  if (from === undefined || before === undefined) return undefined
  const step = STEPS[(unit ?? of ?? '').toLowerCase()]
  if (step === undefined || step(from, 1) !== before) return undefined
  const isLater = side?.toLowerCase() === 'after' || which.toLowerCase() === 'following'
  const [first, end] = isLater ? [before, step(before, 1)] : [step(from, -1), from]
  return `from ${first} to ${lastDayOf({ before: end })!}`
}

const STEPS: Readonly<Record<string, (day: string, by: number) => string>> = {
  day: addDays,
  week: (day, by) => addDays(day, 7 * by),
  month: addMonths,
  quarter: (day, by) => addMonths(day, 3 * by),
  year: (day, by) => addMonths(day, 12 * by),
}

/** “In Germany” takes the place of “in Spain”, and is added where nothing of the kind was named. */
function withPlace(piece: string, base: string, names: readonly string[]): string | undefined {
  const placed = names.filter((name) =>
    new RegExp(String.raw`\b(?:in|from|for|by|at) (?:the )?$`, 'i').test(before(name)),
  )
  if (placed.length > 1) return undefined
  const [name] = placed
  if (name === undefined) return `${base} ${piece}`
  const start = before(name).replace(/\b(?:in|from|for|by|at) (?:the )?$/i, '')
  return start + piece + base.slice(before(name).length + name.length)

  function before(text: string): string {
    return base.slice(0, base.indexOf(text))
  }
}

const HOW_MANY =
  /^(?<lead>how many )(?<noun>\p{Ll}[\p{L}-]*)(?<rest> (?:are there|were there|do we have|did we have|have we)\b.*| (?:are|were) (?<state>[\p{L}-]+))$/iu

/** “And suppliers?” after “How many customers are there?”; “And low?” after “… have the priority high?”. */
function withWord(piece: string, base: string): string | undefined {
  if (!/^\p{Ll}[\p{L}-]*$/u.test(piece)) return undefined
  const { lead, rest = '', state } = HOW_MANY.exec(base)?.groups ?? {}
  const isNoun = /(?:[^aius]s|ies|ees)$/.test(piece)
  if (isNoun) return lead === undefined ? undefined : `${lead}${piece}${rest}`
  if (state !== undefined) return base.slice(0, base.length - state.length) + piece
  const last = / the [\p{L}-]+ (?<last>\p{Ll}+)$/u.exec(base)?.groups?.['last']
  return last === undefined ? undefined : base.slice(0, base.length - last.length) + piece
}

const THINGS = new RegExp(
  String.raw`^(?:how many|which|what|(?:list|show|give)(?: me| us)?)(?: all| the)* (?<noun>\p{Ll}[\p{L}-]*)(?: (?:are there|were there|do we have|did we have|have we|are|were)\b(?! \p{Ll}+$))?(?<scope> ${PREPOSITION} .+)?$`,
  'iu',
)
const STATED = /^(?:how many|which) (?<noun>\p{Ll}[\p{L}-]*) (?:are|were) (?!there$)(?<state>\p{Ll}[\p{L}-]+)$/iu

/** “How many of those are active?”: of the things that were asked for. */
function ofThose({ groups }: RegExpExecArray, base: string): string | undefined {
  const { which = '', rest = '' } = groups!
  const stated = STATED.exec(base)?.groups
  const { noun, scope = '' } = THINGS.exec(base)?.groups ?? {}
  const things = stated === undefined ? noun && noun + scope : `${stated['state']} ${stated['noun']}`
  if (things === undefined) return undefined
  return `${/^which$/i.test(which) ? 'which' : `how ${which}`} ${things} ${rest}`.trim()
}

function withoutEnd(text: string): string {
  return text.trim().replace(/[\s.,;?!]+$/, '')
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
