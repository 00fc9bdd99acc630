// Soak test: sends many messages with several strategies.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sample } from '../support/length.ts'
import { createDemo, type Demo } from '../e2e/support.ts'

/** Messages without a question, without a model: the answer lists the remembered facts, and nothing is searched. */

let demo: Demo
beforeAll(async () => void (demo = await createDemo()))
afterAll(() => demo.remove())

it.each(sample(['auto', 'pipeline', 'graph', 'supervisor', 'review'], 2))('by %s', async (strategy) => {
  const app = await demo.open({
    inMemory: true,
    databases: [{ url: `sqlite:${demo.database}` }],
    documents: [demo.documents],
  })
  const told = async (question: string) => {
    const { answer, agentResults, metadata } = await app.ask({ question, strategy })
    expect([agentResults, metadata.unanswered]).toEqual([[], []])
    return [answer, metadata.isAnswered]
  }
  try {
    const ada = 'My name is Ada and I am in charge of Germany. Always answer briefly.'
    expect(await told(ada)).toEqual(['Remembered: your name (Ada), the length of answers (short).', true])
    expect(await told(ada)).toEqual(['That was remembered already.', true])
    expect(await told('Remember that my customers are those in Germany')).toEqual([
      expect.stringContaining('Nothing was remembered'),
      false,
    ])
    expect(await told('Please call me Bea, I work at Brindlemoor.')).toEqual([
      'Remembered: your name (Bea), your company (Brindlemoor).',
      true,
    ])
    const both = await app.ask({ question: `${ada} How many customers are there?`, strategy })
    expect(both.agentResults).toMatchObject([{ agent: 'sql', status: 'succeeded' }])
    expect(both.answer).toMatch(/\d/)
  } finally {
    await app.close()
  }
})
