import { expect, it, vi } from 'vitest'
import { createApp } from './create-app.ts'

it('releases a run’s reservation when its process ended before it settled', async () => {
  const app = await createApp({ onError: ({ message }) => expect.fail(message) })
  try {
    const { quotas } = app.people
    const limit = { to: 'user:ann', measure: 'tokens', period: 'day', most: 1_000 } as const
    await quotas.set('', limit)
    const ask = () => app.as('ann').ask({ question: 'What is 6 times 7?', budget: { maxTokens: 1_000 }, memory: false })
    vi.spyOn(quotas, 'settle').mockImplementationOnce(async () => undefined)
    const first = await ask()
    expect(await quotas.listFor({ userId: 'ann', groups: [] })).toMatchObject([{ used: 1_000 }])
    expect((await ask()).answer).toBe(first.answer)
    await vi.waitFor(async () =>
      expect(await quotas.listFor({ userId: 'ann', groups: [] })).toMatchObject([{ used: 0 }]),
    )
    // An active run keeps its reservation.
    await quotas.reserve(
      'under way',
      { userId: 'ann', groups: [] },
      { runs: { exactly: 1 }, tokens: { atMost: 1_000 } },
    )
    await expect(ask()).rejects.toThrow('the limit of 1,000 tokens per day')
  } finally {
    vi.restoreAllMocks()
    await app.close()
  }
})
