import { expect, it } from 'vitest'
import { scaled } from './scaled.ts'

it.each([
  ['double that', 'The number of pets is 7.', '7 times 2 is 14.'],
  ['Halve it.', 'The total fee is 1,283.01 EUR. (Assumed: fees of 3 visits.)', '1,283.01 divided by 2 is 641.505.'],
  ['What is twice that?', 'The number of orders in 2025 is 240.', '240 times 2 is 480.'],
  ['and multiply that by 1.5', 'The number of clubs is 3.', '3 times 1.5 is 4.5.'],
  ['that divided by 4', 'The number of clubs is 3.', '3 divided by 4 is 0.75.'],
  ['half of that', 'The share is 12.5 %.', '12.5 divided by 2 is 6.25.'],
])('%s after “%s”', (question, before, said) => {
  expect(scaled(question, before)).toBe(said)
})

it.each([
  ['double that', 'Revenue by genre: Rock (3), Pop (4).'],
  ['double that', 'No data was returned.'],
  ['divide it by 0', 'The number of clubs is 3.'],
  ['double the number of pets', 'The number of pets is 7.'],
  ['make that shorter', 'The number of pets is 7.'],
])('%s after “%s” is left alone', (question, before) => {
  expect(scaled(question, before)).toBeUndefined()
})
