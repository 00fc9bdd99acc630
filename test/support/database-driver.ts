import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, type Database, type DatabaseOptions } from '../../src/databases/database.ts'

/** What the tests of a driver need. Tables are `customers`, with two rows, and others of the driver. */
export interface Driver {
  /** Address of the database; called when tests run. */
  readonly address: () => string
  readonly options: DatabaseOptions
  /** Expressions with the cell that they give. */
  readonly cells: readonly (readonly [expression: string, cell: unknown])[]
  /** Statements that must fail and change nothing. */
  readonly refused: readonly (readonly [name: string, sql: string])[]
  /** What refused statements must not change. */
  readonly state: () => unknown
  /** A query of more than 1,000 rows, which ends without LIMIT. */
  readonly manyRows: string
  /** A query that takes a minute or more. */
  readonly endless: string
  /** The database's message for an unknown column `nam`. */
  readonly unknownColumn: RegExp
}

/** A database that is a server. */
export interface ServerDriver extends Driver {
  /** Number of queries that it runs for Tutti. */
  readonly running: () => Promise<number>
  /** Locks the table `customers`, and returns what unlocks it. */
  readonly lock: () => Promise<() => Promise<unknown>>
  /** A query for the ID of its connection. */
  readonly connectionId: string
  readonly kill: (connection: unknown) => Promise<unknown>
}

/** Tests that every driver must pass, with the gate off. */
export function testDriver(driver: Driver): void {
  const { options, manyRows } = driver
  let database: Database
  beforeAll(() => {
    database = openDatabase(driver.address(), options)
  })
  afterAll(() => database?.close())

  it.each(driver.cells)('reads %s', async (expression, cell) => {
    expect((await database.query(`SELECT ${expression}`)).data).toEqual([[cell]])
  })

  it('keeps columns of the same name, and names of an empty result', async () => {
    const same = { columns: ['a', 'a'], data: [[1, 2]], rowCount: 1, truncated: false }
    expect(await database.query('SELECT 1 AS a, 2 AS a')).toEqual(same)
    const empty = await database.query('SELECT id AS a, name AS b FROM customers WHERE id < 0')
    expect(empty).toMatchObject({ columns: ['a', 'b'], data: [] })
  })

  it.each(driver.refused)('%s fails and changes nothing', async (_, sql) => {
    const before = await driver.state()
    await expect(database.query(sql)).rejects.toMatchObject({ code: 'QueryError', retryable: false })
    expect(await driver.state()).toEqual(before)
  })

  it('keeps the row cap, with and without a LIMIT in the query', async () => {
    const capped = { rowCount: 7, truncated: true }
    expect(await database.query(manyRows, { maxRows: 7 })).toMatchObject(capped)
    expect(await database.query(`${manyRows} LIMIT 100000000`, { maxRows: 7 })).toMatchObject(capped)
    const whole = await database.query(`${manyRows} LIMIT 7`, { maxRows: 7 })
    expect(whole).toMatchObject({ rowCount: 7, truncated: false })
    expect(await database.query(manyRows)).toMatchObject({ rowCount: 1000, truncated: true })
  })

  it('stops a query that takes too long, and answers the next', async () => {
    const slow = database.query(driver.endless, { timeoutMs: 1500 })
    const next = database.query('SELECT 1')
    await expect(slow).rejects.toMatchObject({
      code: 'QueryError',
      retryable: false,
      message: expect.stringContaining('longer than 1.5 s'),
    })
    expect((await next).data).toEqual([[1]])
  })

  it('returns the message of the database', async () => {
    await expect(database.query('SELECT nam FROM customers')).rejects.toMatchObject({
      code: 'QueryError',
      retryable: false,
      message: expect.stringMatching(driver.unknownColumn),
    })
  })

  it('does not keep a program alive', async () => {
    const script = `
      const { openDatabase } = await import('${new URL('../../src/databases/database.ts', import.meta.url).href}')
      const database = openDatabase(${JSON.stringify(driver.address())}, ${JSON.stringify(options)})
      console.log((await database.query('SELECT 41 + 1')).data[0][0])`
    const program = ['--import', 'tsx', '--input-type=module', '-e', script]
    const { stdout } = await promisify(execFile)(process.execPath, program, { timeout: 60_000 })
    expect(stdout).toBe('42\n')
  })
}

/** The same, and what concerns the server's side. */
export function testServerDriver(driver: ServerDriver): void {
  testDriver(driver)
  const { running } = driver
  let database: Database
  beforeAll(() => {
    database = openDatabase(driver.address(), driver.options)
  })
  afterAll(() => database?.close())

  it('stops a query on the server too, by a timeout and on abort', async () => {
    await expect(database.query(driver.endless, { timeoutMs: 200 })).rejects.toThrow('longer than 0.2 s')
    await expect.poll(running).toBe(0)
    const controller = new AbortController()
    const { signal } = controller
    const query = database.query(driver.endless, { signal })
    await expect.poll(running).toBe(1)
    controller.abort()
    await expect(query).rejects.toMatchObject({ code: 'Cancelled' })
    await expect.poll(running).toBe(0)
    await expect(database.query('SELECT 1', { signal })).rejects.toMatchObject({ code: 'Cancelled' })
  })

  it('waits for a lock no longer than its time limit', async () => {
    const unlock = await driver.lock()
    try {
      const waiting = database.query('SELECT * FROM customers', { timeoutMs: 300 })
      await expect(waiting).rejects.toMatchObject({ code: 'QueryError' })
    } finally {
      await unlock()
    }
    expect((await database.query('SELECT count(*) FROM customers')).data).toEqual([[2]])
  })

  it('reconnects after the server dropped its connections', async () => {
    const [[connection] = []] = (await database.query(driver.connectionId)).data
    await driver.kill(connection)
    await expect.poll(async () => (await database.query('SELECT 1')).data).toEqual([[1]])
  })
}
