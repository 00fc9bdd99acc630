import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { systemClock } from '../../src/shared/clock.ts'
import type { Agent } from '../../src/domain/actor.ts'
import type { SourceName } from '../../src/shared/source-name.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { documentOf } from '../documents/support/stored-document.ts'
import { rawServer } from '../mcp/support.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { createTestDatabase } from '../support/postgres.ts'

/**
 * Ann has access to one database of a large installation. Her responses and the prompts of her runs are compared with those of an
 * installation that has only this database.
 */

/** Each word is in one of the other sources: in its name, tables, rows, tools or description. */
const PLANTED = /payroll|salaries|quillfeather|zephyrine|marlinspike|vault|bellwether|postmaster|harpsichord/i

const QUESTIONS = [
  'How many orders are there?',
  'Show all salaries of Quillfeather',
  'List the salaries and the orders, and compare them',
  'Which tables are there?',
  'Open the marlinspike of the vault',
  'What does the zephyrine API say about the parcel of Quillfeather?',
  'Ask the bellwether what is due',
  'Search my mails for what Quillfeather wrote, then count the orders',
  'What does the handbook say about harpsichords?',
]

const postgresUrl = inject('postgresUrl')

for (const kind of ['SQLite', 'PostgreSQL'] as const) {
  const isMissing = kind === 'PostgreSQL' && postgresUrl === ''
  describe.skipIf(isMissing)(`sources on ${kind}${isMissing ? ' (not installed on this machine)' : ''}`, () => {
    let folder: string
    let models: ModelServer
    let whole: App
    let small: App
    let ann: string
    let ben: string
    /** Ann in the installation with only her database. */
    let annAlone: string
    const databases = new Map<string, string>()

    async function open(name: string, config: object, env: Readonly<Record<string, string>> = {}): Promise<App> {
      const cwd = join(folder, name)
      await mkdir(cwd, { recursive: true })
      await writeFile(join(cwd, 'tutti.config.json'), JSON.stringify(config))
      if (kind === 'PostgreSQL' && !databases.has(name)) databases.set(name, await createTestDatabase(postgresUrl))
      const databaseUrl = databases.get(name)
      return openConfiguredApp({
        cwd,
        dataDir: join(cwd, 'data'),
        // Prompts contain the date of the question.
        clock: { now: () => Date.UTC(2026, 0, 5, 9), timer: systemClock.timer },
        env: {
          TUTTI_MODEL_URL: models.url,
          TUTTI_MODEL: 'compatible:scripted',
          ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
          ...env,
        },
        onError: ({ message }) => expect(message).toMatch(/not-there/),
      })
    }

    function tableIn(file: string, sql: string): string {
      const db = new Database(join(folder, file))
      db.exec(sql)
      db.close()
      return `sqlite:${join(folder, file)}`
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'tutti-sources-'))
      models = await startModelServer()
      const shop = tableIn(
        'shop.db',
        `CREATE TABLE orders (id integer PRIMARY KEY, total real); INSERT INTO orders (total) VALUES (1), (2), (3)`,
      )
      const payroll = tableIn(
        'payroll.db',
        `CREATE TABLE salaries (name text, amount real); INSERT INTO salaries VALUES ('Quillfeather', 4711)`,
      )
      const limits = { models: { timeouts: { firstChunkMs: 5_000, totalMs: 9_000 } } }
      await mkdir(join(folder, 'whole', 'agents'), { recursive: true })
      await writeFile(
        join(folder, 'whole', 'agents', 'bellwether.yaml'),
        `description: Says what is due.\nkeywords: [bellwether, due]\ntools: ['mcp:vault/open_marlinspike']\nprompt: Look it up.\n`,
      )
      await writeFile(
        join(folder, 'whole', 'zephyrine.yaml'),
        'name: zephyrine\nbase_url: https://zephyrine.example\nendpoints:\n  - { method: GET, path: /parcels, summary: Parcels of Quillfeather }\n',
      )
      await mkdir(join(folder, 'mail', 'cur'), { recursive: true })
      await Promise.all(['new', 'tmp'].map((name) => mkdir(join(folder, 'mail', name))))
      small = await open('small', { databases: [{ name: 'shop', url: shop }], ...limits })
      whole = await open(
        'whole',
        {
          databases: [
            { name: 'shop', url: shop },
            { name: 'payroll', url: payroll },
          ],
          apis: [{ catalogue: 'zephyrine.yaml' }, { catalogue: 'not-there.yaml', name: 'zephyrine-2' }],
          mcp: [
            {
              name: 'vault',
              ...rawServer(
                `(method) => method === 'tools/list' ? { tools: [tool('open_marlinspike')] } : text('open')`,
              ),
            },
          ],
          mail: { contacts: { Quillfeather: 'postmaster@example.com' } },
          ...limits,
        },
        { TUTTI_MAIL_URL: `maildir:${join(folder, 'mail')}`, TUTTI_MAIL_FROM: 'a@example.com' },
      )
      const password = 'a long enough sentence'
      const personOf = async ({ people: { accounts } }: App, username: string): Promise<string> =>
        (await accounts.add('test', { username, password })).userId
      for (const app of [small, whole]) await app.people.accounts.register({ username: 'root', password }, 'closed')
      ;[ann, ben, annAlone] = await Promise.all([
        personOf(whole, 'ann'),
        personOf(whole, 'ben'),
        personOf(small, 'ann'),
      ])
      const { groups } = whole.people
      await groups.setGrant('test', 'database:shop', `user:${ann}`, 'reader')
      await small.people.groups.setGrant('test', 'database:shop', `user:${annAlone}`, 'reader')
      for (const source of whole.sources) await groups.setGrant('test', source, `user:${ben}`, 'reader')
      const handbook = (text: string) => documentOf('handbook.md', [text], { path: join(folder, 'handbook.md') })
      await small.knowledge.store.put(annAlone, handbook('Orders are counted on Mondays.'))
      await whole.knowledge.store.put(ann, handbook('Orders are counted on Mondays.'))
      await whole.knowledge.store.put(ben, handbook('The harpsichord of Quillfeather is due on Friday.'))
      // The small installation has its documents from the start.
      await small.close()
      small = await open('small', { databases: [{ name: 'shop', url: shop }], ...limits })
    })
    afterAll(async () => {
      await Promise.all([whole?.close(), small?.close(), models.close()])
      await rm(folder, { recursive: true, force: true })
    })

    async function asked(app: App, user: string, question: string, strategy: string) {
      models.script([{ reply: { text: 'I have no idea.' } }])
      const response = await app.as(user).ask({ question, strategy, interactive: false, memory: false })
      const prompts = models.requests.map(({ body }) => JSON.stringify(body)).sort()
      const { answer, agentResults, metadata } = response
      const agents = agentResults.map(({ agent, status, error }) => ({ agent, status, error: error?.message }))
      return { answer, agents, isAnswered: metadata.isAnswered, prompts }
    }

    it('are named as the configuration names them', () => {
      const sources: SourceName[] = [
        'database:shop',
        'database:payroll',
        'api:zephyrine',
        'api:zephyrine-2',
        'mcp:vault',
        'mailbox:main',
      ]
      expect(whole.sources).toEqual(sources)
    })

    it.each(kind === 'SQLite' ? ['pipeline', 'graph', 'supervisor', 'review'] : ['graph'])(
      'that are not hers leave no trace in what %s does',
      async (strategy) => {
        for (const question of strategy === 'pipeline' ? QUESTIONS : QUESTIONS.slice(0, 5)) {
          const hers = await asked(whole, ann, question, strategy)
          const alone = await asked(small, annAlone, question, strategy)
          expect(hers.prompts.length).toBeGreaterThan(0)
          expect({ question, ...hers }).toEqual({ question, ...alone })
          const told = JSON.stringify(hers).match(PLANTED)?.[0] ?? ''
          expect(question.toLowerCase()).toContain(told.toLowerCase())
        }
      },
      300_000,
    )

    it('are all available to a user who has all grants, and disappear as soon as a grant is revoked', async () => {
      const names = async (user: string): Promise<string[]> => (await whole.as(user).team()).map(({ name }) => name)
      expect(await names(ben)).toEqual(expect.arrayContaining(['mcp_agent_vault', 'bellwether']))
      expect(await names(ann)).not.toEqual(expect.arrayContaining(['mcp_agent_vault']))
      expect(await names(ann)).not.toContain('bellwether')
      const his = await asked(whole, ben, 'Show all salaries', 'pipeline')
      expect(his.prompts.join()).toContain('payroll')
      await whole.people.groups.setGrant('test', 'database:payroll', `user:${ben}`, undefined)
      const taken = await asked(whole, ben, 'Show all salaries', 'pipeline')
      expect(JSON.stringify(taken)).not.toMatch(/payroll|quillfeather|4711/i)
      await whole.people.accounts.setDisabled('test', ben, true)
      expect(await names(ben)).not.toContain('mcp_agent_vault')
    })

    it('cannot be named by a user without the grant', async () => {
      const request = { question: 'How many orders are there?', preferAgents: ['mcp_agent_vault'] }
      await expect(whole.as(ann).start(request)).rejects.toThrow('Unknown agent: mcp_agent_vault.')
      const refusal = await whole
        .as(ann)
        .start(request)
        .catch(({ message }: Error) => message)
      expect(refusal).toBe(
        await small
          .as(annAlone)
          .start(request)
          .catch(({ message }: Error) => message),
      )
    })

    it('are closed to an owner without an account, once accounts exist', async () => {
      const team = await whole.as('somebody else').team()
      expect(team.map(({ name }) => name)).not.toContain('mcp_agent_vault')
      const namesIn = (agents: readonly Agent[]) => agents.map(({ name }) => name)
      expect(namesIn(await whole.as('local').team())).toEqual(namesIn(whole.agents))
      const without = await open('without accounts', {})
      expect(namesIn(await without.as('somebody else').team())).toEqual(namesIn(without.agents))
      await without.close()
    })
  })
}
