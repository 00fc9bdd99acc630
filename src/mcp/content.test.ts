import { expect, it } from 'vitest'
import { readResult } from './content.ts'

it('truncates a long result and replaces characters that databases cannot store', () => {
  const { text } = readResult({ content: [{ type: 'text', text: 'a\0\uD800'.repeat(200_000) }] }, [], true)
  expect(text).toHaveLength(500_000 + '… (100000 more characters were left out)'.length)
  expect(text).not.toMatch(/\0|[\uD800-\uDFFF]/)
  expect(text).toMatch(/… \(100000 more characters were left out\)$/)
})
