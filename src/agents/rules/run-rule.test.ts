import { expect, it } from 'vitest'
import { runRule } from './run-rule.ts'

/** Its pattern for recipients takes longer with each blank, without end for as many as these. */
const HOSTILE = `Send a mail to${' '.repeat(3_900)}Anna`

it('gives what the rule gives', async () => {
  expect(await runRule('compute', 'What is 6 * 7?', [], {})).toMatchObject({ kind: 'finding', value: 42 })
})

it('gives nothing for a rule that takes too long, leaves the event loop free, and works on', async () => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 20)
  const [letter, computed] = await Promise.all([
    runRule('letter', HOSTILE),
    runRule('compute', 'What is 6 * 7?', [], {}),
  ])
  clearInterval(timer)
  expect(letter).toBeUndefined()
  expect(computed).toMatchObject({ value: 42 })
  expect(ticks).toBeGreaterThan(5)
})

it('throws what the rule throws', async () => {
  await expect(runRule('compute', undefined as never, [], {})).rejects.toMatchObject({ code: 'Internal' })
})
