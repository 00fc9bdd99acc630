import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AppOptions } from './config/options.ts'
import type { App } from './user-app.ts'
import { agent } from '../../test/support/engine-world.ts'
import { createFolder } from '../../test/support/folder.ts'
import { openForEach } from '../../test/support/opened.ts'
import { TuttiError } from '../domain/errors.ts'
import type { ModelPort } from '../domain/model.ts'
import { BY_USER } from '../domain/provenance.ts'
import { defineTool } from '../domain/tool.ts'
import { createApp, readSetup } from '../index.ts'
import { pipeline } from '../strategies/pipeline/next.ts'

const temporary = openForEach(createFolder)
let folder: string
const open: App[] = []
beforeEach(() => void (folder = temporary.path))
afterEach(() => Promise.all(open.splice(0).map((app) => app.close())))

async function create(options?: AppOptions): Promise<App> {
  const app = await createApp(options)
  open.push(app)
  return app
}

const greeter = agent('greeter', async () => ({ answer: 'Good morning.' }), { keywords: ['hello'] })

describe('createApp', () => {
  it('knows each option by its name, and no other', async () => {
    const all: { readonly [Name in keyof Required<AppOptions>]: undefined } = {
      agents: undefined,
      tools: undefined,
      strategies: undefined,
      models: undefined,
      storage: undefined,
      config: undefined,
      databases: undefined,
      apis: undefined,
      apiKey: undefined,
      apiSettings: undefined,
      allowHosts: undefined,
      documents: undefined,
      mcp: undefined,
      mcpNow: undefined,
      mcpFolder: undefined,
      configFile: undefined,
      isInstallation: undefined,
      onDocument: undefined,
      mail: undefined,
      webSearch: undefined,
      embedding: undefined,
      qdrant: undefined,
      tracing: undefined,
      proxy: undefined,
      secrets: undefined,
      cwd: undefined,
      queue: undefined,
      owner: undefined,
      howToSetUp: undefined,
      onError: undefined,
      clock: undefined,
    }
    await create(all as object)
    await expect(createApp({ storag: { folder } } as AppOptions)).rejects.toThrow(
      'createApp has no option "storag"; its options are agents, tools, strategies, models, storage,',
    )
  })

  it('works without options: nothing is stored, and no model is called', async () => {
    const app = await create()
    expect(app.storage).toBe('memory, gone with the process')
    expect(app.models.describe()).toEqual({ providers: [], default: undefined, actors: {} })
    const { answer, metadata } = await app.ask('What is 6 times 7?')
    expect(answer).toContain('42')
    expect(metadata).toMatchObject({ status: 'finished', models: [] })
    await app.close()
    await expect(app.ask('And now?')).rejects.toMatchObject({ code: 'InvalidRequest' })
    await expect((await create()).runs.runs()).resolves.toEqual([])
  })

  it('accepts agents, and a models object', async () => {
    const questions: string[] = []
    const models: ModelPort = {
      ask: async () => ({ by: 'fallback', reason: 'it only takes turns', requests: 0 }),
      modelOf: async () => 'own:one',
      async turn({ head, messages }) {
        questions.push(JSON.stringify([head, messages]))
        const parts = [{ type: 'text' as const, text: 'Good morning.' }]
        return {
          message: { role: 'assistant', model: 'own:one', parts },
          finishReason: 'stop',
          model: 'own:one',
          requests: 1,
        }
      },
    }
    const app = await create({ agents: [greeter], models })
    const { answer, metadata } = await app.ask({ question: 'Say hello' })
    expect(answer).toBe('Good morning.')
    expect(metadata).toMatchObject({ answeredBy: 'model', models: ['own:one'] })
    expect(questions).toEqual([expect.stringContaining('Say hello')])
  })

  it('stores runs and secrets in the given folder, and opens them again', async () => {
    const storage = { folder: join(folder, 'data') }
    const app = await create({ storage, agents: [greeter] })
    await app.ask({ question: 'Say hello', context: { api_token: 'tok-very-secret-1' } })
    await app.close()
    const again = await create({ storage, agents: [greeter] })
    expect(await again.runs.runs()).toMatchObject([{ status: 'finished' }])
    expect(await readdir(storage.folder)).toEqual(expect.arrayContaining(['secret.key', 'tutti.db']))
  })

  it('works with tools of the program, and offers them to agents in files', async () => {
    const double = defineTool({
      name: 'double',
      description: 'Says it twice.',
      effect: 'read',
      reach: 'inside',
      provenance: BY_USER,
      input: z.object({ text: z.string() }),
      run: async ({ text }) => `${text} ${text}`,
    })
    await writeFile(join(folder, 'echo.yaml'), 'description: Repeats\nkeywords: [echo]\ntools: [double]\n')
    const app = await create({ tools: [double], config: { agentFolders: ['.'] }, cwd: folder })
    expect((await app.ask('Please echo')).answer).toContain('Please echo Please echo')
    const { agentResults } = await app.ask('Double it')
    expect(agentResults).toMatchObject([{ agent: 'tools', answer: expect.stringContaining('Double it Double it') }])
  })

  it('gives file agents the document search of the current user', async () => {
    await writeFile(join(folder, 'finder.yaml'), 'description: Finds\nkeywords: [finder]\ntools: [search_documents]\n')
    await writeFile(join(folder, 'handbook.md'), '# Handbook\n\nThe harpsichord is due on Friday.\n')
    const app = await create({ config: { agentFolders: ['.'] }, cwd: folder })
    await app.knowledge.ingest.addPaths('local', [join(folder, 'handbook.md')], { cwd: folder })
    const request = { question: 'Finder: search_documents "When is the harpsichord due?"', disableAgents: ['rag'] }
    expect((await app.ask(request)).answer).toContain('The harpsichord is due on Friday.')
    expect((await app.as('ben').ask(request)).answer).not.toContain('harpsichord is due')
  })

  it('masks secrets that the options declare, in any text of an agent', async () => {
    const secrets = ['very-secret-word']
    const models = {
      providers: [{ kind: 'compatible', baseUrl: 'http://127.0.0.1:9', apiKey: 'key-of-model-1' }],
    } as const
    const answer = 'It is very-secret-word or key-of-model-1.'
    const gossip = agent('gossip', async () => ({ answer }), { keywords: ['hello'] })
    const app = await create({ agents: [gossip], secrets, models, config: { models: { timeouts: { totalMs: 50 } } } })
    const { agentResults } = await app.ask({ question: 'Say hello', strategy: 'pipeline' })
    expect(agentResults.map(({ answer }) => answer)).toEqual(['It is *** or ***.'])
  })

  it('uses the installation’s configuration on request', async () => {
    await writeFile(join(folder, 'tutti.config.yaml'), 'locale: de-DE\n')
    const env = { TUTTI_MODEL_URL: 'http://127.0.0.1:9/v1', TUTTI_DATA: join(folder, 'data') }
    const app = await create({ ...(await readSetup({ env, cwd: folder })), agents: [greeter] })
    expect(app.config.locale).toBe('de-DE')
    expect(app.storage).toBe(`SQLite in ${join(folder, 'data')}`)
    expect(app.models.describe().providers).toMatchObject([{ name: 'compatible', source: 'TUTTI_MODEL_URL' }])
    expect((await readSetup({ env, cwd: folder, inMemory: true })).storage).toBeUndefined()
  })

  it('gives demo users 24 hours for a decision, unless a time is set', async () => {
    const demo = async () => ({ databases: [{ url: 'sqlite:demo.db', name: 'demo' }], mail: { url: 'maildir:mail' } })
    const timeOf = async (env: NodeJS.ProcessEnv, more: object = { demo }) => {
      const { config } = await readSetup({ env, cwd: folder, inMemory: true, ...more })
      return config.approvals.timeoutMs
    }
    await expect(timeOf({})).resolves.toBe(86_400_000)
    await expect(timeOf({ HITL_TIMEOUT_SECONDS: '30' })).resolves.toBe(30_000)
    await expect(timeOf({}, {})).resolves.toBeUndefined()
  })
})

