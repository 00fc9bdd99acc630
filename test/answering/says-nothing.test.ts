import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { openApp } from '../../src/setup/setup.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { TEXTS } from './parts-world.ts'

let folder: string
let server: ModelServer
let app: App

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-says-nothing-'))
  await mkdir(join(folder, 'docs'))
  for (const [name, text] of Object.entries(TEXTS)) await writeFile(join(folder, 'docs', name), text)
  server = await startModelServer()
  app = await openApp({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    inMemory: true,
    documents: [join(folder, 'docs')],
    onTrouble: (error) => expect.fail(error.message),
  })
}, 60_000)
afterAll(async () => {
  await app.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

it('a question in German is told that the model does not answer, where there is one', async () => {
  server.script([{ reply: { fault: 'empty' } }])
  const question = 'Wer war bei der Sitzung in Oslo dabei, und wie lange hat sie gedauert?'
  const { answer } = await app.ask({ question, interactive: false })
  expect(answer).toMatch(/Das verbundene Sprachmodell antwortet nicht /)
  expect(answer).not.toMatch(/language model/)
  expect(answer).not.toMatch(/Verbinden Sie ein Modell/)
})
