import { afterEach, describe, expect, it } from 'vitest'
import { TuttiError } from '../../domain/errors.ts'
import { createParser, type Parser, type ParserOptions } from './parser.ts'

const opened: Parser[] = []
function open(options: ParserOptions): Parser {
  const worker = createParser(options)
  opened.push(worker)
  return worker
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((worker) => worker.close()))
})

const SQLPARSER = '@guanmingchiu/sqlparser-ts'
const manyAnds = `SELECT 1 WHERE ${'a = 1 AND '.repeat(3000)}1`

describe('a parser', () => {
  it('serves the next query after one that corrupts sqlparser for good', async () => {
    const worker = open({ package: SQLPARSER })
    expect(await worker.parse(manyAnds, 'sqlite')).toMatchObject({ kind: 'crash' })
    expect(await worker.parse('SELECT 1', 'sqlite')).toMatchObject({ kind: 'tree' })
  })

  it('serves the next query after one that runs PostgreSQL’s parser out of stack', async () => {
    const worker = open({ package: 'libpg-query' })
    expect(await worker.parse(`SELECT 1${'+1'.repeat(100_000)}`, 'postgres')).toMatchObject({ kind: 'crash' })
    expect(await worker.parse('SELECT 1', 'postgres')).toMatchObject({ kind: 'tree' })
  })

  it('answers at once when a tree is too deep to be transferred', async () => {
    const worker = open({ package: 'libpg-query', timeoutMs: 600_000 })
    expect(await worker.parse(`SELECT 1${'+1'.repeat(5000)}`, 'postgres')).toMatchObject({ kind: 'crash' })
  })

  it('distinguishes a syntax error from a crash and keeps using the same parser', async () => {
    const worker = open({ package: SQLPARSER })
    expect(await worker.parse('SELECT FROM WHERE', 'mysql')).toEqual({
      kind: 'syntax',
      at: 'SELECT FROM WHERE'.indexOf('WHERE'),
      message: expect.stringContaining('Expected'),
    })
    const postgres = open({ package: 'libpg-query' })
    expect(await postgres.parse('SELEC 1', 'postgres')).toEqual({
      kind: 'syntax',
      at: 0,
      message: 'syntax error at or near "SELEC"',
    })
  })

  it('gives up a parse that takes too long and serves the next one', async () => {
    const worker = open({ package: 'libpg-query', timeoutMs: 5 })
    await worker.parse('SELECT 1', 'postgres')
    const slow = `SELECT 1 IN (${'1,'.repeat(300_000)}1)`
    expect(await worker.parse(slow, 'postgres')).toEqual({
      kind: 'crash',
      message: expect.stringContaining('longer than 5 ms'),
    })
    const patient = open({ package: 'libpg-query' })
    expect(await patient.parse('SELECT 1', 'postgres')).toMatchObject({ kind: 'tree' })
  })

  it('answers each of many parallel queries with its own tree, across replacements', async () => {
    const worker = open({ package: SQLPARSER, maxUses: 3 })
    const queries = Array.from({ length: 10 }, (_, index) => (index === 4 ? manyAnds : `SELECT ${index + 100}`))
    const outcomes = await Promise.all(queries.map((sql) => worker.parse(sql, 'sqlite')))
    const seen = outcomes.map((outcome, index) =>
      JSON.stringify(outcome).includes(`"${index + 100}"`) ? 'own' : outcome.kind,
    )
    expect(seen).toEqual(['own', 'own', 'own', 'own', 'crash', 'own', 'own', 'own', 'own', 'own'])
  })

  it('refuses to work once closed, and closing twice or while it starts does no harm', async () => {
    const worker = createParser({ package: SQLPARSER })
    const early = worker.parse('SELECT 1', 'sqlite').catch((error: unknown) => error)
    await worker.close()
    await worker.close()
    await early
    const late = await worker.parse('SELECT 1', 'sqlite').catch((error: unknown) => error)
    expect(TuttiError.isInstance(late)).toBe(true)
  })
})
