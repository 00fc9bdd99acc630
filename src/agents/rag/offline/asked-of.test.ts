import { describe, expect, it } from 'vitest'
import type { HitInContext } from '../../../knowledge/search/neighbours.ts'
import { askedOf, standsIn } from './asked-of.ts'
import { ENOUGH_EVIDENCE } from './evidence.ts'
import { quotesFor } from './quotes.ts'

function hit(text: string, ordinal: number, section: string): HitInContext {
  const chunk = { chunkId: text, ordinal, text, start: 0, end: text.length, kind: 'text', tokens: 1, section } as const
  return { chunk, document: { documentId: 'd', name: 'rules.md', type: 'md' }, score: 1 }
}

/** The sentence, and elsewhere in the document those of whom it may be asked. */
function isAnswered(question: string, text: string, elsewhere: string): boolean {
  const quotes = quotesFor(question, [hit(text, 1, 'Terms'), hit(elsewhere, 2, 'Greetings')])
  return quotes.some(({ evidence }) => evidence >= ENOUGH_EVIDENCE)
}

/** A question with a hole, the sentence that answers it, and what may stand in the hole of each. */
const FORMS: readonly (readonly [question: string, sentence: string, fills: readonly string[]])[] = [
  [
    'How many days of holiday do * get?',
    '* get 27 days of holiday a year.',
    ['managers', 'employees', 'interns', 'drivers'],
  ],
  ['How much discount do * get on coffee?', '* get 15 % discount on coffee.', ['members', 'students', 'pensioners']],
  ['How much may a hotel in * cost?', 'A hotel in * may cost 110 EUR.', ['Bremen', 'Kiel', 'Oslo', 'Lisbon']],
  ['Who manages the shop in *?', 'Jonas Petersen manages the shop in *.', ['Bremen', 'Kiel', 'Oslo']],
  ['When does the shop in * open?', 'The shop in * opens at 9:00.', ['Bremen', 'Kiel', 'Oslo']],
  [
    'How long does charging take with the * charger?',
    'With the * charger, charging takes 4 hours.',
    ['fast', 'standard', 'solar'],
  ],
  ['How much is the postage for * parcels?', 'The postage for * parcels is 9 EUR.', ['heavy', 'bulky', 'foreign']],
  ['Within how many days are * paid back?', '* are paid back within 14 days.', ['invoices', 'expenses', 'deposits']],
  [
    'Where do * customers send the scooter?',
    'To the dealer * customers send the scooter.',
    ['private', 'business', 'foreign'],
  ],
]

const large = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

describe('of whom or of what something is asked', () => {
  it.each(FORMS)('is not left open, and no other one: %s', (question, sentence, fills) => {
    const elsewhere = `A word on ${fills.join(' and ')} is found in the hall.`
    for (const asked of fills)
      for (const told of fills) {
        const text = large(sentence.replace('*', told))
        expect(isAnswered(question.replace('*', asked), text, elsewhere), `${asked}: ${text}`).toBe(asked === told)
      }
  })

  it.each([
    ['How many days of holiday do managers get?', ['holidai', 'manag']],
    ['When does the ferry from Kilmarsh to Arrowby leave?', ['ferri', 'kilmarsh']],
    ['What does a kilo of Harl cost?', ['kilo', 'harl']],
    // A verb may be said in other words; numbers, periods and pronouns ask of nobody.
    ['Did the graves hold any goods?', ['grave']],
    ['Do damaged goods go back into stock?', ['damag', 'good']],
    ['How often is the mirror cleaned?', ['mirror']],
    ['How long is the guarantee?', ['guarante']],
    ['Who reports on late parcels in October according to the minutes?', ['late', 'parcel', 'octob']],
    ['How many silver coins were found?', []],
    ['Can I cancel within three weeks?', []],
  ])('is told from verbs and from what is said in other words: %s', (question, terms) => {
    expect(askedOf(question)).toEqual(terms)
  })

  it('may be a part of a longer word', () => {
    const held = [new Set(['deliveri', 'gatekeep'])]
    expect(['deliver', 'deliveri', 'gate', 'car', 'keeper'].map((term) => standsIn(term, held))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })
})
