import { describe, expect, it } from 'vitest'
import { openDatabase } from './database.ts'

describe('openDatabase', () => {
  it.each([
    ['sqlite:data/shop.db', 'sqlite', 'shop'],
    ['sqlite:///var/data/shop.sqlite', 'sqlite', 'shop'],
    ['sqlite://shop', 'sqlite', 'shop'],
    ['data/Shop.SQLITE3', 'sqlite', 'Shop'],
    ['C:\\data.db', 'sqlite', expect.stringContaining('data')],
    ['postgres://bob@db.example/shop', 'postgres', 'shop'],
    ['postgresql://bob:p%40ss@db.example:6543/my%20shop?sslmode=disable', 'postgres', 'my shop'],
    ['postgres:///shop?host=/var/run/postgresql', 'postgres', 'shop'],
    ['mysql://bob@db.example/shop', 'mysql', 'shop'],
    ['mariadb://bob@db.example/shop', 'mysql', 'shop'],
  ])('understands %s', (url, dialect, name) => {
    expect(openDatabase(url)).toMatchObject({ dialect, name })
  })

  it('accepts a custom name', () => {
    expect(openDatabase('mysql://db.example/shop', { name: 'till' }).name).toBe('till')
  })

  it.each([
    ['oracle://bob:hunter2@db/shop', '"oracle:" is not understood'],
    ['shop', 'A database address is not understood'],
    ['', 'A database address is not understood'],
    ['postgres://bob:hunter2@db:port/shop', 'malformed'],
    ['postgres://bob:hunter2@db', 'does not name a database'],
    ['mysql://bob:hunter2@db/', 'does not name a database'],
    ['mysql://bob:hunter2@db/shop?debug=true', 'not "debug"'],
    ['mysql://bob:hunter2%@db/shop', 'malformed'],
    ['sqlite:', 'does not name a file'],
  ])('refuses %s in one sentence without the password', (url, message) => {
    let error: unknown
    try {
      openDatabase(url)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ code: 'ConfigurationError', message: expect.stringContaining(message) })
    expect(String(error)).not.toContain('hunter2')
  })

  it.each([[{ maxRows: 0 }], [{ maxRows: 1.5 }], [{ timeoutMs: -1 }], [{ timeoutMs: Number.NaN }]])(
    'refuses the limits %o',
    async (limits) => {
      for (const url of ['sqlite:x.db', 'postgres://db/shop', 'mysql://db/shop']) {
        await expect(openDatabase(url).query('SELECT 1', limits)).rejects.toMatchObject({ code: 'ConfigurationError' })
      }
    },
  )
})
