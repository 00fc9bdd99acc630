import { periodAt, type FoundPeriod } from './periods.ts'

type Closed = FoundPeriod & {
  readonly from: string
  readonly before: string
  /** In the words of the text. */ readonly said: string
}

/** Two times that are compared, the earlier one first, and the same question about each of them. */
export interface PeriodPair {
  readonly periods: readonly [Closed, Closed]
  readonly questions: readonly [string, string]
  /** Rows are asked for, and no figure. */
  readonly isList: boolean
}

const VERSUS = 'vs\\.?|versus|against|(?:as )?compared (?:to|with)'
const JOINT = new RegExp(`,? (?:(?<versus>${VERSUS})|and|with|to|than) (?=[\\p{L}\\p{N}])`, 'giu')

const NOUN = '(?:growth|change|increase|decrease|decline|rise|drop|fall|difference|development)(?: rate)?'
const VERB = '(?:grow|change|increase|decrease|decline|rise|drop|fall|shrink|differ|develop|go (?:up|down)|improve)'
const CHANGE_OF = `(?:what(?: is| was|'s) )?(?:the )?(?:percent(?:age)? )?${NOUN} (?:of|in|for) `
/** What the change is broken down by may stand between it and the times. */
const EACH = '((?: (?:by|per|for each|for every) [^§]+?)?)(?= §)'
const DONE = '(?:grown|changed|increased|decreased|declined|risen|dropped|fallen|shrunk|developed|gone (?:up|down))'

/** How a change is asked for (`§` stands for the two times), and the question that asks for the figure itself. */
const FRAMES: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`^(?:by )?how(?: much)? (?:did|has|have|do|does) (.+?) (?:${VERB}|${DONE})${EACH}`, 'iu'),
    'what is $1$2',
  ],
  [/^how (many|much) (?:more|fewer|less) /iu, 'how $1 '],
  [/^(?:by )?how much (?:higher|lower|larger|bigger|smaller) (was|were|is|are) /iu, 'what $1 '],
  [new RegExp(`^(?:(?:show|give|tell) (?:me |us )?)?${CHANGE_OF}`, 'iu'), 'what is '],
  [new RegExp(`^(?:what(?: is| was|'s) )?(?!how )(.+?) ${NOUN}${EACH}`, 'iu'), 'what is $1$2'],
  [/^compare /iu, 'what is '],
]

const ASKED = '(?:(?:please|can|could|would|you|i|we|want|need|to|like|see|now|then|and) )*'
const LIST = new RegExp(
  `^${ASKED}(?:list|show|give|find|get|display|print|tell|name|which|who|whose|what(?!(?: is| was|'s)\\b))\\b|^(?!${CHANGE_OF}).*\\b(?:with|having|whose)\\b.*§`,
  'iu',
)

/** `revenue 2024 vs 2025`, `how much did revenue grow from 2024 to 2025`, `how many more orders in 2025 than in 2024`. */
export function periodPairIn(text: string, today: string): PeriodPair | undefined {
  if (text.includes('§')) return undefined
  for (const joint of text.matchAll(JOINT)) {
    const second = closedAt(text, joint.index + joint[0].length, today)
    const first = second === undefined ? undefined : endingAt(text, joint.index, today)
    if (first === undefined || second === undefined) continue
    const head = text.slice(0, first.start).replace(/\b(?:from|between) $/iu, '')
    const framed = `${head}§${text.slice(second.end)}`.replace(/(?<=\S)§/u, ' §')
    const [frame, asked = ''] = FRAMES.find(([pattern]) => pattern.test(framed)) ?? []
    if (frame === undefined && joint.groups?.['versus'] === undefined) continue
    const question = frame === undefined ? framed : framed.replace(frame, asked)
    const [early, late] = first.from <= second.from ? [first, second] : [second, first]
    const about = (period: Closed): string => question.replace('§', period.text)
    return { periods: [early, late], questions: [about(early), about(late)], isList: LIST.test(framed) }
  }
  return undefined
}

const RELATIVE = /\b(?:last|this|previous|prior|current|past|ago|today|yesterday)\b/iu

/** Two times that nothing tells by which of them is the larger: why not, in a sentence. */
export function whyNotCompared({ periods }: PeriodPair): string | undefined {
  const [early, late] = periods
  const [one, other] = periods.map(({ from, before }) => Date.parse(before) - Date.parse(from)) as [number, number]
  const [isTold, isToldToo] = periods.map(({ said }) => /\d{4}/.test(said) || RELATIVE.test(said))
  if (isTold !== isToldToo) return `“${early.text}” and “${late.text}”: please name both times with their year.`
  if (early.before > late.from) return 'The two times overlap. Please name two that can be compared.'
  // A leap year and a short month are not meant.
  const isLonger = Math.max(one, other) > 1.2 * Math.min(one, other)
  return isLonger ? `“${early.text}” and “${late.text}” are of different length. Please name both in full.` : undefined
}

/** A stretch of days that begins and ends. */
function closedAt(text: string, at: number, today: string): Closed | undefined {
  const found = periodAt(text, at, today)
  const { from, before } = found ?? {}
  return found?.relation !== 'in' || from === undefined || before === undefined
    ? undefined
    : { ...found, from, before, said: text.slice(found.start, found.end) }
}

const WORD_START = /(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu
/** Words and figures that a time is said in. */
const LONGEST_TIME = 12

/** The one whose words end here, with its preposition. */
function endingAt(text: string, end: number, today: string): Closed | undefined {
  const until = text.slice(0, end)
  for (const { index } of [...until.matchAll(WORD_START)].slice(-LONGEST_TIME)) {
    const period = closedAt(until, index, today)
    if (period?.end === end) return period
  }
  return undefined
}
