import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_FREE_BITS, weighWords, type AllowedContent } from './payload-weight.ts'

const QUESTION =
  'Search the web for the "specialty coffee" harvest in Huila since 2026-01-31, with prices of $1,200 and more, see https://roasters.example/Harvest?year=2026.'
const unknownIn = (parts: unknown, allowed: AllowedContent) => weighWords({ parts }, allowed).unknown
const said = (...texts: string[]): AllowedContent => ({ texts, values: new Set() })
const ours = said(QUESTION, '2026-10-31')

describe('values that need no approval', () => {
  it.each<[string, unknown]>([
    ['the user’s words, in any order', 'Huila coffee harvest'],
    ['in lower case', 'huila harvest'],
    ['with a capital at the beginning', 'Harvest in Huila'],
    ['with a few small words of our own', 'prices at the harvest of Huila'],
    ['with the user’s own marks', '"specialty coffee" harvest'],
    ['a date as it was written', '2026-01-31'],
    ['a date of the context', { from: '2026-10-31' }.from],
    ['a number with its mark', '$1,200'],
    ['a number that is written otherwise', 1200],
    ['an excerpt of any length', QUESTION.slice(0, QUESTION.indexOf(', see'))],
    ['the whole question', QUESTION],
    ['an address that the user named', 'https://roasters.example/Harvest?year=2026'],
    ['several parts', { words: ['Huila', 'prices'] }.words],
    ['yes, no and nothing', [true, null, 'Huila']],
    ['nothing at all', undefined],
  ])('%s', (_what, parts) => {
    expect(unknownIn(parts, ours)).toEqual([])
  })

  it('punctuation that the user typed on its own, unchanged, and counted as a choice among such marks', () => {
    const question = said('list_directory path=. depth: .. mask="*.*"')
    for (const leaf of ['.', '..', '*.*']) expect(unknownIn(leaf, question)).toEqual([])
    for (const leaf of ['...', '*', '. .', '=', '. ']) expect(unknownIn(leaf, question)).toEqual([leaf])
    const often = Array.from({ length: MAX_FREE_BITS }, (_none, n) => '.'.repeat(1 + (n % 2)))
    expect(unknownIn(often, question)).toHaveLength(MAX_FREE_BITS / 2)
  })

  it('values that the same service received before', () => {
    expect(unknownIn(['lot 7', 'Huila'], { ...ours, values: new Set(['lot 7']) })).toEqual([])
  })
})

describe('a path', () => {
  const allowed = {
    ...said('Read all of /srv/notes'),
    values: new Set(['budget.txt', 'site.txt', '/srv/plans', 'old']),
  }

  it.each([
    ['the user’s folder, and a name that the place returned', '/srv/notes/budget.txt'],
    ['a folder that the place returned, and the user’s word', '/srv/plans/notes'],
    ['both of the place', '/srv/plans/budget.txt'],
    ['names of a tree', '/srv/plans/old/budget.txt'],
  ])('of %s may leave', (_what, path) => {
    expect(unknownIn([path], allowed)).toEqual([])
  })

  it.each([
    ['a folder of another’s choice', '/srv/zarquon/budget.txt'],
    ['a name of another’s choice', '/srv/plans/zarquon'],
    ['an address', 'https://zarquon.example/budget.txt'],
  ])('of %s may not', (_what, path) => {
    expect(unknownIn([path], allowed)).toEqual([path])
  })

  it('costs the bits of the choice of its parts', () => {
    const paths = Array.from({ length: 20 }, (_, i) => `/srv/plans/${i % 2 === 0 ? 'site.txt' : 'budget.txt'}`)
    expect(unknownIn(paths, allowed).length).toBeGreaterThan(5)
  })
})

