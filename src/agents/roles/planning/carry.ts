import { timesIn } from '../../../language/periods.ts'
import type { Part } from './assign.ts'
import type { Clause } from '../../../language/clauses.ts'
import { mask } from '../../../language/mask.ts'
import { namesIn } from './entities.ts'
import { asksForRecords } from './needs.ts'
import { asksForFigure } from './references.ts'

/** Of everything there is, or of now: whatever was spoken of before. */
const WHOLE =
  /\b(?:in total|overall|altogether|ever|in all|all[- ]time|so far|now|currently|at the moment|do we have|have we|are there|exist)\b|^\W*how many [^,]*\b(?:are|is)\b/i
const PLACE = /\b(?:in|from|for|by) (?:the )?$/i
/** “…, and the average”: a measure that stands for a question. */
const MEASURE_BEHIND = /^(?<head>.+?),? and (?<tail>(?:the |their |its )?\p{L}+)[\s.?!]*$/iu

const MEASURE = String.raw`average|mean|median|total|sum|maximum|minimum|highest|lowest|largest|smallest`
const MEASURE_ALONE = new RegExp(
  String.raw`^(?:(?:what|which) (?:is|was|are|were) )?(?:the |their |its )?(?<measure>${MEASURE})(?: of (?:those|them|these))?$`,
  'i',
)

/** “The average” in place of “the total”: of a total it is that of all totals. */
export function withMeasure(piece: string, base: string): string | undefined {
  const measure = MEASURE_ALONE.exec(piece.trim().replace(/[\s.,;?!]+$/, ''))?.groups?.['measure']?.toLowerCase()
  const said = [...base.matchAll(new RegExp(String.raw`\b(?:${MEASURE})\b`, 'gi'))]
  const chosen = said.filter(([word]) => !/^total$/i.test(word))
  const own = chosen.length > 0 ? chosen : said
  const [first] = own
  if (measure === undefined || own.length !== 1 || first === undefined) return undefined
  const isTotal = /^total$/i.test(first[0])
  return (
    base.slice(0, first.index) + (isTotal ? `${measure} total` : measure) + base.slice(first.index + first[0].length)
  )
}

/** “What is the total of invoices in 2025, and the average?” in two. */
export function withMeasures(clause: Clause): Clause[] {
  const { head, tail } = MEASURE_BEHIND.exec(clause.text)?.groups ?? {}
  const text = head === undefined ? undefined : withMeasure(tail!, head)
  if (text === undefined) return [clause]
  const middle = clause.start + head!.length
  return [
    { ...clause, text: head!, end: middle },
    { ...clause, text, link: 'and', start: middle },
  ]
}

/**
 * The period and the place of one part of a question go on to the next, where that names none: “orders in 2025, and the
 * average order value” is that of 2025. Whoever asks is told.
 */
export function carried(parts: readonly Part[], today: string): Part[] {
  const all: Part[] = []
  for (const part of parts) {
    const previous = all.at(-1)
    const isNext = previous?.agent === part.agent && previous.kind === 'find' && part.kind === 'find'
    const inScope = part.link === 'and' ? inScopeOf : withPredicate
    const text = isNext ? inScope(part.text, previous.text, today) : undefined
    all.push(text === undefined ? part : { ...part, text, head: text, isCarried: true })
  }
  return all
}

const PERSON = /\b(?:he|she|him)\b/gi
const PERSONS_OWN = /\b(?:his|hers?)\b/i

/** “… does Jane Peacock have, and how many invoices does she have?”: the one who was named before. */
export function ofSamePerson(text: string, before: string): string | undefined {
  const [name, ...others] = namesIn(before)
  const said = [...mask(text).matchAll(PERSON)]
  if (name === undefined || others.length > 0 || said.length !== 1 || PERSONS_OWN.test(text)) return undefined
  if (namesIn(text).length > 0 || PLACE.test(before.slice(0, before.indexOf(name)))) return undefined
  const [{ 0: pronoun, index }] = said as [RegExpExecArray]
  return text.slice(0, index) + name + text.slice(index + pronoun.length)
}

