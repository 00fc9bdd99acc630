import { expect, it } from 'vitest'
import { languageOf, namesLanguage, likelyLanguageOf } from './which-language.ts'

it.each([
  ['How many customers are there?', 'en'],
  ['There are 92 customers in the database.', 'en'],
  ['Wie viele Kunden gibt es?', 'de'],
  ['Es gibt 92 Kunden, die nicht bestellt haben.', 'de'],
  ['Combien de clients sont dans la base ? Il y en a 92.', 'fr'],
  ['¿Cuántos clientes hay en la base?', 'es'],
  ['Сколько у нас клиентов?', 'Cyrillic'],
  ['顧客は何人いますか', 'Hiragana'],
  ['共有九十二位客户', 'Han'],
  ['Umsatz 2025', undefined],
  ['Umsatz nach Monat seit Januar 2025', 'de'],
  ['Umsatz letzten Monat', 'de'],
  ['Show the count of customers', 'en'],
  ['92', undefined],
])('%s: %s', (text, language) => expect(languageOf(text)).toBe(language))

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

it('recognises a requested language', () => {
  expect(namesLanguage('Answer in German please')).toBe(true)
  expect(namesLanguage('How many customers are there?')).toBe(false)
})
