import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { openApp } from '../../src/setup/setup.ts'

/** A library with documents of one owner beside a database: who has none asks the database, and a change is refused as one. */

let folder: string
let app: App

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-sources-'))
  const db = new Database(join(folder, 'cover.sqlite'))
  db.exec(`CREATE TABLE policies (policy_id INTEGER PRIMARY KEY, insurer TEXT NOT NULL);
    INSERT INTO policies VALUES (1, 'Alpina'), (2, 'Norda'), (3, 'Norda');`)
  db.close()
  const text = '# Policies\n\nThe buyer may cancel or close all open policies within three days.\n'
  const databases = [{ url: `sqlite:${join(folder, 'cover.sqlite')}` }]
  app = await openApp({ env: {}, cwd: folder, dataDir: join(folder, 'data'), databases })
  await app.knowledge.ingest.add('ann', { name: 'terms.md', bytes: Buffer.from(text) })
})

afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const lacks = async (owner: string) => (await app.as(owner).team()).find(({ name }) => name === 'rag')!.unavailable

describe('documents of somebody else', () => {
  it.each(['pipeline', 'graph', 'supervisor', 'review'])('are no reason to ask among none: %s', async (strategy) => {
    const { answer, agentResults } = await app.as('ben').ask({ question: 'How many policies are there?', strategy })
    expect(answer).toContain('3')
    expect(agentResults.map(({ agent }) => agent)).not.toContain('rag')
  })

  it('are there for their owner alone', async () => {
    expect(await lacks('ben')).toMatch(/No documents/)
    expect(await lacks('ann')).toBeUndefined()
  })
})

describe.each(['Cancel', 'Close', 'Delete', 'Please remove', 'Reset', 'Update'])('%s …', (verb) => {
  it.each(['all open policies', 'policy 12', 'the policies of Norda'])('%s: a refusal is one', async (what) => {
    const { answer, metadata } = await app.as('ann').ask(`${verb} ${what}`)
    expect(metadata.isAnswered).toBe(false)
    expect(answer).toContain('would change data')
    expect(answer).not.toMatch(/Nearest|terms\.md|buyer/)
  })
})
