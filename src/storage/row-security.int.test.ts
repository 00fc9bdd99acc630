import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { createOwnDatabase } from '../../test/support/postgres.ts'
import { started } from '../../test/support/storage.ts'
import { systemClock } from '../shared/clock.ts'
import type { NewEvent } from '../domain/events.ts'
import { BY_USER } from '../domain/provenance.ts'
import { openStorage, type Storage } from './index.ts'
import { fixed, insert, sql, type Script } from './sql/query.ts'

/** The protection behind the owner that each query names, with that one switched off: the queries here name no owner. */

/** Relations with an owner that have no row policy, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  agent_executions: 'a view of runs, whose protection is around it',
  knowledge_owners: 'of a store that is made later; it has a protection of its own',
}

/** Made with the first document. */
const OF_KNOWLEDGE = ['knowledge_owners', 'knowledge_documents']

async function fill(storage: Storage, owner: string): Promise<void> {
  const { store, conversations, profiles } = storage
  const about = { key: 'mail', path: 'mail/1', tool: 'send', payload: {}, reason: 'r', provenance: BY_USER } as const
  const [at, expiresAt] = [new Date().toISOString(), Date.now() + 60_000]
  const asked: NewEvent = { type: 'approval.requested', at, approvalId: `${owner}.a`, expiresAt, ...about }
  const start = { ...started(`What of ${owner}?`), owner } as NewEvent
  await store.append([{ runId: `run-${owner}`, afterSeq: 0, events: [start, asked] }])
  const place = { conversationId: 'c', runId: `run-${owner}`, at: 1 }
  await conversations.open(owner, { conversationId: 'c', title: `Talk of ${owner}`, createdAt: 1 })
  await conversations.addTurn(owner, { ...place, question: `of ${owner}`, answer: 'none', provenance: BY_USER })
  await conversations.addSummary(owner, { ...place, text: `of ${owner}`, turns: 1, provenance: BY_USER })
  await storage.store.artifacts.keep(owner, { name: 'a', mediaType: 'b', bytes: Buffer.from(owner) })
  await profiles.update(owner, { values: { userName: owner }, key: 'k', source: { by: 'user', at: 1 } })
}

/** A row of somebody in a table that has none of theirs, whatever its columns are. */
async function fillTable({ sql: runner }: Storage, table: string, owner: string): Promise<void> {
  const columns = await runner.all<{ name: string; type: string }>(
    sql`SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_schema = current_schema()
      AND table_name = ${table} AND is_nullable = 'NO' AND column_default IS NULL AND column_name <> 'owner'`,
  )
  const values = columns.map(({ name, type }) => [name, type === 'text' ? `${name} of ${owner}` : 0])
  const mine = sql`SELECT 1 FROM ${fixed(table)} WHERE owner = ${owner}`
  if ((await runner.all(mine)).length === 0)
    await runner.all(sql`${insert(table, { owner, ...Object.fromEntries(values) })}`)
}

describe.skipIf(inject('postgresUrl') === '')('PostgreSQL with a user for Tutti', () => {
  it('hides rows of other owners from a transaction in any query, and lets it change none', async () => {
    const storage = await openStorage({
      databaseUrl: await createOwnDatabase(inject('postgresUrl')),
      clock: systemClock,
      onError: ({ message }) => expect.fail(message),
    })
    try {
      const named = async (query: string): Promise<readonly string[]> =>
        ((await storage.sql.all(fixed(query))) as { name: string }[]).map(({ name }) => name)
      const owned = await named(`SELECT table_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name = 'owner'`)
      const guarded =
        await named(`SELECT DISTINCT tablename AS name FROM pg_policies p JOIN pg_class c ON c.relname = p.tablename
        WHERE p.schemaname = current_schema() AND c.relrowsecurity AND c.relforcerowsecurity`)
      const tables = owned.filter((name) => !(name in WITHOUT)).toSorted()
      expect(tables, 'a table with an owner has a policy, or says why not').toEqual(guarded.toSorted())
      expect(tables.length).toBeGreaterThan(20)
      const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'people.md'), 'utf8')
      const [, told] = /row-level security on the tables ([^.]+)\./.exec(page)!
      const listed = [...told!.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
      expect(listed.toSorted()).toEqual([...guarded, ...OF_KNOWLEDGE].toSorted())

      for (const owner of ['ann', 'bob']) {
        await fill(storage, owner)
        for (const table of tables) await fillTable(storage, table, owner)
      }
      for (const table of tables) {
        const owners = async (query: Promise<readonly object[]>): Promise<readonly string[]> =>
          [...new Set(((await query) as { owner: string }[]).map(({ owner }) => owner))].sort()
        const all = fixed(`SELECT owner FROM ${table}`)
        expect([table, await owners(storage.sql.all(all))]).toEqual([table, ['ann', 'bob']])
        expect([table, await owners(storage.sql.of('bob', all))]).toEqual([table, ['bob']])
        expect([table, await owners(storage.sql.of('eve', all))]).toEqual([table, []])
        const written = storage.sql.write('bob', function* (): Script<readonly object[]> {
          return yield fixed(`UPDATE ${table} SET owner = owner RETURNING owner`)
        })
        expect([table, await owners(written)]).toEqual([table, ['bob']])
        const stolen = storage.sql.write('bob', function* (): Script<readonly object[]> {
          return yield fixed(`UPDATE ${table} SET owner = 'ann' RETURNING owner`)
        })
        await expect(stolen).rejects.toThrow('row-level security')
      }
      // What is shared of teams others read, and change or take away as little.
      for (const [table, column] of [['workflows', 'is_shared']] as const) {
        const of = async (owner: string, query: string): Promise<readonly string[]> =>
          (await storage.sql.of<{ owner: string }>(owner, fixed(query))).map((row) => row.owner).toSorted()
        await of('ann', `UPDATE ${table} SET ${column} = 1 RETURNING owner`)
        const seen = `SELECT owner FROM ${table}`
        expect([table, await of('bob', seen), await of('eve', seen)]).toEqual([table, ['ann', 'bob'], ['ann']])
        for (const change of [`UPDATE ${table} SET ${column} = 0`, `DELETE FROM ${table}`])
          expect([change, await of('bob', `${change} RETURNING owner`)]).toEqual([change, ['bob']])
        expect(await of('eve', seen)).toEqual(['ann'])
      }
      expect((await storage.executions.executions('bob')).map(({ runId }) => runId)).toEqual([])
      // Queries name the owner to the database, too. Without an owner it returns no rows.
      for (const table of ['runs', 'approvals']) {
        const isSaid = fixed(`CREATE POLICY said ON ${table} AS RESTRICTIVE FOR SELECT
          USING (current_setting('tutti.owner', true) = owner)`)
        await storage.sql.all(isSaid)
      }
      expect((await storage.store.runs({ owner: 'bob' })).map(({ runId }) => runId)).toEqual(['run-bob'])
      expect((await storage.store.approvals({ owner: 'bob' })).map(({ runId }) => runId)).toEqual(['run-bob'])
      expect([await storage.store.runs(), await storage.store.approvals()]).toEqual([[], []])
      for (const table of ['runs', 'approvals']) await storage.sql.all(fixed(`DROP POLICY said ON ${table}`))
      // Workers work for everyone, also after a transaction for one.
      expect(await storage.store.runs()).toHaveLength(2)
      expect((await storage.conversations.list('ann')).map(({ title }) => title)).toEqual(['Talk of ann'])
    } finally {
      await storage.close()
    }
  })
})
