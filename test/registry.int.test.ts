import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../src/app/user-app.ts'
import { openConfiguredApp } from '../src/app/setup.ts'
import { startModelServer, TOOL_AGENT, type ModelServer } from './support/model-server.ts'

/** Agents from folders, in the whole product. */

const ROOT = join(import.meta.dirname, '..')

let folder: string
let app: App | undefined
let models: ModelServer | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-registry-'))
})
afterEach(async () => {
  await app?.close()
  await models?.close()
  app = undefined
  models = undefined
  await rm(folder, { recursive: true, force: true })
})

async function open(env: Readonly<Record<string, string>> = {}, troubles: string[] = []): Promise<App> {
  app = await openConfiguredApp({
    env,
    cwd: folder,
    inMemory: true,
    onError: ({ message }) => troubles.push(message),
  })
  return app
}

async function answer(opened: App, question: string, ...preferAgents: string[]) {
  const runId = await opened.start({ question, preferAgents })
  for await (const _item of opened.engine.stream(runId));
  return opened.response(runId)
}

describe('agents in folders', () => {
  it('the example: a declared agent with a tool of an MCP server answers without a model', async () => {
    await cp(join(ROOT, 'examples/agents'), folder, { recursive: true })
    // As after `npm i` in that folder.
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const config = join(folder, 'tutti.config.yaml')
    const written = await readFile(config, 'utf8')
    await writeFile(
      config,
      written.replace('[glossary-server.mjs]', JSON.stringify([join(folder, 'glossary-server.mjs')])),
    )
    const opened = await open()
    expect(opened.databases).toEqual([])
    const { answer: text, agentResults } = await answer(opened, 'What does peaberry mean?')
    expect(text).toMatch(/^peaberry: A coffee cherry with one round seed/)
    expect(agentResults).toMatchObject([
      { agent: 'glossary', status: 'succeeded', sources: [{ kind: 'mcp', name: 'glossary' }] },
    ])
  })

  it('asks the model that the file names, unless the configuration names another', async () => {
    models = await startModelServer([{ reply: { text: 'Said.' } }])
    await mkdir(join(folder, 'agents'))
    await writeFile(join(folder, 'tutti.config.yaml'), '')
    await writeFile(
      join(folder, 'agents/my-words.yaml'),
      'description: Explains\nkeywords: [explain]\nmodel: compatible:own',
    )
    const env = { TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:scripted' }
    const ofStep = () => models!.requests.filter(({ text }) => text.includes(TOOL_AGENT)).map(({ model }) => model)
    await answer(await open(env), 'Please explain it', 'my-words')
    expect(ofStep()).toEqual(['own'])
    await app!.close()
    await writeFile(join(folder, 'tutti.config.yaml'), 'models: { actors: { my-words: compatible:other } }')
    await answer(await open(env), 'Please explain it', 'my-words')
    expect(ofStep()).toEqual(['own', 'other'])
  })
})
