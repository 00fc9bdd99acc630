// Soak test: asks many questions of one user beside one of another.
import { describe, expect, inject, it } from 'vitest'
import { defineAgent } from '../../src/domain/actor.ts'
import { createApp } from '../../src/app/create-app.ts'
import { createTestDatabase } from '../support/postgres.ts'

/** Many questions of one user do not delay another user, in one process and in the shared queue of several. */
describe.each(['memory', 'PostgreSQL'] as const)('runs of two people on %s', (kind) => {
  const isMissing = kind === 'PostgreSQL' && inject('postgresUrl') === ''
  it.skipIf(isMissing)(
    `take turns${isMissing ? ' (not installed on this machine)' : ''}`,
    async () => {
      const order: string[] = []
      const gates: (() => void)[] = []
      const slow = defineAgent({
        name: 'slow',
        description: 'Waits until it is let go.',
        capabilities: ['waiting'],
        useCases: ['waiting'],
        keywords: ['wait'],
        async run(_task, { owner }) {
          order.push(owner)
          await new Promise<void>((resolve) => gates.push(resolve))
          return { answer: 'Done.' }
        },
      })
      const databaseUrl = kind === 'memory' ? undefined : await createTestDatabase(inject('postgresUrl'))
      const app = await createApp({
        agents: [slow],
        ...(databaseUrl === undefined ? {} : { storage: { databaseUrl, secretKey: 'ab'.repeat(32) }, queue: true }),
        onError: ({ message }) => expect.fail(message),
      })
      try {
        const request = { question: 'wait', preferAgents: ['slow'], strategy: 'pipeline', memory: false, maxTurns: 1 }
        const places = kind === 'memory' ? 50 : 20
        const many = places + 30
        for (let i = 0; i < many; i++) await app.as('ann').start(request)
        const his = await app.as('ben').start(request)
        await app.engine.work()
        await expect.poll(() => order.length).toBe(places)
        // In the queue he may already be first. At the semaphore he gets the next free slot.
        if (!order.includes('ben')) gates.shift()!()
        await expect.poll(() => order.includes('ben')).toBe(true)
        expect(order.length).toBeLessThanOrEqual(places + 1)
        const letGo = setInterval(() => gates.splice(0).forEach((open) => open()), 20)
        const { status } = await app.as('ben').runs.outcome(his)
        for (const { runId } of await app.as('ann').runs.runs({ limit: 500 })) await app.as('ann').runs.outcome(runId)
        clearInterval(letGo)
        expect(status).toBe('finished')
        expect(order).toHaveLength(many + 1)
      } finally {
        await app.close()
      }
    },
    120_000,
  )
})