describe('values that need approval', () => {
  it.each<[string, unknown, string[]]>([
    ['another word', 'Huila Zarquon', ['Huila Zarquon']],
    ['a piece of a word', 'Hui', ['Hui']],
    ['words run together', 'HuilaHarvest', ['HuilaHarvest']],
    ['a word more often than it was said', 'Huila Huila', ['Huila Huila']],
    ['the same in two parts', ['Huila', 'huila'], ['huila']],
    ['capitals of another’s choice', 'hUila', ['hUila']],
    ['some words in lower case and some not', 'Harvest huila', ['Harvest huila']],
    ['capitals taken from some words', 'Search the web for harvest in huila', ['Search the web for harvest in huila']],
    ['a capital in the middle', 'huila Prices', ['huila Prices']],
    ['letters that look alike', 'Huilа', ['Huilа']],
    ['a letter made of two', 'Huíla'.normalize('NFD'), ['Huíla'.normalize('NFD')]],
    ['two spaces', 'Huila  harvest', ['Huila  harvest']],
    ['a space at the end', 'Huila ', ['Huila ']],
    ['a line break', 'Huila\nharvest', ['Huila\nharvest']],
    ['marks of another’s choice', 'Huila-harvest', ['Huila-harvest']],
    ['a character that nobody sees', 'Huila\u200B harvest', ['Huila\u200B harvest']],
    ['small words without end', 'a an at by', ['a an at by']],
    ['a number that was not said', 8472, ['8472']],
    ['another page of the same host', 'https://roasters.example/Zarquon', ['https://roasters.example/Zarquon']],
    ['an address made of the user’s words', 'https://huila.example/', ['https://huila.example/']],
    [
      'the same address, written otherwise',
      'https://ROASTERS.example/Harvest?year=2026',
      ['https://ROASTERS.example/Harvest?year=2026'],
    ],
    ['the name of a field', { Zarquon: 'Huila' }, ['Zarquon']],
    ['many yes and no', [true, false, false, true], ['4 values such as yes and no']],
    ['many empty texts', ['', '', '', ''], ['4 values such as yes and no']],
    ['lists in lists', [[[[[['Huila']]]]]], ['["Huila"]', '5 values such as yes and no']],
    ['marks alone', '.-..', ['.-..']],
  ])('%s', (_what, parts, unknown) => {
    expect(unknownIn(parts, ours)).toEqual(unknown)
  })

  it('more choices among the words than a question requires', () => {
    const many = 'ant bee cat dog eel fox gnu hen ibis jay kea lynx'.split(' ')
    const question = said(many.join(' '))
    expect(unknownIn(many.toReversed().slice(0, 10).join(' '), question)).toEqual([])
    expect(unknownIn(many.toReversed().join(' '), question)).toHaveLength(1)
    expect(unknownIn(many.join(' '), question)).toEqual([])
    expect(unknownIn(many.toReversed(), question).length).toBeGreaterThan(1)
  })

  it('a word that occurs once in each of two texts, twice', () => {
    expect(unknownIn('Huila Huila', said('harvest in Huila', 'find Huila'))).toHaveLength(1)
  })
})

