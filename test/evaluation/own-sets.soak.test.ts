// Soak test: runs the project's own evaluation sets.
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChinook, makeDatabases } from '../../evals/databases.ts'
import { withExpected } from '../../evals/expect.ts'
import { readSets, runCases } from '../../evals/run.ts'
import type { CaseInput, EvalCase } from '../../src/evaluation/cases.ts'

/** The project's evaluation sets: checks the expected values, and runs a few cases. */

type Line = Omit<CaseInput, 'expect'> & { expect?: unknown }

const SETS = ['chinook', 'conversations', 'demo', 'documents', 'gym', 'hire', 'mixtures']
const open = new Map<string, Database.Database>()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-evals-'))
  await makeDatabases(folder)
})
afterAll(async () => {
  for (const db of open.values()) db.close()
  await rm(folder, { recursive: true, force: true })
})

/** Opens a database that this project generates. Returns undefined for others. */
function database(url: string): Database.Database | undefined {
  const name = url.replace('sqlite:evals/.data/', '')
  if (name === 'chinook.sqlite') return undefined
  if (!open.has(name)) open.set(name, new Database(join(folder, name)))
  return open.get(name)
}

async function linesOf(set: string): Promise<Line[]> {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'evals', `${set}.jsonl`), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

describe('expected values of the sets', () => {
  it('cover over 200 questions, each with the source of its answer', async () => {
    const cases = await readSets([])
    expect(cases.length).toBeGreaterThan(200)
    expect([...new Set(cases.map(({ set }) => set))]).toEqual(SETS)
    const unfounded = cases.filter(({ reference, turns }) => reference === undefined && turns.length === 1)
    expect(unfounded).toEqual([])
  })

  it.each(['demo', 'gym', 'hire', 'mixtures'])('equal the query results of %s', async (set) => {
    const lines = await linesOf(set)
    expect(lines.map((line) => withExpected(line, database))).toEqual(lines)
    expect(lines.some(({ reference }) => String(reference).startsWith('SELECT'))).toBe(true)
  })

  it('equal the query results of conversations', async () => {
    for (const { turns = [], expect: single, reference = [], ...rest } of await linesOf('conversations')) {
      const expected = turns.length === 0 ? [single] : turns.map((turn) => turn.expect)
      for (const sql of [reference].flat()) {
        const { expect: given } = withExpected({ ...rest, question: '?', reference: sql }, database)
        const numbers = (given as { number?: number[] }).number
        const same = expected.filter((one) => {
          const { number, ...others } = (one ?? {}) as { number?: unknown }
          return numbers === undefined
            ? JSON.stringify(others) === JSON.stringify(given)
            : JSON.stringify([number].flat()) === JSON.stringify(numbers)
        })
        expect(same.length, sql).toBeGreaterThan(0)
      }
    }
  })

  it.runIf(hasChinook())('equal the query results of chinook', async () => {
    const lines = await linesOf('chinook')
    const db = new Database(join(import.meta.dirname, '..', '..', 'evals', '.data', 'chinook.sqlite'))
    expect(lines.map((line) => withExpected(line, () => db))).toEqual(lines)
    db.close()
  })
})

const here = (one: EvalCase): EvalCase => ({
  ...one,
  ...(one.db && { db: one.db.map((url) => url.replace('evals/.data', folder)) }),
})

describe('a few of them', () => {
  it('are answered correctly', async () => {
    const wanted = ['demo-1', 'demo-6', 'demo-44', 'gym-1', 'gym-4', 'hire-7']
    const cases = (await readSets([])).filter(({ id }) => wanted.includes(id))
    expect(cases).toHaveLength(wanted.length)
    const results = await runCases(cases.map(here))
    expect(results.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(cases.map(({ id }) => `${id} right`))
  })

  it('use the terms next to their databases', async () => {
    const path = join(folder, 'regulars.sqlite')
    await copyFile(join(folder, 'gym.sqlite'), path)
    const terms = await readFile(join(folder, 'gym.terms.yaml'), 'utf8')
    await writeFile(join(folder, 'regulars.terms.yaml'), terms.replace('- member\n', '- member\n      - regular\n'))
    const first = (await readSets(['gym'])).find(({ id }) => id === 'gym-1')
    const turns = first!.turns.map((turn) => ({ ...turn, question: 'How many regulars are there?' }))
    const [result] = await runCases([{ ...first!, turns, db: [`sqlite:${path}`] }])
    expect(result?.verdict).toBe('right')
  })

  it('get the same answers from the supervisor as by default: those of docs/demo-data.md', async () => {
    const all = await readSets(['demo'])
    const cases = all.filter(({ id }) => /^demo-(?:\d|10|11)$/.test(id)).map(here)
    expect(cases).toHaveLength(11)
    const verdicts = async (strategy: string): Promise<string[]> => {
      const results = await runCases(cases.map((one) => ({ ...one, strategy })))
      return results.map(({ id, verdict }) => `${id} ${verdict}`)
    }
    const supervised = await verdicts('supervisor')
    expect(supervised).toEqual(await verdicts('auto'))
    expect(supervised.filter((one) => one.endsWith('wrong'))).toEqual([])
    expect(supervised.filter((one) => one.endsWith('right')).length).toBeGreaterThan(8)
  })
})
