import { figuresIn, type Figure } from '../../../language/figures/read.ts'

/** “How heavy”: what the figure must measure, by units or by words. A time of the day is no length. */
interface Measure {
  readonly asked: RegExp
  /** Kinds of units. */
  readonly kinds?: readonly string[]
  /** Words that say it without such a unit. */
  readonly said?: RegExp
  /** Stands in a text that says it of something else: left out before it is looked at. */
  readonly not?: RegExp
}

const LENGTHS = ['metre', 'mile', 'foot', 'inch']
const TIMES = ['second', 'day', 'month']
const WEIGHTS = ['gram', 'pound']
/** “How high is the fee?” asks for an amount, of whatever unit. */
const AMOUNT =
  '(?:amount|average|bonus|budget|commission|compensation|cost|credit|debt|deductible|deposit|discount|dividend|duty|excess|fare|fee|fine|fund|grant|income|interest|level|limit|loan|loss|margin|minimum|maximum|number|part|pay|payment|penalty|pension|percentage|portion|postage|premium|pressure|price|prize|profit|proportion|rate|rebate|reduction|refund|rent|revenue|risk|salary|saving|share|speed|sum|supplement|surcharge|target|tax|temperature|tip|toll|total|turnover|value|voltage|wage)s?'
const NO_AMOUNT = String.raw`(?!.*\b${AMOUNT}\b)`
/** How far away, and how fast; “36 months from delivery” is how long. */
const AWAY =
  /\d[\d.,]*\s*(?:(?!(?:day|week|month|year)s? from)\p{L}+ (?:away|from|off|to the)(?!\p{L})|k?m\/[hs]|\p{L}+ (?:per|an) (?:hour|second))/giu

const MEASURES: readonly Measure[] = [
  { asked: /\bhow heavy\b|\bhow much (?:do|does|did) .+ weigh\b/i, kinds: WEIGHTS },
  {
    asked: new RegExp(String.raw`\bhow (?:large|big)\b${NO_AMOUNT}`, 'i'),
    kinds: [...LENGTHS, 'byte', 'litre'],
    said: /\b(?:square|sq|hectares?|acres?|ha)\b|[mt]²|\b(?:members|people|persons|employees|inhabitants|residents|players|singers|pupils|students|children|adults|volunteers|seats|places|rooms|staff)\b|\bsize\b/iu,
    not: AWAY,
  },
  { asked: new RegExp(String.raw`\bhow (?:tall|deep|wide|thick|high)\b${NO_AMOUNT}`, 'i'), kinds: LENGTHS, not: AWAY },
  {
    asked: /\bhow far\b/i,
    kinds: LENGTHS,
    said: /\b(?:walk|drive|ride|minutes away)\b/i,
    not: /\d[\d.,]*\s*k?m\/[hs]|\d[\d.,]*\s*\p{L}+ (?:by|high|wide|tall|deep|long|thick)(?!\p{L})|by \d[\d.,]*\s*\p{L}+/giu,
  },
  {
    asked: /\bhow long (?:is|are|was|were) (?!.*\b(?:open|closed|available|valid)\b)/i,
    kinds: [...LENGTHS, ...TIMES],
    said: /\b(?:always|never|until|till|unlimited|permanent|for(?:ever| life))\b/i,
    not: AWAY,
  },
  {
    asked: /\bfor how long\b|\bhow long (?:do|does|did|will) .+ (?:last|take|live|stay|run)\b/i,
    kinds: TIMES,
    said: /\b(?:always|never|until|till|from|unlimited|permanent|for(?:ever| life)|times)\b|\d:\d\d|\d washes/i,
    not: /\bevery (?:\S+ )?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b/giu,
  },
  {
    asked: /\bhow old\b/i,
    kinds: ['month'],
    said: /\bold\b|\bage[ds]?\b|\b(?:birthday|built|founded|made|born|established|erected|since|dat(?:es?|ed)|oldest|youngest)\b/i,
    not: /\b(?:for|within|every|after|last\p{L}*|up to) (?:\S+ )?(?:months?|years?)\b/giu,
  },
  {
    asked: /\bhow often\b/i,
    said: /\b(?:once|twice|thrice|times?|every|each|dai?ly|weekly|monthly|quarterly|yearly|annual(?:ly)?|hourly|nightly|always|never|regularly|seldom|rarely|after|when(?:ever)?)\b/i,
  },
  {
    asked: /\bhow fast\b/i,
    kinds: ['mile', 'metre'],
    said: /\b(?:km\/h|kph|mph|knots?|m\/s|kilomet(?:re|er)s? (?:per|an) hour|[MG]bit|minutes?|hours?|seconds?)\b/i,
    not: /\d[\d.,]*\s*(?:m|km|metres?|miles?)(?= (?:by|high|wide|long|from|away|and))|by \d+ ?m\b/giu,
  },
  {
    asked: /\bhow (?:warm|hot|cold)\b|\b(?:what|which) temperature\b/i,
    kinds: ['celsius', 'fahrenheit'],
    said: /\d\s*(?:°|degrees?\b)/i,
  },
  {
    asked: /\b(?:what|which) (?:share|percentage|proportion|fraction)\b/i,
    kinds: ['percent'],
    said: /\b(?:per cent|percent|half|halves|(?:two )?thirds?|quarters?|fifths?|tenths?|whole|all|none)\b/i,
  },
  {
    asked:
      /\bhow expensive\b|\b(?:how much|what)\b(?:(?!,).)*\b(?:do|does|did|will|would) .*\bcost\b|\bwhat (?:is|are|was|were) the prices?\b/i,
    said: /\b(?:free|nothing|no (?:charge|fee|costs?)|included|without charge)\b|\d ?%? (?:of|off) (?:the|its|their) (?:\p{L}+ )?(?:price|rent|amount|value|total|invoice|cost|fee|sum|fare)/iu,
    kinds: ['money', 'plain'],
    not: /\d\d?:\d\d|\d[\d.,]*\s*(?:m²|°|square|hectares?|acres?|k?m\/[hs])/giu,
  },
]

