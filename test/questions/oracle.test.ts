import { describe, expect, it } from 'vitest'
import { judgeAll } from './measure.ts'
import { DOMAINS, STYLES } from './naming.ts'

/** One world of each business in each habit of naming. */
const SEEDS = Array.from({ length: DOMAINS.length * STYLES.length }, (_, i) => i)

describe('questions over random databases, each with SQL that is right by construction', () => {
  it('are answered right or declined, never wrong', { timeout: 300_000 }, async () => {
    const judged = await judgeAll(SEEDS)
    expect(judged.filter((j) => j.verdict === 'wrong').map((j) => `${j.world}: ${j.question}: ${j.detail}`)).toEqual([])
    const right = judged.filter((j) => j.verdict === 'right').length
    expect(right / judged.length).toBeGreaterThan(0.9)
  })
})
