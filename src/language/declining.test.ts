import fc from 'fast-check'
import { expect, it } from 'vitest'
import { saysNothing } from './declining.ts'

const ASKED = 'Find the termination clause'
const PLACES = ['the archive', 'the letters', 'the third ledger', 'this mailbox', 'the minutes']
const place = fc.constantFrom(...PLACES)
const lead = fc.constantFrom('', 'Sadly, ', 'So far ', 'I searched the whole archive. ', 'After two tries ')
/** Ways to say that nothing was found, put together. */
const nothing = fc.oneof(
  fc.tuple(fc.constantFrom('I found', 'there is', 'I could see'), place).map(([how, at]) => `${how} nothing in ${at}.`),
  fc
    .tuple(
      fc.constantFrom('has', 'holds', 'gave', 'returned'),
      fc.constantFrom('no', 'not a single', 'zero'),
      fc.constantFrom('match', 'hits', 'trace of it', 'information', 'relevant entry', 'records', 'evidence'),
      place,
    )
    .map(([holds, none, what, at]) => `${at} ${holds} ${none} ${what}.`),
  fc
    .tuple(
      fc.constantFrom('could not', "couldn't", 'cannot', 'was unable to', 'failed to', 'did not'),
      fc.constantFrom('find', 'locate', 'identify', 'see', 'determine'),
      place,
    )
    .map(([fails, find, at]) => `I ${fails} ${find} it in ${at}.`),
)
const telling = fc.constantFrom(
  'No rain on the hill.',
  'The clause is in section 4.',
  'Nobody signed the contract.',
  'There are no open orders.',
  'Turin has twelve of them.',
  'The supplier must give notice in writing.',
)

it('knows nothing in whatever words', () => {
  fc.assert(
    fc.property(lead, nothing, (before, text) => {
      expect(saysNothing(before + text, ASKED)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

it('takes nothing for what tells something, also beside a denial', () => {
  fc.assert(
    fc.property(telling, fc.option(nothing, { nil: '' }), (told, denied) => {
      fc.pre(denied === '' || !/^(?:No|Nobody|There)/.test(told))
      expect(saysNothing(`${told} ${denied}`.trim(), ASKED)).toBe(false)
    }),
    { numRuns: 500 },
  )
})
