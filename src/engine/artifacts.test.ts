import { expect, it } from 'vitest'
import { agent, memoryEngine, request } from '../../test/support/engine-world.ts'

const bytes = new TextEncoder().encode('a chart')

/** Keeps a file, or returns the content of the file that the question names. */
const keeper = agent('keeper', async (task, { artifacts }) => {
  if (task.text !== 'keep') return { answer: Buffer.from((await artifacts.read(task.text)).bytes).toString() }
  return { answer: (await artifacts.keep({ name: 'chart.svg', mediaType: 'image/svg+xml', bytes })).id }
})

it("agents store files for their run's owner, and only that owner can read them in another run", async () => {
  const { engine, end } = await memoryEngine([keeper])
  const ask = async (owner: string, question: string) => {
    const runId = await engine.as(owner).start(request(['keeper'], { question }))
    return (await end(runId)).jobs.get('keeper')?.result
  }
  const id = (await ask('ann', 'keep'))!.answer!
  expect((await ask('ann', id))?.answer).toBe('a chart')
  expect((await ask('bob', id))?.error).toMatchObject({ type: 'ArtifactNotFound' })
})
