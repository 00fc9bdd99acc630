import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sample } from '../../../test/support/length.ts'
import { tableFromArrays } from '../../core/table.ts'
import { ANSWERS } from './answers.fixture.ts'
import { checkSentence, NOTHING_SAID } from './check.ts'
import { CLAIMS } from './claims.fixture.ts'
import { Evidence } from './evidence.ts'
import { sentencesOf } from './sentences.ts'

describe('figures of an answer', () => {
  it.each([...ANSWERS, ...CLAIMS])('$answer', ({ answer, question = '', texts = [], tables = [], unfounded = [] }) => {
    const grounds = {
      common: new Evidence({ texts: [question], tables: [] }),
      found: [new Evidence({ texts, tables })],
    }
    const found: string[] = []
    let said = NOTHING_SAID
    for (const sentence of sentencesOf(answer)) {
      const checked = checkSentence(sentence, grounds, said)
      found.push(...checked.unfounded)
      said = { values: [], listNumber: checked.said.listNumber ?? 0 }
    }
    expect(found).toEqual(unfounded)
  })
})

const value = fc.oneof(
  fc.integer({ min: 0, max: 99_999_999 }),
  fc.integer({ min: 0, max: 99_999_999 }).map((n) => n / 100),
)
const rows = fc.uniqueArray(value, { minLength: 1, maxLength: 12 })
const FORMS = ['en-US', 'en-IN', 'de-DE', 'fr-FR', 'de-CH', 'es-ES'].map((tag) => new Intl.NumberFormat(tag))
const COMMON = new Evidence({ texts: ['How much is it?'], tables: [] })

function unfoundedIn(figure: string, values: readonly number[], decimalComma?: boolean): readonly string[] {
  const table = tableFromArrays(
    ['name', 'amount'],
    values.map((amount, i) => [`n${'abcdefghijkl'[i]!}`, amount]),
  )
  const found = [new Evidence({ texts: [], tables: [table] })]
  return checkSentence(`It is ${figure}.`, {
    common: COMMON,
    found,
    ...(decimalComma === undefined ? {} : { decimalComma }),
  }).unfounded
}

/** All that could be said of the numbers, in more ways than the check knows. */
function mayFollow(printed: number, values: readonly number[]): boolean {
  const sums = new Set<number>(values)
  const sum = (of: readonly number[]): number => of.reduce((a, b) => a + b, 0)
  values.forEach((_, i) => values.slice(i).forEach((_, length) => sums.add(sum(values.slice(i, i + length + 1)))))
  const total = sum(values)
  const singles = [...sums, ...[...sums].map((one) => total - one)]
  for (const one of singles) sums.add(one)
  for (const a of values)
    for (const b of values)
      sums
        .add(a + b)
        .add(Math.abs(a - b))
        .add((a + b) / 2)
  for (const one of singles) for (let n = 1; n <= values.length; n++) sums.add(one / n)
  const near = [...sums, ...values.map((_, i) => i)].some(
    (one) => Math.abs(one - printed) <= 0.51 || Math.abs(one - printed * 100) < 1,
  )
  return near || printed <= values.length
}

describe('any table', () => {
  it('supports each of its figures, their sum and their average, written in any way', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(...FORMS), fc.nat(), (values, form, place) => {
        const one = values[place % values.length]!
        const sum = values.reduce((a, b) => a + b, 0)
        for (const figure of [one, sum, sum / values.length])
          // “1,015” alone does not say whether it is more than a thousand.
          expect(unfoundedIn(form.format(figure), values, form.format(0.5).includes(','))).toEqual([])
      }),
    )
  })

  it('does not support a figure of which one digit is another, unless that follows from it', () => {
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom(...FORMS),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (values, form, place, digit, by) => {
          const one = String(values[place % values.length]!)
          const places = [...one].flatMap((char, i) => (/\d/.test(char) ? [i] : []))
          const at = places[digit % places.length]!
          const altered = Number(`${one.slice(0, at)}${(Number(one[at]) + by) % 10}${one.slice(at + 1)}`)
          fc.pre(!mayFollow(altered, values))
          expect(unfoundedIn(form.format(altered), values)).toHaveLength(1)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

const HOSTILE = [
  'aGVsbG8gd29ybGQ0MjE3',
  'A-',
  'Ä-',
  'é',
  'a.',
  'a+',
  'a@',
  '1',
  '0',
  '1,',
  '000,',
  '1,000,',
  '123 ',
  '123\u00A0',
  '1.',
  'two. ',
  'two and ',
  '“',
  '„«',
  "'a ",
  '[1,',
  '12-',
  'www.',
  'doubled ',
  'half a day ',
  'a third of all ',
  '14 to 5 days or ',
  '5 EUR ',
  '7% of 5 EUR ',
  'a day ',
  'twice as ',
  '1 May ',
  ' ',
]

describe('what a tool gave back', () => {
  // What takes its square took minutes.
  it.each(sample(HOSTILE, 5))('is read to its end when it is 300 KB of “%s”', { timeout: 60_000 }, (piece) => {
    const text = `${piece.repeat(300_000 / piece.length)} x. There are 4217 orders.`
    const found = [new Evidence({ texts: [text], tables: [] })]
    expect(checkSentence('There are 4217 orders.', { common: COMMON, found }).unfounded).toEqual([])
  })

  it('is held to the letter where it is longer than any word', () => {
    const key = 'aGVsbG8gd29ybGQ0MjE3'.repeat(10)
    const found = [new Evidence({ texts: [`The key is ${key}.`], tables: [] })]
    const unfounded = (said: string) => checkSentence(`It is ${said}.`, { common: COMMON, found }).unfounded
    expect(unfounded(key)).toEqual([])
    expect(unfounded(`${key}9`)).toHaveLength(1)
  })
})

describe('sentences', () => {
  it('are the text again when they are joined', () => {
    const pieces = fc.constantFrom(
      'It is 1.5. ',
      'See e.g. Bonn. ',
      'Why? ',
      '[1] ',
      '\n',
      '3. ',
      'a',
      ' ',
      '. ',
      '“Yes.” ',
      '数。',
    )
    fc.assert(
      fc.property(
        fc.array(pieces).map((all) => all.join('')),
        (text) => {
          expect(sentencesOf(text).join('')).toBe(text)
          // What is whole already stays so, whatever comes.
          for (let end = 0; end <= text.length; end++) {
            const early = sentencesOf(text.slice(0, end), true)
            expect(sentencesOf(text).slice(0, early.length)).toEqual(early)
          }
        },
      ),
    )
  })

  it.each([
    ['It is 1.5 kg. That is all.', 2],
    ['See e.g. Bonn or Rs. 500. Then go.', 2],
    ['Im 3. Quartal waren es 5. Danach waren es 6.', 2],
    ['“Is it so?” he asked. Yes.', 2],
    ['Seven days. [1] Ten.', 2],
  ])('%s', (text, count) => expect(sentencesOf(text)).toHaveLength(count))
})