describe('a question', () => {
  it.each([
    [undefined, 'Ask a question: a text, or an object with one'],
    [{ question: ' ' }, 'question: must not be empty'],
    [{ question: 'x', strategie: 'graph' }, 'strategie: unknown field'],
  ])('that is invalid is refused in one sentence: %j', async (asked, said) => {
    const app = await create()
    for (const door of [app.ask, app.start, app.plan]) {
      const failed = (await door(asked as never).catch((thrown: unknown) => thrown)) as TuttiError
      expect([failed.code, failed.message]).toEqual(['InvalidRequest', expect.stringContaining(said)])
    }
  })

  it('uses the defaults of the configuration, unless it overrides them', async () => {
    const defaults = {
      strategy: 'graph',
      disableAgents: ['sql'],
      systemPrompt: 'Be brief.',
      budget: { maxCalls: 3, maxTokens: 9 },
    }
    const app = await create({ config: { defaults, locale: 'de-DE' } })
    const requestOf = async (runId: string) => (await app.runs.state(runId)).request
    expect(await requestOf(await app.start('What is 6 times 7?'))).toMatchObject({ ...defaults, locale: 'de-DE' })
    const other = { question: 'What is 6 times 7?', strategy: 'pipeline', disableAgents: [], budget: { maxCalls: 5 } }
    const request = await requestOf(await app.start({ ...other, locale: 'en-GB' }))
    expect(request).toMatchObject({ ...other, locale: 'en-GB', systemPrompt: 'Be brief.' })
    expect(request.budget).toEqual({ maxCalls: 5, maxTokens: 9 })
    await expect(create({ config: { defaults: { budget: { maxCost: 1 } as never } } })).rejects.toThrow(
      'config.defaults.budget.maxCost: unknown field',
    )
  })

  it('without any source is answered with a hint about these options, or with the given text', async () => {
    const request = { question: 'How many customers are in the table?', preferAgents: ['sql'] }
    const own = (await (await create()).ask(request)).answer
    expect(own).toContain('Name one with the option databases')
    expect(own).not.toContain('--')
    const app = await create({ howToSetUp: { databases: 'Ask your operator.' } })
    expect((await app.ask(request)).answer).toContain('Ask your operator.')
  })

  it('a user without grants is referred to an admin, not to the configuration', async () => {
    const databases = [{ url: `sqlite:${join(folder, 'shop.db')}`, name: 'shop' }]
    const howToSetUp = { databases: 'Use --db.', apis: 'Use --api.', documents: 'Use --docs.' }
    const app = await create({ config: { databases }, howToSetUp })
    await app.people.accounts.add('test', { username: 'root' })
    const { userId } = await app.people.accounts.add('test', { username: 'eva', role: 'member' })
    const lacking = (await app.as(userId).team()).flatMap(({ unavailable }) => unavailable ?? [])
    expect(lacking).toEqual(
      expect.arrayContaining([
        'You have no access to a database. An admin can give you one (Admin, Access).',
        'No API is open to you. An admin can give you one (Admin, Access).',
      ]),
    )
    expect(lacking.join(' ')).not.toMatch(/--|configur/)
  })
})