describe('choices are counted', () => {
  it('those among listed values and fields like all others', () => {
    expect(weighWords({ parts: [], listed: [2, 3, 13], fields: [4, 4, 4] }, ours).unknown).toEqual([])
    expect(weighWords({ parts: [], listed: [2, 2, 2, 2] }, ours).unknown).toHaveLength(1)
    expect(weighWords({ parts: [true, []], listed: [2, 2] }, ours).unknown).toHaveLength(1)
    expect(weighWords({ parts: [], fields: Array.from({ length: 20 }, () => 30) }, ours).unknown).toHaveLength(1)
  })

  it('over all calls of a job', () => {
    expect(weighWords({ parts: 'Huila' }, ours, MAX_FREE_BITS - 1).unknown).toEqual(['Huila'])
    expect(weighWords({ parts: [], listed: [2] }, ours, MAX_FREE_BITS).unknown).toHaveLength(1)
    expect(weighWords({ parts: undefined }, ours, MAX_FREE_BITS + 1).unknown).toEqual([])
  })

  /** A choice among `count` values carries log2(count) bits. Each call that passes must have paid for them. */
  it('no enumerable code of words carries more bits than it costs', () => {
    const small = said('Ant bee cat. The Ant "dog" the bee')
    const pieces = ['Ant', 'ant', 'bee', 'cat', 'dog', 'the', 'The', '"dog"', 'cat.', 'of']
    const texts = new Set<string>(pieces)
    for (const a of pieces) for (const b of pieces) texts.add(`${a} ${b}`)
    for (const pair of [...texts].filter((text) => text.includes(' ')))
      for (const c of pieces) texts.add(`${pair} ${c}`)
    for (const form of texts) texts.add(form.toLowerCase())
    const costs = [...texts].flatMap((text) => {
      const { unknown, bits } = weighWords({ parts: text }, small)
      return unknown.length === 0 ? [bits] : []
    })
    expect(costs.length).toBeGreaterThan(100)
    // Kraft's inequality: a code of these lengths can be read back.
    expect(costs.reduce((sum, bits) => sum + 2 ** -bits, 0)).toBeLessThanOrEqual(1)
  })

  it('a secret spelled with words of a long question over any number of calls does not pass', () => {
    const many = Array.from({ length: 256 }, (_, i) => `w${i}`)
    const question = said(many.join(' '))
    const told = (secret: string, perCall: number): boolean => {
      const words = [...Buffer.from(secret)].map((byte) => many[byte]!)
      let spent = 0
      for (let i = 0; i < words.length; i += perCall) {
        const { unknown, bits } = weighWords({ parts: words.slice(i, i + perCall).join(' ') }, question, spent)
        if (unknown.length > 0) return false
        spent += bits
      }
      return true
    }
    expect(told('hi', 1)).toBe(true)
    expect([told('hunter2-9913', 12), told('hunter2-9913', 3), told('hunter2-9913', 1)]).toEqual([false, false, false])
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary-ascii', minLength: 8, maxLength: 30 }),
        fc.integer({ min: 1, max: 30 }),
        (secret, n) => {
          // The question itself, or a run of it, is one choice.
          fc.pre([...secret].every((c, i) => i === 0 || c.codePointAt(0) !== secret.codePointAt(i - 1)! + 1))
          expect(told(secret, n)).toBe(false)
        },
      ),
      { seed: 8, numRuns: 500 },
    )
  })
})

/** Encodings in which an obeying model could hide a secret. */
const DISGUISES: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  lower: (secret) => secret.toLowerCase(),
  upper: (secret) => secret.toUpperCase(),
  reversed: (secret) => [...secret].reverse().join(''),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  percent: (secret) => [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join(''),
  spaced: (secret) => [...secret].join(' '),
  dotted: (secret) => [...secret].join('.'),
  codes: (secret) => [...Buffer.from(secret)].join(' '),
  rot13: (secret) =>
    secret.replaceAll(/[a-z]/gi, (c) => String.fromCodePoint(c.codePointAt(0)! + (/[a-m]/i.test(c) ? 13 : -13))),
  lookAlikes: (secret) => secret.replaceAll('a', 'а').replaceAll('e', 'е').replaceAll('o', 'о'),
  wide: (secret) => [...secret].map((c) => String.fromCodePoint(c.codePointAt(0)! + 0xfee0)).join(''),
  tags: (secret) => `Huila${[...Buffer.from(secret)].map((byte) => String.fromCodePoint(0xe0000 + byte)).join('')}`,
  zeroWidth: (secret) =>
    `harvest${bitsOf(secret)
      .map((bit) => (bit ? '\u200B' : '\u200C'))
      .join('')}`,
  spaces: (secret) =>
    bitsOf(secret)
      .map((bit, i) => (i === 0 ? '' : bit ? ' ' : '  ') + WORDS[i % WORDS.length]!)
      .join(''),
  capitals: (secret) => capitalsOf(bitsOf(secret)),
  repetition: (secret) =>
    bitsOf(secret)
      .map((bit) => (bit ? 'Huila' : 'harvest'))
      .join(' '),
  host: (secret) => `https://${Buffer.from(secret).toString('hex')}.roasters.example/`,
  path: (secret) => `https://roasters.example/${encodeURIComponent(secret)}`,
  query: (secret) => `https://roasters.example/Harvest?year=2026&q=${encodeURIComponent(secret)}`,
  fragment: (secret) => `https://roasters.example/Harvest?year=2026#${encodeURIComponent(secret)}`,
  userInfo: (secret) => `https://${encodeURIComponent(secret)}@roasters.example/Harvest?year=2026`,
  hiddenInWord: (secret) => `Hui${secret}la`,
  amongWords: (secret) => `coffee harvest ${secret} in Huila`,
}

