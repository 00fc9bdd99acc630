import { describe, expect, it } from 'vitest'
import { sample } from '../support/length.ts'
import { judgeAll } from './measure.ts'
import { DOMAINS, STYLES } from './naming.ts'

/** Each business and each habit of naming; in the long run each business in each of them. */
const SEEDS = sample(
  Array.from({ length: DOMAINS.length * STYLES.length }, (_, i) => i),
  6,
)

describe('questions over random databases, each with SQL that is right by construction', () => {
  it('are answered right or declined, never wrong', { timeout: 300_000 }, async () => {
    const judged = await judgeAll(SEEDS)
    expect(judged.filter((j) => j.verdict === 'wrong').map((j) => `${j.world}: ${j.question}: ${j.detail}`)).toEqual([])
    const right = judged.filter((j) => j.verdict === 'right').length
    expect(right / judged.length).toBeGreaterThan(0.9)
  })
})
