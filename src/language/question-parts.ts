import { wordsOf } from './clause-starts.ts'
import { splitClauses } from './clauses.ts'

/** A part of a question to documents. */
export interface QuestionPart {
  /** In the question's own words. */
  readonly text: string
  /** As it stands alone: with what its pronoun stands for. */
  readonly question: string
  /** Too short to say what it speaks of: it goes on about the document of the part before. */
  readonly isLeaning: boolean
}

const ASKING = 'what|how|which|who|whom|whose|when|where|why'
const ASKING_ELSEWHERE =
  'wer|wen|wem|was|wann|wo|wie|warum|welche[rsnm]?|wieviel|qui|que|quand|où|comment|combien|pourquoi|quel(?:le)?s?|' +
  'quién(?:es)?|qué|cuándo|dónde|cómo|cuánt[oa]s?|cuál(?:es)?|chi|cosa|quando|dove|come|quant[oiae]|quali?|quem|onde|como|quais|wat|wanneer|waar|hoeveel'
const VERB = 'is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|am'
const VERB_ELSEWHERE =
  'ist|sind|hat|haben|kann|können|darf|dürfen|muss|müssen|wird|werden|gibt|est|sont|peut|peuvent|doit|faut|es|son|está|están|hay|' +
  'puede|pueden|debe|è|sono|può|possono|deve|pode|podem|há|mag|mogen|moet|moeten|kan|kunnen'
const LEAD = 'at|by|for|from|in|of|on|since|to|until|with|within|under|about'
const LEAD_ELSEWHERE =
  'ab|bis|seit|mit|von|für|bei|an|in|um|à|de|avec|pour|dans|depuis|a|con|para|desde|en|per|da|com|met|voor|op|vanaf'

const STARTS = String.raw`(?:(?:${LEAD}) )?(?:${ASKING})|(?:${VERB})(?! (?:${LEAD}|near|next|close|not|and|or)(?!\p{L}))`
const STARTS_ELSEWHERE = String.raw`(?:(?:${LEAD_ELSEWHERE}) )?(?:${ASKING_ELSEWHERE})|${VERB_ELSEWHERE}`
const QUESTION = new RegExp(String.raw`^[¿\s]*(?:${STARTS}|${STARTS_ELSEWHERE})(?!\p{L})`, 'iu')
/** Between two questions, in English and elsewhere. */
const JOINT = new RegExp(
  String.raw`[,;]?\s+(?:(?:and|but|plus) (?:also )?(?=(?:${STARTS})(?!\p{L}))|(?:und|et|y|e|en) (?=[¿]?(?:${STARTS_ELSEWHERE})(?!\p{L})))`,
  'giu',
)
/** “What is the deposit and the notice period?” */
const THINGS =
  /^(?<lead>(?:what (?:is|are|was|were)|tell me|give me) )(?<one>(?:the|a|an|our|my|its|their) .+?),? and (?<other>(?:the|a|an|our|my|its|their) .+)$/iu
const PHASES = 'before|during|after|with|without'
/** “What is the notice period during probation and after it?” is asked twice, and so is “before and after probation”. */
const CASES = new RegExp(
  String.raw`^(?<lead>.*?\p{L}) (?<one>(?<how>${PHASES}|for|in|on|at|by|under|over|within)\b[^,]*?),? and (?<other>(?:\k<how>|${PHASES})\b.+)$`,
  'iu',
)
const OF = /\b(?:of|for|in|at) (?:the |a |an |our |my )?\p{L}.*$/iu

/** More parts than a person asks at once. */
const MOST_PARTS = 4

/** The questions that a text asks one after the other; none where it asks one, or one that could not be understood alone. */
export function questionParts(text: string): readonly QuestionPart[] {
  const texts = splitClauses(text).flatMap(({ text: clause }) => piecesOf(clause))
  if (texts.length < 2 || texts.length > MOST_PARTS || !texts.every((one) => QUESTION.test(one) || THING.test(one)))
    return []
  const parts: QuestionPart[] = []
  for (const one of texts) {
    const question = parts.length === 0 ? one : alone(one, parts.at(-1)!.question)
    if (question === undefined) return []
    const isLeaning = parts.length > 0 && (question !== one || wordsOf(one).length <= 2)
    parts.push({ text: one.replace(/[\s.?!]+$/, ''), question, isLeaning })
  }
  return parts
}

const THING = /^(?:tell|give) me (?:the|a|an|our|my|its|their) /i

function piecesOf(clause: string): string[] {
  const pieces: string[] = []
  let from = 0
  if (QUESTION.test(clause)) {
    for (const { 0: joint, index } of clause.matchAll(JOINT)) {
      if (wordsOf(clause.slice(from, index)).length < 3) continue
      pieces.push(clause.slice(from, index))
      from = index + joint.length
    }
  }
  return [...pieces, clause.slice(from)].flatMap(thingsOf)
}

function thingsOf(text: string): string[] {
  const bare = text.replace(/[\s.?!]+$/, '')
  const { lead, one, other } = THINGS.exec(bare)?.groups ?? {}
  if (one === undefined) return casesOf(bare) ?? [text.trim()]
  const of = OF.exec(one) === null ? (OF.exec(other!)?.[0] ?? '') : ''
  return [`${lead}${one}${of === '' ? '' : ` ${of}`}`, `${lead}${other}`]
}