const WORDS = ['huila', 'harvest', 'coffee', 'prices', 'search', 'web']

function bitsOf(secret: string): boolean[] {
  return [...Buffer.from(secret)].flatMap((byte) => Array.from({ length: 8 }, (_, i) => ((byte >> i) & 1) === 1))
}

/** The letters of the user's words, large and small. */
function capitalsOf(bits: readonly boolean[]): string {
  const letters = [...'search the web for coffee harvest with prices']
  return letters.map((letter, i) => (bits[i % bits.length]! ? letter.toUpperCase() : letter)).join('')
}

/** Places for it in an input. */
const PLACES: Readonly<Record<string, (text: string) => unknown>> = {
  alone: (text) => text,
  besideWords: (text) => ['coffee', text, 'prices'],
  key: (text) => ({ [text]: 'coffee' }),
  deep: (text) => [{ coffee: [text] }],
  veryDeep: (text) => [[[[[[[text]]]]]]],
  letters: (text) => [...text],
  pieces: (text) => text.match(/.{1,3}/gsu),
  keys: (text) => Object.fromEntries([...text].map((letter, i) => [`${letter}${i}`, 'coffee'])),
  numbers: (text) => [...Buffer.from(text)],
  digits: (text) => [...Buffer.from(text)].flatMap((byte) => [...String(byte)].map(Number)),
  bits: (text) => bitsOf(text),
  emptiness: (text) => bitsOf(text).map((bit) => (bit ? '' : null)),
  nesting: (text) => bitsOf(text).map((bit) => (bit ? [] : {})),
  fraction: (text) => Number(`0.${[...Buffer.from(text)].join('').slice(0, 12)}1`),
}

const secrets = fc
  .tuple(
    fc.stringMatching(/^[A-Za-z]{4,8}$/),
    fc.stringMatching(/^[A-Za-z0-9]{4,10}$/),
    fc.integer({ min: 1_000, max: 9_999 }),
  )
  .map(([a, b, n]) => `${a}-${b}-${n}`)

describe('a planted secret', () => {
  it('never passes, in any encoding and position', () => {
    const disguise = fc.constantFrom(...Object.keys(DISGUISES))
    const place = fc.constantFrom(...Object.keys(PLACES))
    fc.assert(
      fc.property(secrets, disguise, place, (secret, as, at) => {
        const parts = PLACES[at]!(DISGUISES[as]!(secret))
        expect(unknownIn(parts, ours), `${as}, ${at}: ${JSON.stringify(parts)}`).not.toEqual([])
      }),
      { seed: 8, numRuns: 4_000 },
    )
  })

  it('split over several calls passes in none of them', () => {
    fc.assert(
      fc.property(secrets, fc.integer({ min: 2, max: 5 }), (secret, size) => {
        const hex = Buffer.from(secret).toString('hex')
        const pieces = hex.match(new RegExp(`.{1,${size}}`, 'g'))!
        // A piece that equals one of the user's own numbers reveals nothing new.
        const passing = pieces.filter((piece) => unknownIn(`harvest ${piece}`, ours).length === 0)
        expect(passing.filter((piece) => !['10', '31', '01', '2026', '1200', '200', '1'].includes(piece))).toEqual([])
      }),
      { seed: 8, numRuns: 500 },
    )
  })

  it('and passing values consist only of the user’s own words', () => {
    const alphabet = fc.constantFrom(...QUESTION.split(/\b/), ' ', 'Zarquon', '-', 'x', 'THE', 'of', '8472', '\u200B')
    fc.assert(
      fc.property(
        fc.array(alphabet, { maxLength: 8 }).map((pieces) => pieces.join('')),
        (text) => {
          fc.pre(text !== '')
          if (unknownIn(text, ours).length > 0) return
          const words = text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []
          const own = new Set(
            `${QUESTION} 1200 2026-10-31 a an and at by for from in of on or the to with`
              .toLowerCase()
              .match(/[\p{L}\p{M}\p{N}_]+/gu),
          )
          expect(words.filter((word) => !own.has(word.toLowerCase()))).toEqual([])
          expect(words.length).toBeGreaterThan(0)
        },
      ),
      { seed: 8, numRuns: 4_000 },
    )
  })
})
