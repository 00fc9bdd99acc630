import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../test/support/postgres.ts'
import { moment, started } from '../../test/support/storage.ts'
import { systemClock } from '../shared/clock.ts'
import { openStorage } from './index.ts'
import { createRuns } from './run-tables.ts'
import type { Dialect } from './sql/query.ts'

/** What a database of the first version holds: one run that waits for an approval. */
function firstVersion(dialect: Dialect): string[] {
  const { at, type, ...body } = started('From before')
  const more = dialect === 'postgres' ? [', last_seq, updated_at', `, 4, ${moment(0)}`] : ['', '']
  return [
    'CREATE TABLE tutti_schema (version integer PRIMARY KEY)',
    ...createRuns(dialect),
    'INSERT INTO tutti_schema (version) VALUES (1)',
    `INSERT INTO runs (run_id, question, strategy, status, epoch, created_at${more[0]})
     VALUES ('old', 'From before', 'pipeline', 'waiting', 0, ${moment(0)}${more[1]})`,
    `INSERT INTO events (run_id, seq, type, at, v, data) VALUES ('old', 1, '${type}', '${at}', 1, '${JSON.stringify(body)}')`,
    // Of what a log may hold, PostgreSQL reads no half of a character.
    String.raw`INSERT INTO events (run_id, seq, type, at, v, data)
     VALUES ('old', 2, 'job.started', '${at}', 1, '{"key":"a","actor":"sql","task":{"text":"\ud800 \u0000"}}'),
       ('old', 3, 'call.finished', '${at}', 1, '{"key":"a","model":"tiny"}'),
       ('old', 4, 'call.finished', '${at}', 1, '{"key":"a"}')`,
    `INSERT INTO approvals (run_id, approval_id, key, path, tool, payload, reason, status, requested_at, expires_at)
     VALUES ('old', 'old.a', 'mail', 'mail/send', 'send', '{}', 'r', 'pending', 1, 2)`,
  ]
}

describe('a database of the first version', () => {
  const isMissing = inject('postgresUrl') === ''

  it('on SQLite assigns its data to the local user', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tutti-migration-'))
    const { default: Database } = await import('libsql')
    const db = new Database(join(dataDir, 'tutti.db'))
    for (const statement of firstVersion('sqlite')) db.exec(statement)
    db.close()
    await expectLocal({ dataDir })
    await rm(dataDir, { recursive: true })
  })

  it.skipIf(isMissing)(`on PostgreSQL likewise${isMissing ? ' (not installed on this machine)' : ''}`, async () => {
    const databaseUrl = await createTestDatabase(inject('postgresUrl'))
    const { default: pg } = await import('pg')
    const client = new pg.Client(databaseUrl)
    await client.connect()
    for (const statement of firstVersion('postgres')) await client.query(statement)
    await client.end()
    await expectLocal({ databaseUrl })
  })
})

async function expectLocal(place: { dataDir?: string; databaseUrl?: string }): Promise<void> {
  const storage = await openStorage({ ...place, clock: systemClock, onError: () => undefined })
  try {
    expect(await storage.store.runs({ owner: 'local' })).toMatchObject([{ runId: 'old', owner: 'local', lastSeq: 4 }])
    expect(await storage.store.parts('local')).toEqual([
      { kind: 'agent', name: 'sql' },
      { kind: 'model', name: 'tiny' },
    ])
    expect(await storage.store.runs({ owner: 'local', agents: ['sql'], model: 'tiny' })).toHaveLength(1)
    expect(await storage.store.approvals({ owner: 'local' })).toMatchObject([{ approvalId: 'old.a', owner: 'local' }])
    expect(await storage.store.runs({ owner: 'ann' })).toEqual([])
    const start = { ...started('New'), owner: 'ann' } as ReturnType<typeof started>
    expect(await storage.store.append([{ runId: 'new', afterSeq: 0, events: [start] }])).toEqual(['appended'])
    expect((await storage.store.runs({ owner: 'ann' })).map((run) => run.runId)).toEqual(['new'])
  } finally {
    await storage.close()
  }
}

describe('branches from before lists linked to the latest', () => {
  it('are linked', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tutti-migration-'))
    const place = { dataDir, clock: systemClock, onError: () => undefined }
    const before = await openStorage(place)
    await before.conversations.open('ann', { conversationId: 'alone', title: 't', createdAt: 2 })
    await before.conversations.open('ann', { conversationId: 'first', title: 't', createdAt: 1 })
    await before.close()
    const { default: Database } = await import('libsql')
    const db = new Database(join(dataDir, 'tutti.db'))
    const branch = (id: string, of: string, at: number): string =>
      `INSERT INTO conversations (owner, conversation_id, title, turns, created_at, updated_at, branch_of, branch_turn)
       VALUES ('ann', '${id}', 't', 1, ${at}, ${at}, '${of}', 1)`
    db.exec('ALTER TABLE conversations DROP COLUMN latest_id')
    // What came after it is undone with it.
    db.exec('DROP TABLE tries; DROP TABLE sweeps; DROP TABLE run_parts; DROP INDEX approvals_standing')
    const scopes = ['destination', 'scopes', 'conversation_id', 'scope', 'edited_payload', 'revoked_by', 'revoked_at']
    for (const column of scopes) db.exec(`ALTER TABLE approvals DROP COLUMN ${column}`)
    db.exec('ALTER TABLE workflows DROP COLUMN provenance')
    db.exec('DROP TABLE shared_values; DROP INDEX run_values_shared')
    db.exec('DELETE FROM tutti_schema WHERE version >= 27')
    for (const made of [branch('b', 'first', 5), branch('c', 'b', 9), branch('d', 'first', 7)]) db.exec(made)
    db.close()
    const after = await openStorage(place)
    const list = await after.conversations.list('ann', { isFirst: true })
    expect(list.map(({ latestId, updatedAt }) => [latestId, updatedAt])).toEqual([
      ['c', 9],
      ['alone', 2],
    ])
    await after.close()
    await rm(dataDir, { recursive: true })
  })
})