/** “What is the notice period?” */
const PERIOD =
  /\b(?:what|how long)(?:['’]s| (?:is|are|was|were)) (?:the|our|my|your|their) (?<of>\p{L}+) (?<period>periods?)\b/iu
const SPAN = String.raw`(?:\d+|\p{L}+)(?: (?:calendar|working|business|full))?[ -](?:hour|day|week|month|quarter|year)s?`

/** Without the word for how long something is, which a text that says it may lack. */
export function withoutPeriod(question: string): string {
  return question.replace(PERIOD, (said: string, _of: string, period: string) => said.slice(0, -period.length))
}

/** Whether a text speaks of the period that is asked for, or has a time right beside the word: “three months' notice”, “a notice of two weeks”. */
function isOfPeriod(question: string, text: string): boolean {
  const of = PERIOD.exec(question)?.groups?.['of']
  if (of === undefined) return true
  const said = String.raw`${of} periods?|${SPAN}['’]?s? (?:of )?${of}|${of}(?: of|:| is| are| lasts?)(?: (?:at least|up to))? ${SPAN}`
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${said})(?!\p{L})`, 'iu').test(text)
}

/** Whether a text has a figure of what a question asks to be measured, where it does so. */
export function isMeasured(question: string, text: string): boolean {
  return (
    isOfPeriod(question, text) &&
    MEASURES.every(({ asked, kinds = [], said, not }) => {
      if (!asked.test(question)) return true
      const rest = not === undefined ? text : text.replace(not, ' ')
      return said?.test(rest) === true || figuresIn(rest).some((one) => isOfKind(one, kinds))
    })
  )
}

function isOfKind(figure: Figure, kinds: readonly string[]): boolean {
  if (figure.kind === 'name') return false
  if (figure.kind === 'date') return kinds.includes('day') && figure.dates.some(({ months }) => months !== undefined)
  const { unit, isPercent, isOrdinal, isYear } = figure
  if (isPercent) return kinds.includes('percent')
  if (unit === undefined) return kinds.includes('plain') && !isOrdinal && isYear !== true
  return (
    kinds.includes(unit.kind) ||
    (kinds.includes('money') && (unit.kind === 'pound' || /^(?:[A-Z]{3}|\$|cent)$/.test(unit.kind)))
  )
}

/** Quantities that a text with a figure of their unit need not name. */
const QUANTITIES: Readonly<Record<string, RegExp>> = {
  torque: /\d\s?N\s?m\b/,
  pressure: /\d\s?(?:k?Pa|m?bar|psi)\b/,
  voltage: /\d\s?k?V\b/,
  power: /\d\s?[kM]?W\b/,
  frequency: /\d\s?[kMG]?Hz\b/,
}

/** The quantities in a question that a text tells by a unit: of “what torque” the text “85 Nm”. */
export function toldByUnit(question: string, text: string): string[] {
  return Object.entries(QUANTITIES).flatMap(([name, unit]) =>
    new RegExp(String.raw`\b${name}\b`, 'i').test(question) && unit.test(text) ? [name] : [],
  )
}
