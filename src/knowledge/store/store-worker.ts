import { errorInfo } from '../../core/errors.ts'
import type { StoreReply, StoreRequest } from './messages.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { SqlKnowledge } from './sql-store.ts'
import { openSqliteDatabase } from './sqlite-database.ts'

/**
 * The program of a store's process. Calls into SQLite block it, and analysis and ranking of text take processor time;
 * here they hold up nobody else.
 */
let store: Promise<SqlKnowledge> | undefined

process.on('message', (request: StoreRequest) => {
  switch (request.kind) {
    case 'open':
      store = open(request)
      // Whoever calls learns of it.
      store.catch(() => undefined)
      return
    case 'call':
      return void answer(request)
    case 'close':
      return void end()
  }
})
process.once('disconnect', end)
// Ctrl-C goes to all processes of a terminal; the parent decides when this one ends.
process.on('SIGINT', () => undefined)

async function open({ place }: Extract<StoreRequest, { kind: 'open' }>): Promise<SqlKnowledge> {
  return new SqlKnowledge(
    'sqlitePath' in place ? await openSqliteDatabase(place.sqlitePath) : await openPostgresDatabase(place.postgresUrl),
  )
}

async function answer({ id, method, values }: Extract<StoreRequest, { kind: 'call' }>): Promise<void> {
  reply(
    await call(method, values).then(
      (value): StoreReply => ({ id, ok: true, value }),
      (error): StoreReply => ({ id, ok: false, error: errorInfo(error) }),
    ),
  )
}

async function call(method: Extract<StoreRequest, { kind: 'call' }>['method'], values: readonly unknown[]) {
  const opened = await store
  if (opened === undefined) throw new Error('The store was called before it was opened.')
  const run = opened[method].bind(opened) as (...values: readonly unknown[]) => Promise<unknown>
  return run(...values)
}

function reply(message: StoreReply): void {
  if (process.connected) process.send?.(message)
}

async function end(): Promise<void> {
  await store?.then((opened) => opened.close()).catch(() => undefined)
  process.exit()
}
