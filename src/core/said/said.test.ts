import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { german } from './de/index.ts'
import { sayer } from './said.ts'

const say = sayer(german)

describe('a sentence of the product in German', () => {
  it('has its values as they are, whatever they are', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w $.*+?{}()|[\]\\-]{1,20}$/), (value) => {
        expect(say(`There is no document ${value}.`)).toBe(`Es gibt kein Dokument ${value}.`)
      }),
      { seed: 5 },
    )
  })

  it('is found within others, and several after each other', () => {
    expect(say('This could not be answered: the query to the database failed.')).toBe(
      'Das ließ sich nicht beantworten: Die Abfrage an die Datenbank ist fehlgeschlagen.',
    )
    expect(say('MySQL at db:3306 has no database "shop". Nothing was kept.')).toBe(
      'MySQL auf db:3306 hat keine Datenbank „shop“. Nichts wurde behalten.',
    )
    expect(say('No API is configured. Name its OpenAPI document with the option apis, or in the configuration.')).toBe(
      'Es ist keine API eingerichtet. Nennen Sie ihr OpenAPI-Dokument mit der Option apis oder in der Konfiguration.',
    )
    expect(
      say('A PDF document titled “Terms”. It covers: 1. Parties; 2. Prices. 9 pages, about 5,751 characters.'),
    ).toBe('Ein PDF-Dokument mit dem Titel „Terms“. Darin: 1. Parties; 2. Prices. 9 Seiten, etwa 5.751 Zeichen.')
    expect(say('You denied sending this mail: not yet.')).toBe('Sie haben abgelehnt: diese Mail zu senden (not yet).')
  })

  it('is said with all that stands within it', () => {
    const reason = 'compatible gave an answer that does not fit: it holds no complete JSON value (after 2 requests)'
    expect(
      say(`This could not be answered: without a language model (${reason}) the question is too long to be read.`),
    ).toBe(
      'Das ließ sich nicht beantworten: Ohne Sprachmodell (compatible gab eine Antwort, die nicht passt: sie enthält keinen vollständigen JSON-Wert (nach 2 Anfragen)) ist die Frage zum Lesen zu lang.',
    )
  })

  it('is one of several, whatever stands within it', () => {
    const reason = 'compatible gave an answer that does not fit: it holds no complete JSON value (after 2 requests)'
    expect(
      say(`Without a language model (${reason}) the question is too long to be read. I did not understand “x”.`),
    ).toBe(
      'Ohne Sprachmodell (compatible gab eine Antwort, die nicht passt: sie enthält keinen vollständigen JSON-Wert (nach 2 Anfragen)) ist die Frage zum Lesen zu lang. Nicht verstanden: “x”.',
    )
  })

  it('is one of several of its kind, each with its own values', () => {
    expect(
      say(
        'Its check “a” passed. Its check “b” failed: the answer does not hold “7”. Held back in the trial: send_mail.',
      ),
    ).toBe(
      'Seine Prüfung „a“ bestand es. Seine Prüfung „b“ bestand es nicht: in der Antwort steht nicht „7“. In der Probe zurückgehalten: send_mail.',
    )
  })

  it.each([
    [
      'Its check “a” failed: the answer does not hold “7”; the answer does not hold “8; 9”.',
      'Seine Prüfung „a“ bestand es nicht: in der Antwort steht nicht „7“; in der Antwort steht nicht „8; 9“.',
    ],
    [
      'Its check “a” failed: “sql” was not asked; “rag” was not asked.',
      'Seine Prüfung „a“ bestand es nicht: „sql“ wurde nicht gefragt; „rag“ wurde nicht gefragt.',
    ],
    [
      'Its check “a” failed: “sql” left open: which year; how many; “rag” gave nothing: no document.',
      'Seine Prüfung „a“ bestand es nicht: „sql“ ließ offen: which year; how many; „rag“ ergab nichts: no document.',
    ],
    [
      'Its check “b” passed. Its check “What is X? And how many Y?” failed: the answer does not hold “7”.',
      'Seine Prüfung „b“ bestand es. Seine Prüfung „What is X? And how many Y?“ bestand es nicht: in der Antwort steht nicht „7“.',
    ],
    [
      'Its check “What is X? And Y?” passed. Held back in the trial: a.',
      'Seine Prüfung „What is X? And Y?“ bestand es. In der Probe zurückgehalten: a.',
    ],
    // A mark that ends nothing.
    [
      'Its check “is a 5” pipe in stock?” failed: the answer does not hold “5” pipe”.',
      'Seine Prüfung „is a 5” pipe in stock?“ bestand es nicht: in der Antwort steht nicht „5” pipe“.',
    ],
  ])('keeps what stands in quotation marks apart: %s', (english, told) => {
    expect(say(english)).toBe(told)
  })

  it('is none where any of it is not known', () => {
    for (const other of ['', 'Goods must be reported.', 'The query is empty. Goods must be reported.'])
      expect(say(other)).toBeUndefined()
  })

  it('is looked for in no more time where somebody made a text to take long', () => {
    const begun = performance.now()
    for (const english of Object.keys(german)) {
      const [first = '', ...rest] = english.split('{}')
      if (rest.length > 2) say(`${first}${rest.slice(0, -1).join('x').repeat(4_000).slice(0, 20_000)}!`)
    }
    say('Nearest to it, and not an answer, is '.padEnd(20_000, ': “'))
    say('Nothing was kept. '.repeat(2_000))
    // Each of them a list or a quotation within another.
    for (const piece of ['a”; ', '“a” left open: x; ', 'Its check “a? B” failed: “a” left open: x; y. ', '“”; ', '”, '])
      say(`Its check “a” failed: ${piece.repeat(3_900 / piece.length)}.`)
    // Each of them took seconds when what comes next was looked for at each place again.
    expect(performance.now() - begun).toBeLessThan(5_000)
  })

  it('has its values where an expression finds them', () => {
    const piece = fc.constantFrom('a', 'b', 'ab', ': ', '.', '')
    const text = fc.array(piece, { maxLength: 12 }).map((some) => some.join(''))
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 4 }), text, (parts, middle) => {
        const [pattern, english] = [`Q${parts.join('{}')}!`, `Q${middle}!`]
        const escaped = pattern.split('{}').map((part) => part.replaceAll('.', String.raw`\.`))
        const expected = new RegExp(`^${escaped.join('(.*?)')}$`, 's').exec(english)
        const holes = parts.slice(1).map(() => '{}')
        expect(sayer({ [pattern]: holes.join('|') })(english)).toBe(expected?.slice(1).join('|'))
      }),
      { seed: 7, numRuns: 2_000 },
    )
  })
})
