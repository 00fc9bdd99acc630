// Soak test: erases users at many moments.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import { sleep, systemClock } from '../../src/shared/clock.ts'
import { describeAppStorages } from '../support/app-storage.ts'
import { rowsIn } from '../support/rows.ts'

const PEOPLE = 4
const SEED = 20_261_124

/** Random delay of the erasure in milliseconds: from the start of the work until most of it is done. */
function delayOf(person: number): number {
  return createHash('sha256').update(`${SEED} ${person}`).digest().readUInt16BE() % 300
}

/** Tables with a row that contains the word. */
async function tablesWith(databaseUrl: string, word: string): Promise<Record<string, number>> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    'SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema()',
  )
  const found: Record<string, number> = {}
  for (const { name } of rows) {
    const like = `SELECT count(*)::int AS n FROM ${name} t WHERE t::text LIKE '%${word}%'`
    const { n } = (await client.query<{ n: number }>(like)).rows[0]!
    if (n > 0) found[name] = n
  }
  await client.end()
  return found
}

describeAppStorages('an erasure', (place) => {
  it('leaves nothing of a user’s active work', async () => {
    const { folder, storage, databaseUrl } = place
    const app = await createApp({ storage, documents: [], cwd: folder })
    const gone: string[] = []
    try {
      const root = (await app.people.accounts.add('', { username: 'root', role: 'admin' })).userId
      for (let i = 0; i < PEOPLE; i++) {
        const { userId } = await app.people.accounts.add(root, { username: `p${i}` })
        gone.push(userId)
        const collection = await app.people.collections.create(userId, `of quokka ${i}`, userId)
        const bytes = Buffer.from(`The quokka ${i} is here.\n`.repeat(300))
        const { ingest, ofRuns } = app.knowledge
        const mine = app.as(userId)
        const write = (n: number): Promise<unknown>[] => [
          mine.ask({ question: `What is ${n}+1? quokka`, interactive: false }),
          ingest.add(userId, { name: `quokka ${n}.md`, bytes }),
          ingest.add(`\u001F${collection.collectionId}`, { name: `quokka ${n}.md`, bytes }),
          ofRuns.ingest.add(`${userId}\u001Fdocuments-${'a'.repeat(32)}`, { name: `quokka ${n}.md`, bytes }),
          app.profiles.update(userId, {
            values: { companyName: 'quokka' },
            source: { by: 'user', at: 1 },
            key: `k${n}`,
          }),
          app.people.collections.create(userId, `quokka ${n}`, userId),
          app.people.keys.create(userId, { name: 'quokka', scopes: ['read'] }),
          app.people.shares.create(userId, { conversationId: 'quokka', turns: 1 }),
          app.artifacts.keep(userId, { name: 'quokka', mediaType: 'text/plain', bytes }),
          app.schedules.add(userId, {
            timing: { at: systemClock.now() + 86_400_000 },
            request: { question: 'quokka' },
          }),
        ]
        const underWay = Promise.allSettled(write(1))
        await sleep(systemClock, delayOf(i))
        await app.erasePerson(root, userId)
        await underWay
        // Requests that were accepted before and arrive later are refused.
        const late = await Promise.allSettled(write(2))
        expect(late.flatMap(({ status }, place) => (status === 'fulfilled' ? [place] : []))).toEqual([])
        expect(await app.store.runs({ owner: userId })).toEqual([])
        expect(await app.artifacts.list(userId)).toEqual([])
      }
      const left = (word: string) => (databaseUrl === undefined ? rowsIn(folder, word) : tablesWith(databaseUrl, word))
      expect(await left('quokka')).toEqual({})
      for (const id of gone)
        expect(Object.keys(await left(id)).filter((table) => !/\b(?:audit|erased_people)$/.test(table))).toEqual([])
    } finally {
      await app.close()
    }
  })
})
