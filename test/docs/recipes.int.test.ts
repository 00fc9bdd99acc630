import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { glob } from 'tinyglobby'
import { describe, expect, inject, it } from 'vitest'
import { parse } from 'yaml'
import { createApp } from '../../src/app/create-app.ts'
import { configSchema } from '../../src/app/config/schema.ts'
import { createCliWorld } from '../cli/support.ts'
import { openForAll } from '../support/opened.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { serveHere } from '../support/served.ts'

/** Checks that the recipes work as described. */

const DOCS = join(import.meta.dirname, '../../docs')
const read = (page: string): string => readFileSync(join(DOCS, page), 'utf8')
const PAGES = [
  'first-hour.md',
  'troubleshooting.md',
  ...readdirSync(join(DOCS, 'recipes')).map((name) => `recipes/${name}`),
]

const blocksOf = (page: string, kind: string): string[] =>
  [...page.matchAll(/^ *```(\w+)\n([\s\S]*?)\n *```$/gm)].flatMap(([, one, body]) => (one === kind ? [body!] : []))
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)

it.each(PAGES)('docs/%s shows valid configuration', (name) => {
  for (const block of blocksOf(read(name), 'yaml')) {
    const filled = block.replaceAll(/\$\{\w+\}/g, 'filled')
    expect(configSchema.safeParse(parse(filled)).error?.message, block).toBeUndefined()
  }
})

describe('troubleshooting', () => {
  it('quotes sentences that the product can print', async () => {
    const files = await glob('src/**/*.ts', { cwd: join(DOCS, '..'), ignore: ['**/*.test.ts'] })
    const sources = files.map((file) =>
      // A sentence that continues on the next line, and values within one.
      readFileSync(join(DOCS, '..', file), 'utf8')
        .replaceAll(/['`] \+\n\s*['`]/g, '')
        .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…')
        .replaceAll(String.raw`\'`, "'"),
    )
    const quotes = [...read('troubleshooting.md').matchAll(/^> (.+)$/gm)].map(([, quote]) => quote!)
    expect(quotes.length).toBeGreaterThan(20)
    const unknown = quotes.filter((quote) => {
      const parts = quote.split('…').map((part) => part.trim().replace(/\.$/, ''))
      const telling = parts.filter((part) => part.length > 3)
      return !sources.some((source) => telling.every((part) => source.toLowerCase().includes(part.toLowerCase())))
    })
    expect(unknown).toEqual([])
  })
})

describe('by hand', () => {
  const world = openForAll(() => createCliWorld(), 240_000)

  /** Runs the commands of a block in sequence. */
  const done = async (page: string, given: Readonly<Record<string, string>> = {}, where = world): Promise<string> => {
    let all = ''
    const env: Record<string, string> = { ...given }
    for (const said of blocksOf(page, 'sh').join('\n').split('\n')) {
      const [, name, value] = /^export (\w+)=(\S+)$/.exec(said) ?? []
      if (name !== undefined) env[name] ??= value!
      if (!said.startsWith('tutti ') || said.startsWith('tutti serve')) continue
      const args = wordsOf(said.replaceAll(/\$(\w+)/g, (_all, name: string) => env[name] ?? '')).slice(1)
      const { code, out, err } = await where.run(args, { env })
      expect(code, `${said}\n${err}`).toBe(0)
      all += out
    }
    return all
  }

  it('a question is asked every morning', async () => {
    const said = await done(read('recipes/cron.md'))
    expect(JSON.parse(said.slice(said.indexOf('{'))).metadata.isAnswered).toBe(true)
  })

  const postgresUrl = inject('postgresUrl')
  it.skipIf(postgresUrl === '')('a PostgreSQL user can only read (needs PostgreSQL)', async () => {
    const url = new URL(await createTestDatabase(postgresUrl))
    const page = read('recipes/postgres.md')
    const owner = new Client({ connectionString: url.href })
    await owner.connect()
    await owner.query('CREATE TABLE salaries (id int PRIMARY KEY, pay int); INSERT INTO salaries VALUES (1, 7)')
    await owner.query(blocksOf(page, 'sql')[0]!)
    try {
      await owner.query('CREATE TABLE later (id int)')
      const there = page.replaceAll('127.0.0.1:5432/shop', `${url.host}${url.pathname}`)
      const said = await done(there, { SHOP_PASSWORD: 'choose-one' })
      expect(said).toContain('salaries')
      expect(said).toContain('later')
      const reader = new Client({
        connectionString: `postgres://tutti_reader:choose-one@${url.host}${url.pathname}`,
      })
      await reader.connect()
      await reader.query('SET default_transaction_read_only = off')
      await expect(reader.query('INSERT INTO salaries VALUES (2, 8)')).rejects.toThrow('permission denied')
      await expect(reader.query('CREATE TABLE mine (id int)')).rejects.toThrow('permission denied')
      await reader.end()
    } finally {
      await owner.query('DROP OWNED BY tutti_reader; DROP ROLE tutti_reader')
      await owner.end()
    }
  })

  it('a chat room asks through the bridge, with the rights of its account', async () => {
    const page = read('recipes/chat-bridge.md')
    const db = /--db (\S+)/.exec(page)![1]!
    let key = ''
    const server = await serveHere(
      async (where) => {
        key = /tutti_\S+/.exec(await done(page.slice(0, page.indexOf('```js')), {}, where))![0]
      },
      ['--db', db],
    )
    const { url } = server
    const { folder, dataDir } = server.world
    const grant = async (level: 'reader' | undefined): Promise<void> => {
      const app = await createApp({ storage: { folder: dataDir } })
      const { userId } = await app.people.accounts.find('chatroom')
      await app.people.groups.setGrant('test', 'database:shop', `user:${userId}`, level)
      await app.close()
    }
    await grant('reader')
    const told: string[] = []
    const room = createServer(async (request, response) => {
      for await (const piece of request) told.push(String(piece))
      response.end()
    }).listen(0, '127.0.0.1')
    await once(room, 'listening')
    await writeFile(join(folder, 'bridge.mjs'), blocksOf(page, 'js')[0]!)
    const bridge = spawn(process.execPath, ['bridge.mjs'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], TUTTI_URL: url, TUTTI_KEY: key, CHAT_TOKEN: 'room', PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const port = /port (\d+)/.exec(String((await once(bridge.stdout, 'data'))[0]))![1]!
    const write = (token: string, text: string) =>
      fetch(`http://127.0.0.1:${port}`, {
        method: 'POST',
        body: new URLSearchParams({
          token,
          text,
          response_url: `http://127.0.0.1:${(room.address() as AddressInfo).port}/`,
        }),
      })
    expect((await write('other', 'What is 6 times 7?')).status).toBe(401)
    expect((await write('room', 'What is 6 times 7?')).status).toBe(200)
    await expect.poll(() => told.join('\n')).toContain('42')
    await write('room', 'How many customers are there?')
    await expect.poll(() => told[1]).toMatch(/\d+ customers|customers is/)
    await grant(undefined)
    await write('room', 'How many customers are there?')
    await expect.poll(() => told.length).toBe(3)
    expect(told[2]).not.toMatch(/\d+ customers|customers is/)
    bridge.kill()
    room.close()
    await server.close()
  })
})
