import { expect, it } from 'vitest'
import type { Artifacts } from '../domain/artifacts.ts'
import { agent, engineFor, passing, request } from '../../test/support/engine-world.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { MemoryStore } from '../storage/memory-store.ts'
import { MemoryWakeLog } from '../storage/wake-log.ts'

const bytes = new TextEncoder().encode('a chart')

/** Keeps a file, or returns the content of the file that the question names. */
const keeper = agent('keeper', async (task, { artifacts }) => {
  if (task.text !== 'keep') return { answer: Buffer.from((await artifacts.read(task.text)).bytes).toString() }
  return { answer: (await artifacts.keep({ name: 'chart.svg', mediaType: 'image/svg+xml', bytes })).id }
})

it("agents store files for their run's owner, and only that owner can read them in another run", async () => {
  const clock = new ManualClock()
  const engine = engineFor([keeper], { store: new MemoryStore(new MemoryWakeLog(), () => undefined), clock })
  const ask = async (owner: string, question: string) => {
    const runId = await engine.as(owner).start(request(['keeper'], { question }))
    return (await passing(clock, engine.outcome(runId))).jobs.get('keeper')?.result
  }
  const id = (await ask('ann', 'keep'))!.answer!
  expect((await ask('ann', id))?.answer).toBe('a chart')
  expect((await ask('bob', id))?.error).toMatchObject({ type: 'ArtifactNotFound' })
  await engine.close()
})

it('a job that the engine has abandoned stores nothing more', async () => {
  const clock = new ManualClock()
  const held: { artifacts?: Artifacts } = {}
  const leaker = agent('leaker', async (_task, { artifacts }) => {
    held.artifacts = artifacts
    return { answer: 'over' }
  })
  const engine = engineFor([leaker], { store: new MemoryStore(new MemoryWakeLog(), () => undefined), clock })
  await passing(clock, engine.outcome(await engine.start(request(['leaker']))))
  await expect(held.artifacts!.keep({ name: 'late', mediaType: 'text/plain', bytes })).rejects.toMatchObject({
    code: 'Cancelled',
  })
  await engine.close()
})
