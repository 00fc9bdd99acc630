import { serveCalls } from '../../processes/serve.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { SqlKnowledge } from './sql-store.ts'
import { openSqliteDatabase } from './sqlite-database.ts'

/** Where a store keeps its documents. */
export type StorePlace = { readonly sqlitePath: string } | { readonly postgresUrl: string }

/** What is asked of a store's process. */
export interface StoreCall {
  readonly method: Exclude<keyof SqlKnowledge, 'close'>
  readonly values: readonly unknown[]
}

/**
 * The program of a store's process; its order is the place. Calls into SQLite block it, and analysis and ranking of text
 * take processor time; here they hold up nobody else.
 */
let store: Promise<SqlKnowledge> | undefined

serveCalls(
  (place: StorePlace) => {
    // Not waited for here: a server may take its time. The caller learns what becomes of it.
    const opening = open(place)
    opening.catch(() => undefined)
    store = opening
    return async ({ method, values }: StoreCall) => {
      const opened = await opening
      const run = opened[method].bind(opened) as (...values: readonly unknown[]) => Promise<unknown>
      return run(...values)
    }
  },
  async () => (await store)?.close(),
)
// Ctrl-C goes to all processes of a terminal; the parent decides when this one ends.
process.on('SIGINT', () => undefined)

async function open(place: StorePlace): Promise<SqlKnowledge> {
  return new SqlKnowledge(
    'sqlitePath' in place ? await openSqliteDatabase(place.sqlitePath) : await openPostgresDatabase(place.postgresUrl),
  )
}
