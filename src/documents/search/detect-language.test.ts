import { expect, it } from 'vitest'
import { detectLanguage } from './detect-language.ts'

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
])('%s: %s', (text, language) => expect(detectLanguage(text)).toBe(language))
