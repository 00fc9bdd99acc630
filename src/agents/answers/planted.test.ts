import fc from 'fast-check'
import { expect, it } from 'vitest'
import { times } from '../../../test/support/length.ts'
import { tableFromArrays } from '../../core/table.ts'
import { Evidence } from '../../language/figures/evidence.ts'
import { AnswerCheck } from './answer-check.ts'

/**
 * True answers in which something false is planted, in places and forms drawn by seed: no word of it may be left, as a whole
 * or while it is written, and of the sentences beside it all have to stay.
 */

const TABLE = tableFromArrays(
  ['region', 'orders', 'revenue'],
  [
    ['West', 240, 5_120.5],
    ['North', 610, 12_340],
    ['East', 385, 7_801.25],
  ],
)
const TEXT = 'Damaged goods must be reported within 21 days of delivery. The handbook is kept by Ada Bergström.'

function check(): AnswerCheck {
  const found = [new Evidence({ texts: [], tables: [TABLE] }), new Evidence({ texts: [TEXT], tables: [] })]
  const common = new Evidence({ texts: ['How many orders by region, and what do the rules say?'], tables: [] })
  return new AnswerCheck({ common, found, byTask: new Map(), byNumber: new Map(found.map((one, i) => [i + 1, one])) })
}

const TRUE = [
  'West has 240 orders [1].',
  'North leads with 610 orders.',
  'The revenue of East is 7,801.25.',
  'Damaged goods must be reported within 21 days [2].',
  'The handbook is kept by Ada Bergström.',
]

/** Figures that follow from nothing above, in digits and in words. */
const FIGURES = [
  ['4,217', '4217', '4 217', '4.217', '**4,217**', '_4217_', '４２１７', '4,217.00'],
  ['four thousand two hundred and seventeen', 'Four thousand, two hundred seventeen'],
  ['87 %', '87%', '87 percent', 'eighty-seven percent', '87 per cent'],
  ['€93', '93 EUR', '93.40 euros', '$93', 'ninety-three dollars'],
  ['3 May 2019', '2019-05-03', 'May 3rd, 2019', '03.05.2019', '3. Mai 2019'],
  ['siebenundsiebzig', 'soixante-dix-sept', 'setenta y siete', 'settantasette', 'zevenenzeventig', '七十七'],
  ['77', 'seventy-seven', '**77**', '`77`', '“77”'],
].flat()
const NAMES = [
  '"Zorbex Holdings"',
  '“Zorbex Holdings”',
  '**Zorbex Holdings**',
  '`Zorbex Holdings`',
  'INV-90417',
  'zorbex@example.net',
  '„Zorbex Holdings“',
]

/** Where a figure may be put, in sentences that claim nothing else. */
const FIGURE_FORMS: Readonly<Record<string, (what: string) => string>> = {
  sentence: (what) => `South has ${what} orders.`,
  'with a mark': (what) => `South has ${what} orders [1].`,
  'in brackets': (what) => `South is smaller (${what} orders).`,
  heading: (what) => `## South: ${what} orders`,
  'cell of a table': (what) => `| South | ${what} |`,
  'item of a list': (what) => `- South: ${what}`,
  'numbered item': (what) => `1. South: ${what}`,
  'quoted line': (what) => `> South had ${what} orders.`,
  'text of a link': (what) => `[South had ${what} orders](https://shop.example/south).`,
  'text of an image': (what) => `![South with ${what} orders](chart.png)`,
  'label: value': (what) => `Orders of South: ${what}.`,
  question: (what) => `Did you know that South has ${what} orders?`,
  'second half': (what) => `West has 240 orders, and South has ${what}.`,
}
const NAME_FORMS: Readonly<Record<string, (what: string) => string>> = {
  sentence: (what) => `The largest customer is ${what}.`,
  heading: (what) => `## Customer ${what}`,
  'cell of a table': (what) => `| largest | ${what} |`,
  'item of a list': (what) => `- largest: ${what}`,
  'in brackets': (what) => `One of them leads (${what}).`,
}
/** A bold name in a heading or a cell looks like any label there, and is left to its figures. */
const isLabel = (form: string, name: string): boolean => name.startsWith('**') && /^(?:heading|cell|item)/.test(form)

const CASES = [
  ...Object.entries(FIGURE_FORMS).flatMap(([form, put]) =>
    FIGURES.map((what) => ({ kind: `figure, ${form}`, what, sentence: put(what) })),
  ),
  ...Object.entries(NAME_FORMS).flatMap(([form, put]) =>
    NAMES.filter((what) => !isLabel(form, what)).map((what) => ({ kind: `name, ${form}`, what, sentence: put(what) })),
  ),
]

it('what is planted in a true answer is taken out, wherever it stands and however it is written', () => {
  const places = fc.sample(fc.tuple(fc.shuffledSubarray(TRUE, { minLength: 1 }), fc.nat({ max: 5 })), {
    numRuns: CASES.length,
    seed: 20_261_123,
  })
  const missed = CASES.flatMap(({ kind, what, sentence }, i) => {
    const [order, place] = places[i]!
    const lines = [...order.slice(0, place), sentence, ...order.slice(place)]
    const answer = lines.join(/^(?:#|\||-|>|\d\.)/.test(sentence) ? '\n' : ' ')
    const bare = what.replaceAll(/[*_`"“”„]/g, '')
    const shown = [check().whole(answer).text, check().release(`${answer}\n\nThe end`)]
    return shown.some((text) => text.includes(bare)) ? [`${kind}: ${what} in ${answer}`] : []
  })
  expect(CASES.length).toBeGreaterThan(400)
  expect(missed.join('\n')).toBe('')
})

it('the true sentences stay as they are, in any order', () => {
  for (const order of fc.sample(fc.shuffledSubarray(TRUE, { minLength: 1 }), { numRuns: times(200), seed: 7 })) {
    const answer = order.join(' ')
    expect(check().whole(answer)).toEqual({ text: answer, unfounded: [], wrongMarks: [] })
  }
})
