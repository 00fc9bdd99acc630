// Soak test: random operations of several owners.
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { createTestDatabase } from '../../../test/support/postgres.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import type { Hit, OwnerScope } from '../types.ts'
import type { SqlDatabase } from './sql.ts'
import { SqlKnowledge } from './sql-store.ts'
import { openSqliteDatabase } from './sqlite-database.ts'
import { documentOf } from '../../../test/documents/support/stored-document.ts'

const postgresUrl = inject('postgresUrl')

const word = fc.constantFrom('wing', 'flow', 'heat', 'layers', 'shock', 'ship', 'the')
const passages = fc.array(
  fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(' ')),
  { minLength: 1, maxLength: 3 },
)

/** One step for a named document: put it with these passages, or remove it. */
const step = fc.record({
  owner: fc.constantFrom('mine', 'theirs'),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  passages: fc.option(passages),
})

const figuresOf = (hits: readonly Hit[]): readonly unknown[] =>
  // Equal scores are ordered by owner, or by document.
  hits
    .map(({ document, chunk, score, coverage }) => [score, document.name, chunk.text, coverage] as const)
    .toSorted(([a, ...x], [b, ...y]) => b - a || (JSON.stringify(x) < JSON.stringify(y) ? -1 : 1))

const PLACES: readonly (readonly [string, boolean, (folder: string) => Promise<SqlDatabase>])[] = [
  ['SQLite', false, (folder) => openSqliteDatabase(join(folder, 'knowledge.db'))],
  ['PostgreSQL', postgresUrl === '', async () => openPostgresDatabase(await createTestDatabase(postgresUrl))],
]

describe.each(PLACES)('any sequence of steps, on %s', (_, isMissing, open) => {
  describe.skipIf(isMissing)('(PostgreSQL needs a local installation)', () => {
    const folder = temporaryFolder()
    let store: SqlKnowledge
    let run = 0
    beforeAll(async () => void (store = new SqlKnowledge(await open(folder))))
    afterAll(() => store?.close())

    it('an owner finds exactly the results of a fresh store with the same documents', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 14 }), passages, async (steps, [query]) => {
          run++
          const left = new Map<string, readonly string[]>()
          for (const { owner, name, passages: given } of steps) {
            await apply(store, `${owner} ${run}`, name, given)
            if (owner === 'theirs') continue
            // A changed document moves to the end; an unchanged one keeps its place.
            if (JSON.stringify(left.get(name)) === JSON.stringify(given)) continue
            left.delete(name)
            if (given !== null) left.set(name, given)
          }
          for (const [name, given] of left) await apply(store, `fresh ${run}`, name, given)
          const figures = async (owner: string): Promise<unknown> => {
            const hits = await Promise.all([store.lexical(owner, query!, 20), store.lexical(owner, query!, 20)])
            return hits.map((some) =>
              some.map(({ document, chunk, score, coverage }) => [document.name, chunk.text, score, coverage]),
            )
          }
          expect(await figures(`mine ${run}`)).toEqual(await figures(`fresh ${run}`))
        }),
        { numRuns: 50 },
      )
    })

    it('several owners together find exactly the results of one owner with all of their documents', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(passages, { maxLength: 3 }), { maxLength: 4 }),
          passages,
          async (all, [query]) => {
            run++
            const owners = all.map((_documents, i) => `${run} of ${i}`)
            const together = { reader: 'somebody', owners: [...owners, 'nobody'] }
            for (const [i, documents] of all.entries()) {
              for (const [n, given] of documents.entries()) {
                await apply(store, owners[i]!, `${i} ${n}`, given)
                await apply(store, `all ${run}`, `${i} ${n}`, given)
              }
            }
            const of = async (scope: OwnerScope) => figuresOf(await store.lexical(scope, query!, 50))
            expect(await of(together)).toEqual(await of(`all ${run}`))
            const names = async (scope: OwnerScope) => (await store.documents(scope)).map(({ name }) => name).toSorted()
            expect(await names(together)).toEqual(await names(`all ${run}`))
            expect(await store.holds(together)).toBe(await store.holds(`all ${run}`))
            for (const { documentId, name } of await store.documents(together)) {
              expect((await store.document(together, documentId))?.name).toBe(name)
              expect(await store.text(together, documentId)).toBeDefined()
              const others = owners.filter((owner) => owner !== `${run} of ${name.split(' ')[0]}`)
              expect(await store.chunks({ reader: '', owners: others }, documentId)).toEqual([])
            }
          },
        ),
        { numRuns: 50 },
      )
    })
  })
})

async function apply(
  store: SqlKnowledge,
  owner: string,
  name: string,
  passages: readonly string[] | null,
): Promise<void> {
  if (passages !== null) return void (await store.put(owner, documentOf(name, passages)))
  const found = (await store.documents(owner)).find((document) => document.name === name)
  if (found !== undefined) await store.remove(owner, found.documentId)
}
