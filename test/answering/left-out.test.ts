import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import type { RunResponse } from '../../src/core/response.ts'
import { createDemoDatabase } from '../../src/demo/database.ts'
import { openApp } from '../../src/setup/setup.ts'
import { ASKED } from '../e2e/support.ts'
import { sqlLoop, startModelServer, type ModelServer } from '../support/model-server.ts'

/** A source that was set up and does not work is part of the answer that the others give. */

let folder: string
let server: ModelServer
let app: App

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-left-out-'))
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  await writeFile(join(folder, 'archive.sqlite'), 'this is no database at all, however long it may be')
  await writeFile(join(folder, 'shop.yaml'), 'nothing: of the kind')
  server = await startModelServer()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => app.close())

async function ask(question: string, config: object, env: Readonly<Record<string, string>> = {}): Promise<RunResponse> {
  await writeFile(join(folder, 'tutti.config.json'), JSON.stringify(config))
  app = await openApp({ env, cwd: folder, inMemory: true, onTrouble: () => undefined })
  return app.ask(question)
}

const DEMO = { url: 'sqlite:demo.sqlite' }
const BROKEN = { url: 'sqlite:archive.sqlite', name: 'archive' }
const SHOP = { catalogue: 'shop.yaml', name: 'shop' }
const LEFT_OUT = /The database “archive” was left out: .+\./

describe.each(['rules', 'model'])('by %s', (by) => {
  const env = (): Record<string, string> => {
    if (by === 'rules') return {}
    server.script([
      { when: ASKED.planner, reply: { json: { agents: ['sql'], rationale: 'r', confidence: 0.9 } } },
      ...sqlLoop('SELECT count(*) AS customers FROM customers', 'There are 92 customers.'),
      { when: ASKED.compose, reply: { text: 'There are 92 customers.' } },
    ])
    return { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' }
  }

  /** Rules say in the answer what a model's answer has beside it. */
  const toldIn = ({ answer, notices }: RunResponse): readonly string[] =>
    by === 'rules' ? answer.split('\n\n') : notices.map(({ text }) => text)

  it('a broken database beside one that answers is named once', async () => {
    const response = await ask('How many customers are there?', { databases: [DEMO, BROKEN] }, env())
    expect(response.answer).toContain('92')
    expect(toldIn(response).filter((text) => LEFT_OUT.test(text))).toHaveLength(1)
  })

  it('a service that cannot be read is named beside the answer of the others', async () => {
    const response = await ask('How many customers are there?', { databases: [DEMO], apis: [SHOP] }, env())
    expect(response.answer).toContain('92')
    expect(toldIn(response)).toContainEqual(expect.stringMatching(/^The service “shop” was left out: .+\.$/))
  })
})

it('a database that holds the same is named, and asked where the question names it', async () => {
  await copyFile(join(folder, 'demo.sqlite'), join(folder, 'branch.sqlite'))
  const databases = [DEMO, { url: 'sqlite:branch.sqlite' }]
  const question = 'How many customers are there'
  const both = await ask(`${question}?`, { databases })
  expect(both.answer).toContain('Asked was the database “demo”; “branch” has customers, too: name it to ask it.')
  await app.close()
  const named = await ask(`${question} in the branch database?`, { databases })
  expect(named.answer).not.toContain('Asked was')
  expect(named.agentResults[0]!.sources[0]!.name).toBe('branch')
})

it('a broken database is named where the others do not know', async () => {
  const { answer, metadata } = await ask('How many unicorns are there?', { databases: [DEMO, BROKEN] })
  expect(answer).toMatch(/unicorns/)
  expect(answer).toMatch(LEFT_OUT)
  expect(metadata.notes.join()).not.toContain('archive')
})

it('nothing is said of it in what needs no source', async () => {
  const { answer } = await ask('What is 15% of 230?', { databases: [DEMO], apis: [SHOP] })
  expect(answer).toContain('34.5')
  expect(answer).not.toContain('shop')
})
