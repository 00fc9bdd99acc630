import { expect, it } from 'vitest'
import { assistantCosts } from '../bench/assistant.ts'
import { longestBlock } from '../bench/measure.ts'
import { createApp } from '../src/index.ts'

it('detects a block at the start of the work', async () => {
  const { blockedMs } = await longestBlock(async () => {
    const begun = performance.now()
    while (performance.now() - begun < 200);
  })
  expect(blockedMs).toBeGreaterThan(190)
})

it('a question with one query takes as many turns as a plain loop, and at most 1.5 times its prompt tokens', async () => {
  const { tutti, bare } = await assistantCosts({ createApp }, 1)
  expect([tutti.turns, bare.turns]).toEqual([2, 2])
  expect(tutti.promptTokens / bare.promptTokens).toBeLessThanOrEqual(1.5)
})
