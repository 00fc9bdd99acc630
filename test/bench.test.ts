import { expect, it } from 'vitest'
import { longestBlock } from '../bench/measure.ts'

it('sees a block with which the work begins', async () => {
  const { blockedMs } = await longestBlock(async () => {
    const begun = performance.now()
    while (performance.now() - begun < 200);
  })
  expect(blockedMs).toBeGreaterThan(190)
})