function casesOf(text: string): string[] | undefined {
  const { lead = '', one = '', how = '', other = '' } = CASES.exec(text)?.groups ?? {}
  if (!QUESTION.test(lead) || wordsOf(lead).length < 3 || QUESTION.test(other)) return undefined
  const isBare = one === how
  const [, thing = ''] = /^\p{L}+ (.+)$/u.exec(other) ?? []
  if (isBare && !new RegExp(`^(?:${PHASES})$`, 'i').test(how)) return undefined
  const meant = other.replace(/ (?:it|that|this)$/i, one.slice(how.length))
  return [`${lead} ${isBare ? `${how} ${thing}` : one}`, `${lead} ${meant}`]
}

const PRONOUN = /(?<!\p{L})(?:it|they|them|he|she|him)(?!\p{L})/giu
const POSSESSIVE = /(?<!\p{L})(?:its|their|his|her)(?= \p{L})/giu
/** “Gibt es” and “quién es” speak of nothing before them. */
const PRONOUN_ELSEWHERE =
  /(?<!\p{L})(?:(?<!(?:gibt|qu[ií]én(?:es)?|qué|cuándo|dónde|cómo|cuánt[oa]s?|cuál) )es|sie|er|ihn|ihm|seine?[rnms]?|ihre?[rnms]?|davon|dafür|dort|ils?|elles?|sa|ses?|leurs?|él|ella|ellos|ellas|su|sus|esso|essa|esse|het|hij|zij|zijn)(?!\p{L})/iu

/** “And when?”, “and how long?” */
const ALONE = new RegExp(
  String.raw`^\W*(?:(?:${LEAD}) )?(?:${ASKING})(?: (?:many|much|long|often|far|old|high))?\W*$`,
  'i',
)

/** A part with what stood before it; undefined where that is not certain. */
function alone(part: string, before: string): string | undefined {
  if (ALONE.test(part)) return withAsking(part, before)
  if (PRONOUN_ELSEWHERE.test(part)) return undefined
  const [own, bare] = [[...part.matchAll(POSSESSIVE)], [...part.matchAll(PRONOUN)]]
  const [said, ...more] = [...own, ...bare]
  if (said === undefined) return part
  const thing = more.length === 0 ? thingIn(before) : undefined
  if (thing === undefined) return undefined
  const { 0: pronoun, index } = said
  return part.slice(0, index) + thing + (own.length > 0 ? '’s' : '') + part.slice(index + pronoun.length)
}

/** “Who leads the lessons, and when?”: when leads the lessons, as far as words go. */
function withAsking(part: string, before: string): string | undefined {
  const rest = before.replace(
    new RegExp(String.raw`^\W*(?:(?:${LEAD}) )?(?:${ASKING})(?: (?:many|much|long|often|far|old|high))?(?!\p{L})`, 'i'),
    '',
  )
  return rest === before ? undefined : `${part.replace(/[\s.?!]+$/, '')}${rest}`
}

const VERB_FIRST = new RegExp(
  String.raw`(?<!\p{L})(?<verb>${VERB})(?!\p{L}) (?<rest>(?:the|a|an|our|my|this)? ?\p{L}.*)$`,
  'iu',
)
const DETERMINED = /(?<!\p{L})(?:the|a|an|our|my|this) \p{L}[\p{L}\p{N}’'-]*(?: \p{L}[\p{L}\p{N}’'-]*){0,3}/iu
const CUT =
  /[,;]| (?:is|are|was|were|be|been|must|may|can|will|in|on|at|by|to|from|with|after|before|during|when|if|that|which|who|per|within|under)(?!\p{L}).*$/iu

/** What a question speaks of, in its own words: that whose property is asked for. */
function thingIn(question: string): string | undefined {
  const bare = question.replace(/[\s.,?!]+$/, '')
  const { verb = '', rest = '' } = VERB_FIRST.exec(bare)?.groups ?? {}
  const isOfBe = /^(?:is|are|was|were)$/i.test(verb)
  const [owner] = /(?<= (?:of|for) )(?:the|a|an|our|my)? ?\p{L}[^,;]*$/iu.exec(rest) ?? []
  if (isOfBe && /^\W*what\b/i.test(bare) && owner !== undefined) return phrase(owner)
  if (/^there /i.test(rest)) return phrase(rest.slice('there '.length))
  if (verb !== '') {
    const said = rest.replace(CUT, '').trim()
    const isWhole =
      /^\W*(?:what|who) (?:is|are|was|were)\b/i.test(bare) ||
      said !== rest ||
      /^\W*how \p{L}+ (?:is|are)\b/iu.test(bare)
    const words = said.split(' ')
    const most = /^(?:the|a|an|our|my|this)$/i.test(words[0]!) ? 2 : 1
    // The last word is the verb, or what is said of the thing.
    return phrase(isWhole || words.length <= most ? said : words.slice(0, -1).join(' '))
  }
  const [first] = DETERMINED.exec(bare) ?? []
  return first === undefined ? undefined : phrase(first.replace(CUT, ''))
}

function phrase(words: string): string | undefined {
  const text = words.replace(CUT, '').trim()
  const count = wordsOf(text).length
  return count === 0 || count > 7 || /^(?:we|i|you|they|it|he|she|there)$/i.test(text) ? undefined : text
}
