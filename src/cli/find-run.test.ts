import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { RunRecord } from '../domain/store.ts'
import type { OwnedRuns } from '../engine/owned-runs.ts'
import { findRun, findById } from './find-run.ts'
import { shortId } from './render/units.ts'

const record = (runId: string): RunRecord => ({
  runId,
  owner: 'local',
  question: 'q',
  strategy: 'pipeline',
  status: 'finished',
  lastSeq: 1,
  epoch: 1,
  createdAt: 0,
  updatedAt: 0,
})

function storeOf(...ids: string[]): Pick<OwnedRuns, 'run' | 'runs'> {
  const runs = ids.map(record)
  return {
    run: async (id: string) => runs.find((run) => run.runId === id),
    runs: async () => runs,
  }
}

/** The alphabet of ids of nested runs: letters of both cases, digits, - and _. */
const digest = (): string => randomBytes(9).toString('base64url')

describe('findRun', () => {
  const store = storeOf('abc123', 'abd456', 'ab')

  it('prefers a whole id, then a unique prefix', async () => {
    expect((await findRun(store, 'ab')).runId).toBe('ab')
    expect((await findRun(store, ' ABC ')).runId).toBe('abc123')
  })

  it('asks for more characters when a prefix is ambiguous', async () => {
    await expect(findRun(storeOf('abc123', 'abd456'), 'ab')).rejects.toThrow(/2 runs match "ab".*abc123, abd456/)
  })

  it('prefers a run to its nested runs, whose ids start with its own', async () => {
    const runs = [record('abc123'), { ...record('abc123-1'), parentId: 'abc123' }]
    const nested = { run: async () => undefined, runs: async () => runs }
    expect((await findRun(nested, 'abc')).runId).toBe('abc123')
    expect((await findRun(nested, 'abc123-')).runId).toBe('abc123-1')
  })

  it('finds each of many nested runs by a unique prefix, in any case', async () => {
    const ids = Array.from({ length: 60 }, () => [digest(), digest(), digest()])
    const runs = ids.flatMap(([first, ...rest]) => [
      record(first!),
      { ...record(`${first}.${rest[0]}`), parentId: first! },
      { ...record(`${first}.${rest.join('.')}`), parentId: `${first}.${rest[0]}` },
    ])
    const nested = { run: async (id: string) => runs.find(({ runId }) => runId === id), runs: async () => runs }
    for (const { runId } of runs) {
      for (const text of [runId, runId.toUpperCase(), runId.slice(0, -1), shortId(runId)]) {
        expect((await findRun(nested, text)).runId, text).toBe(runId)
      }
    }
  })

  it.each(['', '  ', 'x', '%'])('finds none for "%s"', async (text) => {
    await expect(findRun(store, text)).rejects.toMatchObject({
      code: 'RunNotFound',
      message: expect.stringContaining('List them with: tutti runs list'),
    })
  })
})

it('finds what has an ID with capitals by its ID or the beginning of it, in any case', () => {
  const what = { name: 'conversation', idOf: ({ id }: { id: string }) => id }
  for (const text of ['Project-X', 'project-x', 'Pro']) {
    expect(findById([{ id: 'Project-X' }, { id: 'other' }], text, what)).toEqual({ id: 'Project-X' })
  }
  expect(findById([{ id: 'abc' }, { id: 'ABC' }, { id: 'abcd' }], 'abc', what)).toEqual({ id: 'abc' })
})
