import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { querySqlite, withSqlite } from './sqlite-query.ts'

/** Each protection of the SQLite process on its own, without the protections before it. */
describe('the protections of the SQLite process, one by one', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'shop.db')

  beforeAll(() => {
    const database = new Libsql(file)
    database.exec('CREATE TABLE t (a)')
    database.close()
  })

  it('has a handle that cannot write, even after query_only was switched off', () => {
    withSqlite(file, (database) => {
      database.prepare('PRAGMA query_only = 0').all([])
      expect(() => database.prepare('INSERT INTO t VALUES (1)').run([])).toThrow('readonly')
      expect(() => database.exec('PRAGMA user_version = 7')).toThrow('readonly')
    })
  })

  it('sets query_only, which also covers attached databases', () => {
    withSqlite(file, (database) => {
      database.exec("ATTACH ':memory:' AS other")
      expect(() => database.exec('CREATE TABLE other.t (a)')).toThrow('readonly')
    })
  })

  it('never creates a file', () => {
    expect(() => withSqlite(join(folder, 'missing.db'), () => {})).toThrow('Unable to open')
    expect(existsSync(join(folder, 'missing.db'))).toBe(false)
  })

  it('runs only queries', () => {
    withSqlite(file, (database) => {
      for (const sql of [
        `ATTACH '${folder}/new.db' AS x`,
        `VACUUM INTO '${folder}/new.db'`,
        'BEGIN',
        'PRAGMA user_version',
      ]) {
        expect(() => querySqlite(database, sql, 1)).toThrow('Only SELECT')
      }
      expect(() => querySqlite(database, `SELECT 1; ATTACH '${folder}/new.db' AS x`, 1)).toThrow('one statement')
    })
    expect(existsSync(join(folder, 'new.db'))).toBe(false)
  })

  it('does not raise its memory limit again', () => {
    withSqlite(file, (database) => {
      const [[limit]] = database.prepare('PRAGMA hard_heap_limit = 4000000000').raw().all([]) as [[number]]
      expect(limit).toBe(512 * 1024 * 1024)
    })
  })
})
