import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { givenPlanner, memoryEngine } from '../../../test/support/engine-world.ts'
import { FakeModels, streamingComposer } from '../../../test/support/fake-models.ts'
import { eventually, gate } from '../../../test/support/waiting.ts'
import { untilAborted } from '../../shared/clock.ts'

const warnings: string[] = []
const note = ({ message }: Error): unknown => warnings.push(message)
beforeEach(() => void process.on('warning', note))
afterEach(() => void process.off('warning', note))

/** Above the number of listeners for which Node.js prints a warning. */
const MANY = 20

it('many readers of a run share one signal, and leave no listener on it', async () => {
  const [asked, hold] = [gate(), gate()]
  const models = new FakeModels(() => {
    asked.open()
    return { pieces: ['Done.'], after: hold.promise }
  })
  const { engine, start } = await memoryEngine([], { models, roles: [givenPlanner, streamingComposer] })
  const { signal } = new AbortController()
  const runId = await start([])
  await asked.promise
  const read = async (): Promise<void> => {
    for await (const item of engine.stream(runId, { signal })) void item
  }
  const over = Array.from({ length: MANY }, () => Promise.all([read(), engine.outcome(runId, signal)]))
  await eventually(() => getEventListeners(signal, 'abort').length === 2 * MANY)
  hold.open()
  await Promise.all(over)
  await new Promise((resolve) => setImmediate(resolve))
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(warnings).toEqual([])
})

it('finished work leaves no listener on its abort signal', async () => {
  const { signal } = new AbortController()
  expect(await untilAborted(Promise.resolve(1), signal)).toBe(1)
  await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
  await new Promise((resolve) => setImmediate(resolve))
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
