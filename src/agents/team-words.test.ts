import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ASKING_WORDS } from '../language/asking-words.ts'
import { isOwnPhrase, keywordsOf, unlooked } from './team-words.ts'

const ASKING = fc.array(fc.constantFrom(...ASKING_WORDS, 'many', 'number', 'total', 'report', 'team'), { maxLength: 5 })

it('of all phrases of asking words, with one word that says something, none is a team’s own', () => {
  fc.assert(
    fc.property(ASKING, fc.constantFrom('', 'invoices', 'customers', 'orders'), ASKING, (some, word, others) => {
      expect(isOwnPhrase([...some, word, ...others].join(' '))).toBe(false)
      expect(isOwnPhrase([...some, 'audit', word || 'freight', ...others].join(' '))).toBe(true)
    }),
  )
})

it('a name that is an everyday word is none to ask by, but that of a team', () => {
  expect(keywordsOf({ name: 'invoices', keywords: ['invoices'] })).toEqual(['invoices team', 'team invoices'])
  expect(keywordsOf({ name: 'freight_audit', keywords: [] })).toContain('freight_audit')
})

it('words that fixed steps did not look at are told as they were written', () => {
  const team: Parameters<typeof unlooked>[0] = {
    name: 'debtors',
    purpose: 'Lists who owes.',
    keywords: [],
    useCases: [],
    strategy: 'graph',
    agents: [{ name: 'query', purpose: 'Asks.', tools: [], task: 'Who owes?', after: [] }],
    checks: [{ question: 'Who owes?', contains: [] }],
  }
  for (const word of ['überfällige', 'naïve', 'märz'])
    expect(unlooked(team, `Who owes, ${word}?`).remarks[0]).toContain(`it did not look at “${word}”.`)
})
