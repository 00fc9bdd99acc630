// Soak test: random queries, checked by PostgreSQL.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { times } from '../../../../test/support/length.ts'
import { openDatabase, type Database, type DatabaseOptions } from '../../database.ts'
import { POSTGRES_ATTACKS } from '../../../../test/fixtures/databases/sql-guard/attacks-postgres.ts'
import { doublings, otherDoublings } from '../../../../test/fixtures/databases/sql-guard/doubling.ts'
import { HONEST } from '../../../../test/fixtures/databases/sql-guard/honest.ts'
import { RESOLVED_ATTACKS } from '../../../../test/fixtures/databases/server-analysis/attacks.ts'
import { HONEST_HERE } from '../../../../test/fixtures/databases/server-analysis/honest.ts'
import { createWorld, PLANTED, type World } from '../../../../test/fixtures/databases/server-analysis/world.ts'

const adminUrl = inject('postgresUrl')
/**
 * Harmful for the SQL guard, which searches only `public`. Here both schemas are searched, and the name resolves to a listed
 * table.
 */
const FINDS_ITS_TABLE = 'SELECT * FROM budget'

const title = (sql: string): string => (sql.length > 150 ? `${sql.slice(0, 150)}…` : sql)

describe.skipIf(adminUrl === '')('the check by the server, with the SQL guard off (skipped without PostgreSQL)', () => {
  let world: World
  const opened: Database[] = []
  const open = (who: 'reader' | 'superuser', options: DatabaseOptions = {}): Database => {
    const { schemas, tables, readerUrl, superuserUrl } = world
    const isReader = who === 'reader'
    const database = openDatabase(isReader ? readerUrl : superuserUrl, {
      schemas,
      tables,
      allowSuperuser: !isReader,
      ...options,
    })
    opened.push(database)
    return database
  }
  let reader: Database
  let superuser: Database

  beforeAll(async () => {
    world = await createWorld(adminUrl)
    reader = open('reader')
    superuser = open('superuser')
  })
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()))
    await world?.close()
  })

  describe('honest questions run as a plain role', () => {
    const honest = [...HONEST.postgres, ...HONEST_HERE].map((sql) => [title(sql), sql] as const)
    it.each(honest)('%s', async (_, sql) => {
      const outcome = await reader.query(sql).catch((error: unknown) => error)
      expect(outcome).toMatchObject({ columns: expect.any(Array) })
    })
  })

  describe('attacks are refused for every role', () => {
    // The SQL guard and the time limit cover queries whose size depends on the data.
    const harmful = [...POSTGRES_ATTACKS.flatMap(([rule, sql]) => (rule === 'size' ? [] : [sql])), ...RESOLVED_ATTACKS]
      .filter((sql) => sql !== FINDS_ITS_TABLE)
      .map((sql) => [title(JSON.stringify(sql)), sql] as const)

    it.each(harmful)('%s', async (_, sql) => {
      const errors = await Promise.all(
        [reader, superuser].map((database) => database.query(sql).catch((error: unknown) => error)),
      )
      for (const error of errors) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^Query(Blocked|Error)$/), retryable: false })
        expect((error as Error).message).not.toContain(PLANTED)
      }
    })

    it('and no user-defined function was called', async () => {
      expect(await world.admin('SELECT last_value::int AS n, is_called FROM called')).toEqual([
        { n: 1, is_called: false },
      ])
      expect(await world.admin("SELECT to_regclass('copied') AS t, (SELECT count(*)::int FROM album) AS n")).toEqual([
        { t: null, n: 1 },
      ])
    })

    it('without this protection many of them run, so the tests above are meaningful', async () => {
      const bare = open('superuser', { serverCheck: false })
      const shown = RESOLVED_ATTACKS.filter((sql) => /\.(?:evil|current_setting)\b|evil_|to_regclass/.test(sql))
      const outcomes = await Promise.allSettled(shown.map((sql) => bare.query(sql)))
      expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(10)
      expect(JSON.stringify(outcomes)).toContain(PLANTED)
    })
  })

  describe('columns that double from level to level', () => {
    // Deep enough to be refused, and harmless for a server without this protection. PREPARE itself copies some expressions.
    const copiedEarly = /BETWEEN|IN$/
    const others = (depth: number) => otherDoublings(depth).filter(([shape]) => !copiedEarly.test(shape))
    it.each([...doublings(17), ...others(17)])('are refused: %s', async (_, sql) => {
      await expect(superuser.query(sql)).rejects.toMatchObject({
        code: 'QueryBlocked',
        message: expect.stringContaining('grows too large'),
      })
    })
    it.each([...doublings(3), ...otherDoublings(3)])('pass where they are few: %s', async (_, sql) => {
      expect(await reader.query(sql)).toMatchObject({ columns: expect.any(Array) })
    })
  })

  it('is not misled by names in the query', async () => {
    const parts = fc.constantFrom(
      ...' \n\t\r\\(){}[]"<>:ü😀',
      ':funcid 1',
      '{CONST :x',
      '} {',
      '\\ :relid',
      '\u00a0',
      'abcdefgh',
    )
    const name = fc
      .array(parts, { minLength: 1, maxLength: 20 })
      .map((all) => `"${all.join('').replaceAll('"', '""')}"`)
    let read = 0
    await fc.assert(
      fc.asyncProperty(name, name, name, async (a, b, c) => {
        const evil = `SELECT evil('x') AS ${a} FROM album AS ${b}(${c}, ${a})`
        await expect(reader.query(evil)).rejects.toMatchObject({
          code: expect.stringMatching(/^Query(Blocked|Error)$/),
        })
        const plain = `SELECT 1 AS ${a}, ${b}.${c} FROM album AS ${b}(${c})`
        read += await reader.query(plain).then(
          () => 1,
          () => 0,
        )
      }),
      { numRuns: times(150), seed: 8 },
    )
    expect(read).toBeGreaterThan(times(50))
  })

  it('names the objects that the server would use', async () => {
    const message = (sql: string): Promise<string> => reader.query(sql).then(String, (error: Error) => error.message)
    expect(await message('SELECT a.evil_col FROM album a')).toContain('"function evil_col(album)"')
    expect(await message('SELECT * FROM secret')).toContain('secret')
    expect(await message("SELECT 'a'::text + 'b'")).toContain('operator +(text,text)')
    await expect(reader.query('SELECT pg_sleep(1)')).rejects.toMatchObject({
      code: 'QueryBlocked',
      message: expect.stringMatching(/pg_sleep\(double precision\)" for this query, which is not on the allow-list\.$/),
      details: { rule: 'server' },
    })
  })

  it('checks the resolved table, not its name', async () => {
    const publicOnly = open('reader', { schemas: ['public'], tables: ['album', 'budget'] })
    await expect(publicOnly.query('SELECT * FROM finance.budget')).rejects.toMatchObject({ code: 'QueryBlocked' })
    await expect(publicOnly.query('SELECT * FROM artist')).rejects.toMatchObject({ code: 'QueryBlocked' })
    expect(await publicOnly.query('WITH artist AS (SELECT 1) SELECT * FROM artist')).toMatchObject({ rowCount: 1 })
  })

  it('treats a view as a view: its owner is responsible for its content', async () => {
    const viewOnly = open('reader', { tables: ['hidden'] })
    expect(await viewOnly.query('SELECT count(*) FROM hidden')).toMatchObject({ data: [[1]] })
    await expect(viewOnly.query('SELECT count(*) FROM secret')).rejects.toMatchObject({ code: 'QueryBlocked' })
    await expect(open('reader', { tables: ['secret'] }).query('TABLE hidden')).rejects.toMatchObject({
      code: 'QueryBlocked',
    })
  })

  it('recognises a table that is newer than its lists', async () => {
    await reader.query('SELECT 1')
    const all = openDatabase(world.readerUrl)
    opened.push(all)
    await all.query('SELECT count(*) FROM album')
    await world.admin('CREATE TABLE late (id int); GRANT SELECT ON late TO PUBLIC')
    expect(await all.query('SELECT count(*) FROM late')).toMatchObject({ data: [[0]] })
  })

  it('uses operators and types of an extension that the operator listed, and names one that is not listed', async () => {
    const sql = 'SELECT count(*) FROM person WHERE span = span'
    await expect(reader.query(sql)).rejects.toThrow('It belongs to the extension "seg"')
    expect(await open('reader', { extensions: ['seg'] }).query(sql)).toMatchObject({ data: [[0]] })
  })

  it('neither plans nor runs what it refuses: a stable function on constants is not evaluated', async () => {
    // EXPLAIN would evaluate it and show a row in its error.
    await expect(superuser.query("SELECT table_to_xml('secret', true, true, '')::text::int")).rejects.toMatchObject({
      code: 'QueryBlocked',
    })
  })

  it('restores the settings for the query itself', async () => {
    const settings = ['debug_print_parse', 'client_min_messages']
    await world.admin('CREATE VIEW setting AS SELECT name, setting FROM pg_settings; GRANT SELECT ON setting TO PUBLIC')
    const viewing = open('reader', { tables: ['setting'] })
    const { data } = await viewing.query(
      `SELECT name, setting FROM setting WHERE name IN ('${settings.join("', '")}') ORDER BY name`,
    )
    expect(data).toEqual([
      ['client_min_messages', 'warning'],
      ['debug_print_parse', 'off'],
    ])
    const { data: limits } = await viewing.query("SELECT setting FROM setting WHERE name = 'work_mem'")
    expect(limits).toEqual([['32768']])
    expect((await viewing.query("SELECT setting FROM setting WHERE name = 'temp_file_limit'")).data).toEqual([['-1']])
    const free = open('superuser', { tables: ['setting'] })
    expect((await free.query("SELECT setting FROM setting WHERE name = 'temp_file_limit'")).data).toEqual([['2097152']])
  })
})
