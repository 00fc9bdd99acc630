import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { writeDemoMailbox } from '../../src/demo/copy.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { pendingApproval } from './support.ts'

/** Two users of one installation send the same requests. Data of one user do not exist for the other. */

const POLICY_QUESTION = 'What does the returns policy say about damaged goods?'
const SECRET = 'Thistlewood'
const postgresUrl = inject('postgresUrl')

const textOf = (days: number, more = ''): string =>
  `# Returns policy\n\n## Damaged goods\n\nDamaged goods must be reported within ${days} days of delivery.${more}\n`

for (const kind of ['SQLite', 'PostgreSQL'] as const) {
  const isMissing = kind === 'PostgreSQL' && postgresUrl === ''
  describe.skipIf(isMissing)(`on ${kind}${isMissing ? ' (not installed on this machine)' : ''}`, () => {
    let folder: string
    let ann: App
    let bob: App
    let alone: Awaited<ReturnType<typeof hitsOf>>

    async function open(owner: string, databaseUrl: string | undefined): Promise<App> {
      const mailbox = join(folder, `mail-${owner}`)
      await writeDemoMailbox(mailbox)
      await mkdir(join(folder, owner))
      const mail = { TUTTI_MAIL_URL: `maildir:${mailbox}`, TUTTI_MAIL_FROM: `${owner}@brindlemoor-coffee.example` }
      return openConfiguredApp({
        env: { ...mail, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) },
        cwd: folder,
        dataDir: join(folder, 'data'),
        owner,
        onTrouble: (error) => expect.fail(error.message),
      })
    }

    async function take(app: App, text: string): Promise<void> {
      const file = join(folder, app.runs.owner, 'returns-policy.md')
      await writeFile(file, text)
      await app.knowledge.ingest.addPaths(app.runs.owner, [file], { cwd: folder })
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'tutti-owners-'))
      const databaseUrl = kind === 'SQLite' ? undefined : await createTestDatabase(postgresUrl)
      // In sequence: the first one creates the tables.
      bob = await open('bob', databaseUrl)
      await take(bob, textOf(30))
      alone = await hitsOf(bob)
      ann = await open('ann', databaseUrl)
      await take(ann, textOf(7, ` ${SECRET} pays. Damaged goods, damaged goods, damaged goods.`))
    })
    afterAll(async () => {
      await Promise.all([ann.close(), bob.close()])
      await rm(folder, { recursive: true, force: true })
    })

    async function ask(app: App, question: string, more: { conversationId?: string } = {}) {
      const runId = await app.start({ question, strategy: 'graph', ...more })
      await app.runs.outcome(runId)
      return { runId, response: await app.response(runId) }
    }

    it('separates documents, passages and their scores', async () => {
      expect(await hitsOf(bob)).toEqual(alone)
      expect((await bob.knowledge.search('bob', SECRET)).hits).toEqual([])
      expect((await ann.knowledge.search('ann', SECRET)).hits).toHaveLength(1)
      const [hers] = await ann.knowledge.store.documents('ann')
      expect(await bob.knowledge.store.documents('bob')).toHaveLength(1)
      expect(await bob.knowledge.store.document('bob', hers!.documentId)).toBeUndefined()
      expect(await bob.knowledge.store.text('bob', hers!.documentId)).toBeUndefined()
      expect(await bob.knowledge.store.remove('bob', hers!.documentId)).toBe(false)
      expect(await ann.knowledge.store.documents('ann')).toHaveLength(1)
    })

    it('answers each user from their own documents, and hides runs of the other', async () => {
      const [hers, his] = await Promise.all([ask(ann, POLICY_QUESTION), ask(bob, POLICY_QUESTION)])
      expect(hers.response.answer).toContain('within 7 days')
      expect(his.response.answer).toContain('within 30 days')
      expect(his.response.answer + JSON.stringify(await bob.runs.events(his.runId))).not.toContain(SECRET)
      expect((await bob.runs.runs()).map(({ runId }) => runId)).toEqual([his.runId])
      expect(await bob.runs.run(hers.runId)).toBeUndefined()
      const none = { code: 'RunNotFound' }
      await expect(bob.response(hers.runId)).rejects.toMatchObject(none)
      await expect(bob.runs.cancel(hers.runId, 'bob')).rejects.toMatchObject(none)
      await expect(bob.runs.fork(hers.runId, 'rag')).rejects.toMatchObject(none)
    })

    it('lets no user decide for another', async () => {
      const question = 'Send a mail to dana@linhollow.example that says that the tasting is at noon.'
      const [hers, his] = await Promise.all([ann, bob].map((app) => app.start({ question, strategy: 'graph' })))
      const [herApproval, hisApproval] = [await pendingApproval(ann, hers!), await pendingApproval(bob, his!)]
      expect(await bob.runs.approvals({ status: 'pending' })).toMatchObject([{ approvalId: hisApproval.approvalId }])
      const missing = { code: 'ApprovalNotPending' }
      await expect(bob.runs.decide(herApproval.approvalId, 'approved', 'bob')).rejects.toMatchObject(missing)
      await bob.runs.decide(hisApproval.approvalId, 'denied', 'bob')
      await bob.runs.outcome(his!)
      expect(await ann.runs.approvals({ status: 'pending' })).toMatchObject([{ approvalId: herApproval.approvalId }])
      await ann.runs.cancel(hers!, 'ann')
      await ann.runs.outcome(hers!)
    })

    it('remembers facts about each user, only for them', async () => {
      for (const [app, userName] of [
        [ann, `Ann ${SECRET}`],
        [bob, 'Bob Marlow'],
      ] as const)
        await app.profiles.update(app.runs.owner, { values: { userName }, source: { by: 'user', at: 1 }, key: 'e' })
      expect(await ann.profiles.entries('ann')).toMatchObject([{ field: 'userName', value: `Ann ${SECRET}` }])
      expect(await bob.profiles.entries('bob')).toMatchObject([{ field: 'userName', value: 'Bob Marlow' }])
      const { runId } = await ask(bob, POLICY_QUESTION)
      const [started] = await bob.runs.events(runId)
      expect(started).toMatchObject({ recollection: { profile: { facts: { userName: 'Bob Marlow' } } } })
      expect(JSON.stringify(await bob.profiles.history('bob'))).not.toContain(SECRET)
      await bob.profiles.forget('bob')
      expect(await ann.profiles.entries('ann')).toHaveLength(1)
    })

    it('keeps conversations apart, and does not continue another user’s', async () => {
      const { response } = await ask(ann, POLICY_QUESTION)
      const conversationId = response.metadata.conversationId!
      const ids = (await bob.conversations.list('bob')).map((one) => one.conversationId)
      expect(ids).not.toContain(conversationId)
      expect(await bob.conversations.get('bob', conversationId)).toBeUndefined()
      expect(await bob.conversations.messages('bob', conversationId)).toEqual([])
      await expect(ask(bob, POLICY_QUESTION, { conversationId })).rejects.toMatchObject({ code: 'InvalidRequest' })
      await bob.conversations.remove('bob')
      expect(await ann.conversations.get('ann', conversationId)).toBeDefined()
    })

    it('returns files only to their owner', async () => {
      const file = { name: 'chart.svg', mediaType: 'image/svg+xml', bytes: new TextEncoder().encode('<svg/>') }
      const { id } = await ann.artifacts.keep('ann', file)
      expect((await ann.artifacts.read('ann', id)).name).toBe('chart.svg')
      for (const app of [ann, bob]) {
        await expect(app.artifacts.read('bob', id)).rejects.toMatchObject({ code: 'ArtifactNotFound' })
      }
    })
  })
}

/** The results of a search, with exact scores. */
async function hitsOf(app: App) {
  const { hits, confidence, method } = await app.knowledge.search(app.runs.owner, POLICY_QUESTION)
  return { confidence, method, hits: hits.map(({ chunk, score, coverage }) => [chunk.chunkId, score, coverage]) }
}
