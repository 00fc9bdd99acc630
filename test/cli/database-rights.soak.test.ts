// Soak test: starts doctor, which prepares Python, for each configuration.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../support/postgres.ts'
import { createCliWorld } from './support.ts'
import { openForAll } from '../support/opened.ts'

const postgresUrl = inject('postgresUrl')

describe.skipIf(postgresUrl === '')('a PostgreSQL database (needs PostgreSQL on this machine)', () => {
  const world = openForAll(() => createCliWorld())
  let config: string
  beforeAll(async () => {
    const superuser = await createTestDatabase(postgresUrl)
    const client = new Client({ connectionString: superuser })
    await client.connect()
    await client.query(
      'CREATE TABLE customers (customer_id int PRIMARY KEY); INSERT INTO customers VALUES (1), (2), (3)',
    )
    await client.end()
    config = `databases:\n  - url: ${superuser}\n    name: shop\n`
  })

  const doctorWith = async (text: string) => {
    await writeFile(join(world.folder, 'superuser.yaml'), text)
    return world.run(['doctor', '--config', 'superuser.yaml'])
  }

  it('is refused by doctor for a superuser, with a fix', async () => {
    expect(await doctorWith(config)).toMatchObject({
      code: 3,
      out: expect.stringMatching(/is a superuser.*CREATE ROLE.*GRANT USAGE.*GRANT SELECT.*"allowSuperuser: true"/),
    })
  })

  it('is read by a superuser when the operator allows it, and doctor lists the missing protections', async () => {
    const { code, out } = await doctorWith(`${config}    allowSuperuser: true\n`)
    expect(code).toBe(0)
    expect(out).toContain("protections in place: SQL guard, server's analysis, read-only transaction, limits")
    expect(out).toContain('but the user "postgres" is a superuser, so its rights are no protection')
    expect(out).toMatch(/CREATE ROLE .+\n +GRANT USAGE .+\n +GRANT SELECT /)
    const asked = await world.json(['ask', 'How many customers are there?', '--config', 'superuser.yaml'])
    expect(asked).toMatchObject({ data: { rows: [{ number_of_customers: 3 }] } })
  })
})
