import { expect, it } from 'vitest'
import { isOfOther } from './of-other.ts'

it.each<readonly [string, readonly string[], boolean]>([
  ['the meeting in May', ['the meeting of 12 June 2026'], true],
  ['the meeting in May', ['the meeting of 3 May and the one of 12 June'], false],
  // What is near decides; what lies around a point in time is not known.
  ['the fee in 2025', ['The fee is 40 euros.', 'Terms 2026'], true],
  ['the fee in 2025', ['The fee is 40 euros in 2025.', 'Terms 2026'], false],
  ['the claims of April', ['handed in until 31 May'], false],
  ['the fee in 2025', ['since 2020 the fee is 40 euros'], false],
  ['May I leave in July?', ['Yes, in July.'], false],
  ['May I leave?', ['In June everybody may leave.'], false],
  ['page 4', ['of 14 days'], false],
  ['the adult and the child', ['the child pays half'], false],
])('%s, %j: %s', (question, places, isOther) => {
  expect(isOfOther(question, places)).toBe(isOther)
})
