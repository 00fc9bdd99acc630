import { figuresIn } from '../../../language/figures/read.ts'
import { sentencesOf } from '../../../language/figures/sentences.ts'

const THAT = String.raw`(?:that|it|this|that (?:figure|number|amount))`
const TIMES = new RegExp(
  String.raw`^(?:(?:and|now|please|then|so|ok|what(?:['’]s| is|would be)?|show|tell me|calculate|compute)\b[\s,]*)*(?:(?<word>double|twice|triple|treble|three times|quadruple|four times|halve|half)(?: of)? ${THAT}|(?<how>multiply|divide) ${THAT} by (?<by>\d+(?:\.\d+)?)|${THAT} (?<sign>times|divided by) (?<number>\d+(?:\.\d+)?))[\s.?!]*$`,
  'i',
)
const TIMES_OF: Readonly<Record<string, number>> = {
  double: 2,
  twice: 2,
  triple: 3,
  treble: 3,
  'three times': 3,
  quadruple: 4,
  'four times': 4,
}

/** “double that”, “half of it”, “multiply that by 3”: of the one figure that the answer before gave. Undefined for anything else. */
export function scaled(question: string, before: string): string | undefined {
  const { word, how, by, sign, number } = TIMES.exec(question.trim())?.groups ?? {}
  const isDivided = /^(?:div|hal)/i.test(word ?? how ?? sign ?? '')
  const factor = word === undefined ? Number(by ?? number) : (TIMES_OF[word.toLowerCase()] ?? 2)
  if (Number.isNaN(factor) || (isDivided && factor === 0)) return undefined
  const [first = ''] = sentencesOf(before)
  const figures = figuresIn(first).flatMap((figure) =>
    figure.kind === 'number' && !figure.isOrdinal && figure.isYear !== true ? [figure] : [],
  )
  // “The number of orders in 2025 is 240.”
  const told = figures.length > 1 ? figures.filter(({ text }) => !/^(?:19|20)\d\d$/.test(text)) : figures
  const [figure, ...others] = told
  const [reading, ...rest] = figure?.readings ?? []
  if (figure === undefined || reading === undefined || others.length + rest.length > 0) return undefined
  const { value } = reading
  const places = /\.(\d+)$/.exec(figure.text)?.[1]?.length ?? 0
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: places, maximumFractionDigits: places + 2 })
  const result = isDivided ? value / factor : value * factor
  return `${format.format(value)} ${isDivided ? 'divided by' : 'times'} ${factor} is ${format.format(result)}.`
}
