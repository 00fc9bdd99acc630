import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startModelServer, toolCall } from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'
import { createCliWorld, modelEnv } from './support.ts'

// Commands run in this process.
const world = openForAll(() => createCliWorld(async () => join(import.meta.dirname, '..', '..')))
const sql = 'SELECT country, count(*) AS n FROM customers GROUP BY country ORDER BY country'
const server = openForAll(() =>
  startModelServer([
    { when: 'You are Tutti', reply: toolCall('query', { sql }), times: 1 },
    { when: 'You are Tutti', reply: { text: 'Ireland has 2 customers, Japan 1 [s1].' } },
  ]),
)

describe('tutti runs export and tutti test', () => {
  it('replay a database run without model and database, and exit with 1 when a prompt differs', async () => {
    const env = modelEnv(server)
    const db = ['--db', 'sqlite:shop.sqlite']
    const { metadata } = await world.json(['ask', 'Customers by country?', ...db], { env })
    const exported = await world.run(['runs', 'export', metadata.runId, '--cassette', 'run.json', ...db], { env })
    expect(exported).toMatchObject({ code: 0 })
    const withDatabase = await world.run(['test', 'run.json', ...db])
    expect(withDatabase).toMatchObject({ code: 0, out: 'run.json: equal, 2 turns, 0 prompts compared\n' })
    const asks = server.requests.length
    await rm(join(world.folder, 'shop.sqlite'))
    expect(await world.run(['test', 'run.json'])).toMatchObject({ code: 0, out: withDatabase.out })
    expect(server.requests).toHaveLength(asks)

    const text = await readFile(join(world.folder, 'run.json'), 'utf8')
    await writeFile(join(world.folder, 'old.json'), text.replace('You are Tutti', 'You were Tutti'))
    const changed = await world.run(['test', 'run.json', 'old.json'])
    expect(changed.code).toBe(1)
    expect(changed.out).toMatch(
      /old\.json: 1 differences.*\n {2}job assistant, turn 1: instructions\n {2}-You were Tutti/,
    )
  })
})
