import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import { createDemoDatabase } from '../../src/app/demo-data.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { ASKED } from '../e2e/support.ts'
import { sqlLoop, startModelServer } from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The answer from other sources names a configured source that fails. */

const folder = temporaryFolder()
const server = openForAll(() => startModelServer())
let app: App

beforeAll(async () => {
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  await writeFile(join(folder, 'archive.sqlite'), 'this is no database at all, however long it may be')
  await writeFile(join(folder, 'shop.yaml'), 'nothing: of the kind')
})
afterEach(() => app.close())

async function ask(question: string, config: object, env: Readonly<Record<string, string>> = {}): Promise<RunResponse> {
  await writeFile(join(folder, 'tutti.config.json'), JSON.stringify(config))
  app = await openConfiguredApp({ env, cwd: folder, inMemory: true, onTrouble: () => undefined })
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

  const toldIn = ({ notices }: RunResponse): readonly string[] => notices.map(({ text }) => text)

  it('a broken database next to a working one is named once', async () => {
    const response = await ask('How many customers are there?', { databases: [DEMO, BROKEN] }, env())
    expect(response.answer).toContain('92')
    expect(toldIn(response).filter((text) => LEFT_OUT.test(text))).toHaveLength(1)
  })

  it('a broken service is named next to the answer of the others', async () => {
    const response = await ask('How many customers are there?', { databases: [DEMO], apis: [SHOP] }, env())
    expect(response.answer).toContain('92')
    expect(toldIn(response)).toContainEqual(expect.stringMatching(/^The service “shop” was left out: .+\.$/))
  })
})

it('of two databases with the same content, the one that the question names is queried', async () => {
  await copyFile(join(folder, 'demo.sqlite'), join(folder, 'branch.sqlite'))
  const databases = [DEMO, { url: 'sqlite:branch.sqlite' }]
  const question = 'How many customers are there'
  const both = await ask(`${question}?`, { databases })
  expect(both.answer).toContain('The databases “demo” and “branch” can both answer this.')
  await app.close()
  const named = await ask(`${question} in the branch database?`, { databases })
  expect(named.answer).toContain('92')
  expect(named.agentResults[0]!.sources[0]!.name).toBe('branch')
})

it('an answer that needs no source does not mention the broken source', async () => {
  const { answer } = await ask('What is 15% of 230?', { databases: [DEMO], apis: [SHOP] })
  expect(answer).toContain('34.5')
  expect(answer).not.toContain('shop')
})
