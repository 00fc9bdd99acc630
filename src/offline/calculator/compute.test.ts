import { expect, it } from 'vitest'
import { compute } from './compute.ts'

function answer(question: string, locale?: string): string {
  const computed = compute(question, locale)
  return computed.kind === 'finding' ? computed.answer : 'refused'
}

it.each([
  ['What is 0.1 + 0.2?', 'The result is 0.3.'],
  ['Calculate (2 + 3) * 4', 'The result is 20.'],
  ['what is 7 times 8', 'The result is 56.'],
  ['12 x 8 =', 'The result is 96.'],
  ['1,250.50 + 749.50', 'The result is 2,000.'],
  ['What is 15% of $240?', 'The result is 36.'],
  ['12.5 percent of 80', 'The result is 10.'],
  ['30 is what percent of 120?', 'The result is 25.'],
  ['What is the square root of 144?', 'The result is 12.'],
  ['2 ** 100', 'The result is 1267650600228229401496703205376.'],
  // May mean something else.
  ['What is 2026-01-05?', 'refused'],
  ['What is 1/2/2026?', 'refused'],
  ['2020 - 2024', 'refused'],
  ['20% 50', 'refused'],
  ['What is 5 + 5!', 'refused'],
  ['3,5 * 2', 'refused'],
  // Needs a model.
  ['What is 5?', 'refused'],
  ['1 / 0', 'refused'],
  ['9 ^ 9 ^ 9', 'refused'],
  ['Forecast the weather', 'refused'],
  ['How much is 15% of the revenue?', 'refused'],
  [`1${' + 1'.repeat(1_000)}`, 'refused'],
  ['', 'refused'],
])('%s', (question, expected) => expect(answer(question)).toBe(expected))

it('reads a number that locales write differently only if it is unambiguous', () => {
  expect(answer('1.250 * 2', 'de-DE')).toBe('refused')
  expect(answer('1.5 * 1000', 'de-DE')).toBe('The result is 1.500.')
})