describe('a wrong option', () => {
  const mine = { name: 'mine', next: () => [] }
  const wrong: [options: unknown, said: string][] = [
    [{ agents: [{ ...greeter, name: 'sql' }] }, 'The name "sql" is taken already'],
    [{ strategies: [{ strategy: pipeline }] }, 'The name "pipeline" is taken already'],
    [
      { strategies: [{ strategy: mine, roles: [{ name: 'planner', run() {} }] }] },
      'The name "planner" is taken already',
    ],
    [
      { models: { providers: [{ kind: 'openai' }] } },
      'The model provider "openai" (models.providers.0) has no API key.',
    ],
    [{ models: { providers: [], default: 'openai:x' } }, 'names no model of a configured provider'],
    [{ storage: { databaseUrl: 'postgres://db/x' } }, 'storage needs secretKey'],
    [{ storage: { secretKey: 'ab'.repeat(32) } }, 'storage needs folder'],
    [{ storage: { databaseUrl: 'mysql://db/x', secretKey: 'x' } }, 'must begin with postgres://'],
    [{ databases: [{ url: 'shop' }], cwd: '/' }, 'A database address is not understood'],
    [{ config: { localle: 'en' } }, 'config.localle: unknown field'],
    [{ config: { http: { proxyFromEnv: true } } }, 'config.http.proxyFromEnv is for configuration files'],
  ]

  it.each(wrong)('%j is reported in one sentence', async (options, said) => {
    const failed = await createApp(options as AppOptions).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(TuttiError)
    const { code, message } = failed as TuttiError
    expect(code).toBe('ConfigurationError')
    expect(message).toContain(said)
    expect(message).toMatch(/^[^\n]+\.$/)
  })
})
