import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { openApp } from '../../src/setup/setup.ts'
import { ASKED } from '../e2e/support.ts'
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

const PROBATION = 'How long does probation last?'
/** What rules quote nothing for. */
const STORM = 'What is the policy on storms at sea near the captains of Oslo?'

it.each([
  ['ok', PROBATION, true, /lasts six months/],
  ['It lasts six months.', PROBATION, true, /six months\.? \[1\]/],
  ['The passages do not say.', PROBATION, false, /no passage answers this for certain/],
  ['ok', STORM, false, /did not hold what was found/],
])('a model that says only “%s” to: %s', async (text, question, isAnswered, holds) => {
  server.script([
    { when: ASKED.rerank, reply: ({ text: given }) => ({ json: { ranked: numbersIn(given), confidence: 0.9 } }) },
    { when: ASKED.rag, reply: { text } },
    { reply: { text: 'ok' } },
  ])
  const { answer, metadata, citations, agentResults } = await app.ask({ question, interactive: false })
  expect(answer).toMatch(holds)
  expect(metadata.isAnswered).toBe(isAnswered)
  // What is not cited is no source.
  expect(agentResults.flatMap(({ sources }) => sources)).toEqual(citations.map(({ source }) => source))
  expect(citations).toHaveLength(isAnswered ? 1 : 0)
})

const numbersIn = (text: string): number[] =>
  [...text.matchAll(/<passage number="(\d+)"/g)].map(([, n]) => Number(n)).slice(0, 8)

it('a question in German is told that the model does not answer, where there is one', async () => {
  server.script([{ reply: { fault: 'empty' } }])
  const question = 'Wer war bei der Sitzung in Oslo dabei, und wie lange hat sie gedauert?'
  const { answer } = await app.ask({ question, interactive: false })
  expect(answer).toMatch(/Das verbundene Sprachmodell antwortet nicht /)
  expect(answer).not.toMatch(/language model/)
  expect(answer).not.toMatch(/Verbinden Sie ein Modell/)
})
