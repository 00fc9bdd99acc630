import { serveCalls } from '../../processes/serve.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { SqlKnowledge } from './sql-store.ts'
import { openSqliteDatabase } from './sqlite-database.ts'

/** Location of a store. */
export type StorePlace = { readonly sqlitePath: string } | { readonly postgresUrl: string }

/** A call to a store's process. */
export interface StoreCall {
  readonly method: Exclude<keyof SqlKnowledge, 'close'>
  readonly values: readonly unknown[]
}

/**
 * Program of a store's process; its first message is the location. SQLite calls block, and analysing and ranking text
 * takes processor time; in this process they delay nothing else.
 */
let store: Promise<SqlKnowledge> | undefined

serveCalls(
  (place: StorePlace) => {
    // Do not await: a server may take its time. The caller gets the result.
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
