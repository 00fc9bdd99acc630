import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDemoDatabase } from '../../src/app/demo-data.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { sqlLoop, startModelServer, type ModelServer } from '../support/model-server.ts'

/** No value is part of another. The mailbox is configured although no question uses it. */
const KEYS = {
  TUTTI_MODEL_KEY: 'planted-Model-0001',
  TAVILY_API_KEY: 'planted-Tavily-0002',
  TUTTI_API_KEY: 'planted-Api-0003',
  OPENAI_API_KEY: 'planted-Openai-0004',
}
const MAIL_PASSWORD = 'planted-Mail-0005'

let folder: string
let server: ModelServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-keys-'))
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  server = await startModelServer()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

it('keys and passwords of the installation are in no prompt, and in no file of the data folder', async () => {
  server.script([
    ...sqlLoop('SELECT count(*) FROM customers', 'There are 92 customers.'),
    { reply: { text: 'There are 92 customers.' } },
  ])
  const dataDir = join(folder, 'data')
  const app = await openConfiguredApp({
    env: {
      ...KEYS,
      TUTTI_MODEL_URL: server.url,
      TUTTI_MODEL: 'compatible:scripted',
      TUTTI_MAIL_URL: `imaps://ann%40example.com:${MAIL_PASSWORD}@127.0.0.1:9`,
      TUTTI_DATA: dataDir,
    },
    cwd: folder,
    databases: [{ url: `sqlite:${join(folder, 'demo.sqlite')}` }],
  })
  const response = await app.ask({ question: 'Show the count of customers', trace: true })
  await app.close()
  expect(server.requests.map(({ headers }) => headers['authorization'])).toContain(`Bearer ${KEYS.TUTTI_MODEL_KEY}`)
  const files = (await readdir(dataDir, { recursive: true })).map((name) => join(dataDir, name))
  const kept = await Promise.all(
    files.map(async (file) => ((await stat(file)).isFile() ? await readFile(file, 'latin1') : '')),
  )
  expect(kept.join('')).toContain('Show the count of customers')
  const said = [JSON.stringify(response), ...server.requests.map(({ body }) => JSON.stringify(body)), ...kept].join(
    '\n',
  )
  for (const key of [...Object.values(KEYS), MAIL_PASSWORD]) expect(said).not.toContain(key)
})
