import { expect, it } from 'vitest'
import { likelyLanguageOf } from './likely-language.ts'

it.each([
  ['Umsatz 2025', true],
  ['Kunden in Berlin', true],
  ['Was sagt der Newsletter?', true],
  ['Rechnungen über 500 Euro', true],
  ['Orders of Müller in 2025', false],
  ['Müller GmbH invoices', false],
  ['Kunden by month', false],
  ['revenue per month', false],
])('%s seems German: %s', (text, isGerman) => expect(likelyLanguageOf(text) === 'de').toBe(isGerman))
