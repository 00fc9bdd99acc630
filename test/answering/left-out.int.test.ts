import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { createDemoDatabase } from '../../src/app/demo-data.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { ASKED } from '../e2e/support.ts'
import { sqlLoop, startModelServer } from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The answer from other sources names a configured source that fails. */

const folder = temporaryFolder()
const server = openForAll(() => startModelServer())

beforeAll(async () => {
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  await writeFile(join(folder, 'archive.sqlite'), 'this is no database at all, however long it may be')
  await writeFile(join(folder, 'shop.yaml'), 'nothing: of the kind')
})

async function open(config: object, env: Readonly<Record<string, string>> = {}): Promise<App> {
  await writeFile(join(folder, 'tutti.config.json'), JSON.stringify(config))
  return openConfiguredApp({ env, cwd: folder, inMemory: true, onError: () => undefined })
}

const DEMO = { url: 'sqlite:demo.sqlite' }
const BROKEN = { url: 'sqlite:archive.sqlite', name: 'archive' }
const SHOP = { catalogue: 'shop.yaml', name: 'shop' }

const CONFIG = { databases: [DEMO, BROKEN], apis: [SHOP] }
const withRules = openForAll(() => open(CONFIG))
const withModel = openForAll(() => open(CONFIG, { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' }))

it.each([
  ['rules', withRules],
  ['model', withModel],
])('by %s: a broken database and a broken service are named once, next to the answer of the others', async (_, app) => {
  server.script([
    { when: ASKED.planner, reply: { json: { agents: ['sql'], rationale: 'r', confidence: 0.9 } } },
    ...sqlLoop('SELECT count(*) AS customers FROM customers', 'There are 92 customers.'),
    { when: ASKED.compose, reply: { text: 'There are 92 customers.' } },
  ])
  const { answer, notices } = await app.ask('How many customers are there?')
  expect(answer).toContain('92')
  const told = notices.map(({ text }) => text)
  expect(told.filter((text) => /The database “archive” was left out: .+\./.test(text))).toHaveLength(1)
  expect(told.filter((text) => /^The service “shop” was left out: .+\.$/.test(text))).toHaveLength(1)
})

it('an answer that needs no source does not mention the broken ones', async () => {
  const { answer } = await withRules.ask('What is 15% of 230?')
  expect(answer).toContain('34.5')
  expect(answer).not.toMatch(/shop|archive/)
})

it('of two databases with the same content, the one that the question names is queried', async () => {
  await copyFile(join(folder, 'demo.sqlite'), join(folder, 'branch.sqlite'))
  const app = await open({ databases: [DEMO, { url: 'sqlite:branch.sqlite' }] })
  onTestFinished(() => app.close())
  const question = 'How many customers are there'
  const both = await app.ask(`${question}?`)
  expect(both.answer).toContain('The databases “demo” and “branch” can both answer this.')
  const named = await app.ask({ question: `${question} in the branch database?`, memory: false })
  expect(named.answer).toContain('92')
  expect(named.agentResults[0]!.sources[0]!.name).toBe('branch')
})
