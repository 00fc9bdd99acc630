import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createReader, createTestDatabase } from '../../test/support/postgres.ts'
import { openDatabase, type Database, type DatabaseOptions } from './database.ts'

const adminUrl = inject('postgresUrl')

describe.skipIf(adminUrl === '')('rights of the PostgreSQL user (skipped where no PostgreSQL is installed)', () => {
  let url: string
  let admin: Client
  const opened: Database[] = []
  const open = (address: string, options: DatabaseOptions = {}): Database => {
    const database = openDatabase(address, { name: 'shop', ...options })
    opened.push(database)
    return database
  }

  beforeAll(async () => {
    url = await createTestDatabase(adminUrl)
    admin = new Client({ connectionString: url })
    await admin.connect()
    await admin.query('CREATE TABLE orders (id int); INSERT INTO orders VALUES (1)')
  })
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()))
    await admin?.end()
  })

  const member = async (role: string): Promise<string> => createReader(url, { memberships: [role] })

  it.each([
    ['a superuser', async () => url],
    ['a replication role', async () => createReader(url, { attributes: 'REPLICATION' })],
    ['a member of pg_read_server_files', async () => member('pg_read_server_files')],
    ['a member of pg_write_server_files', async () => member('pg_write_server_files')],
    ['a member of pg_execute_server_program', async () => member('pg_execute_server_program')],
    ['a member of the superuser "postgres"', async () => member('postgres')],
    [
      'a member of pg_read_server_files',
      async () => createReader(url, { attributes: 'NOINHERIT', memberships: ['pg_read_server_files'] }),
    ],
    [
      'a member of pg_execute_server_program',
      async () => {
        const between = new URL(await member('pg_execute_server_program')).username
        return member(between)
      },
    ],
  ])('%s is refused, unless the operator allows it', async (what, makeUrl) => {
    const address = await makeUrl()
    const database = open(address)
    const refused = {
      code: 'ConfigurationError',
      message: expect.stringMatching(
        /^The user ".+" of the database "shop" is .+CREATE ROLE .+GRANT USAGE .+GRANT SELECT .+"allowSuperuser: true"/,
      ),
    }
    await expect(database.query('SELECT 1')).rejects.toMatchObject(refused)
    await expect(database.schema()).rejects.toMatchObject(refused)
    await expect(database.query('SELECT 1')).rejects.toThrow(what)
    const allowed = open(address, { allowSuperuser: true })
    expect(await allowed.query('SELECT count(*) FROM orders')).toMatchObject({ data: [[1]] })
    expect((await allowed.protections()).weak.join()).toContain(what)
  })

  it('is refused although the session uses a plain role, because it could leave that role', async () => {
    const role = new URL(await createReader(url)).username
    await expect(open(url, { role }).query('SELECT 1')).rejects.toThrow('a superuser')
  })

  it('is checked again with the schema', async () => {
    const address = await createReader(url)
    const database = open(address)
    await database.query('SELECT 1')
    await admin.query(`ALTER ROLE ${new URL(address).username} REPLICATION`)
    await expect(database.schema()).rejects.toThrow('a replication role')
  })

  it('of a read-only role keeps all protections', async () => {
    const address = await createReader(url)
    expect(await open(address).protections()).toEqual({
      standing: [
        'SQL guard',
        "server's analysis",
        `rights of "${new URL(address).username}"`,
        'read-only transaction',
        'limits',
      ],
      weak: [],
      advice: [],
    })
  })

  it('names missing protections with statements that fix them, and these work', async () => {
    const writer = await createReader(url)
    await admin.query(`GRANT INSERT ON orders TO ${new URL(writer).username}`)
    const { standing, weak, advice } = await open(writer, { serverCheck: false }).protections()
    expect(standing).toEqual(['SQL guard', 'read-only transaction', 'limits'])
    expect(weak).toEqual([
      expect.stringContaining('may change 1 of the tables'),
      expect.stringContaining('serverCheck'),
    ])
    expect(advice).toHaveLength(3)
    const name = `reader_of_advice_${process.pid}_${Date.now()}`
    for (const statement of advice) await admin.query(statement.replaceAll('tutti_reader', name))
    const made = new URL(url)
    made.username = name
    const database = open(made.href)
    expect((await database.protections()).advice).toEqual([])
    expect(await database.query('SELECT count(*) FROM orders')).toMatchObject({ data: [[1]] })
  })

  it('a server that does not print parse trees gets no query', async () => {
    const silent = await withoutNotices(url)
    const { port } = silent.address() as AddressInfo
    const address = new URL(await createReader(url))
    address.port = String(port)
    await expect(open(address.href).query('SELECT count(*) FROM orders')).rejects.toMatchObject({
      code: 'ConfigurationError',
      message: expect.stringContaining('"serverCheck: false"'),
    })
    expect(await open(address.href, { serverCheck: false }).query('SELECT count(*) FROM orders')).toMatchObject({
      data: [[1]],
    })
    await Promise.all(opened.map((database) => database.close()))
    await new Promise((resolve) => silent.close(resolve))
  })
})

const NOTICE_RESPONSE = 'N'.charCodeAt(0)

/** A proxy that drops the notices of the server, because other servers send none. */
async function withoutNotices(url: string): Promise<Server> {
  const target = Number(new URL(url).port)
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    let rest = Buffer.alloc(0)
    client.pipe(upstream)
    upstream.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 5 && rest.length >= rest.readInt32BE(1) + 1) {
        const length = rest.readInt32BE(1) + 1
        if (rest[0] !== NOTICE_RESPONSE) client.write(rest.subarray(0, length))
        rest = rest.subarray(length)
      }
    })
    for (const socket of [client, upstream]) {
      socket.on('error', () => {})
      socket.on('close', () => (client.destroy(), upstream.destroy()))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