/** Units of nothing: “how many units did we sell”, “how many were sold”. */
const SOLD_BARE =
  /^\W*(?<head>(?:also )?(?:how many|(?:what is |what was )?the number of)(?: units| items| pieces)?)(?= (?:(?:did|do|have|has) (?:we|they) (?:sell|sold)|(?:were|was|are|have been) sold|sold)\b)/i
const THING = /\b(?:of|for) (?:(?:the|a|an|our) )?$/i

/** “The price of House Espresso, and how many units did we sell”: of that, if of anything. */
export function ofSameThing(text: string, before: string): string | undefined {
  const { head } = SOLD_BARE.exec(text)?.groups ?? {}
  const thing = namesIn(before).find((name) => THING.test(before.slice(0, before.indexOf(name))))
  if (head === undefined || thing === undefined || namesIn(text).length > 0) return undefined
  return text.replace(head, /(?:many|of)$/i.test(head) ? `${head} ${thing}` : `${head} of ${thing}`)
}

/** “How many tracks”, of which nothing else is said. */
const BARE_COUNT =
  /^(?:also )?(?:how many|(?:what is )?(?:the )?number of)(?: (?!(?:in|on|of|at|by|for|from|with|per|are|were|is|was|do|does|did|have|has|had|we)\b)[\p{L}-]+){1,4}$/iu
const PREDICATE =
  /^(?:how many|(?:which|what)(?= [^?]*? (?:do|does|did) ))(?: [\p{L}-]+?){1,4}(?: (?:are|were) there)?(?<rest> (?!there$|we have$)(?:do|does|did|are|were|have|has|had|of|by|for|from|in) (?!we\b|there$).+)$/iu

/** Of “how many products do not have returns”, which part denies is not told by its words. */
const DENIED = /\b(?:not|no|never|none|neither|nor|without|lack(?:s|ed|ing)?|except|excluding|cannot)\b|n['’]t\b/i

/** “How many albums does Iron Maiden have, and how many tracks?”: how many tracks that has. */
function withPredicate(text: string, before: string): string | undefined {
  const [bare, whole] = [text, before].map((said) => said.trim().replace(/[\s.,?!]+$/, ''))
  const rest = BARE_COUNT.test(bare!) && !DENIED.test(whole!) ? PREDICATE.exec(whole!)?.groups?.['rest'] : undefined
  return rest === undefined ? undefined : bare! + rest
}

/** “The albums of Iron Maiden, and how many tracks?”: of that, or of all there are? Only together can the two be understood. */
export function leansOnName(text: string, before: string): boolean {
  const isBare = BARE_COUNT.test(text.trim().replace(/[\s.,?!]+$/, '')) && withPredicate(text, before) === undefined
  return isBare && namesIn(before).some((name) => !PLACE.test(before.slice(0, before.indexOf(name))))
}

/** A question with period and place of the one before it; undefined where it has its own, or wants none. */
export function inScopeOf(text: string, before: string, today: string): string | undefined {
  const whole = withPredicate(text, before)
  if (whole !== undefined) return whole
  if (WHOLE.test(text) || !(asksForFigure(text) || isPast(text))) return undefined
  const [time, ...more] = timesIn(before, today)
  const isTimed = time !== undefined && !('reason' in time) && more.length === 0 && timesIn(text, today).length === 0
  const period = isTimed
    ? /^\d/.test(before.slice(time.start))
      ? time.text
      : before.slice(time.start, time.end).replace(/^\p{Lu}(?=\p{Ll}+ )/u, (letter) => letter.toLowerCase())
    : ''
  const names = namesIn(text).length > 0 ? [] : namesIn(before)
  const [place] = names.flatMap((name) => {
    const lead = PLACE.exec(before.slice(0, before.indexOf(name)))?.[0]
    // The weather in Paris says nothing of where the board met.
    return lead === undefined || !asksForRecords(before) ? [] : [lead + name]
  })
  const scope = [place, period].filter((words) => words !== undefined && words !== '').join(' ')
  return scope === '' ? undefined : `${text.trim().replace(/[\s.?!]+$/, '')} ${scope}`
}

function isPast(text: string): boolean {
  return (
    /\b(?:did|was|were|had|\w{3,}ed)\b/i.test(text) &&
    !/\b(?:is|are|do|does|have|has|must|may|can|will|should)\b/i.test(text)
  )
}
