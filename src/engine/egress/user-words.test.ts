import { expect, it } from 'vitest'
import { returnedValues } from './user-words.ts'

it('takes memory proportional to any answer, and knows values on all of its pages', () => {
  const path = `A${'b'.repeat(9)}/`.repeat(50_000)
  const rows = Array.from({ length: 3_000 }, (_, i) => `docs/${i}/Page.md`)
  const values = returnedValues([path, rows.join('\n'), path.replaceAll('/', ' ')])
  let chars = 0
  for (const value of values) chars += value.length
  expect(chars).toBeLessThan(10_000_000)
  expect(['docs/2999/Page.md', 'docs/2999', 'docs', 'docs/2999/page.md'].filter((value) => !values.has(value))).toEqual(
    [],
  )
})
