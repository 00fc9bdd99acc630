import { PgBossWakeups, startPgBoss, type PgBossOptions } from './pg-boss-wakeups.ts'
import { openPostgres, postgresRunner } from './postgres-connection.ts'
import { openFeed } from './postgres-feed.ts'
import { PostgresStore } from './postgres-store.ts'
import { passingKey } from './secret-key.ts'
import type { Storage } from './storage.ts'
import { combineParts } from './combine-parts.ts'

/**
 * Storage in PostgreSQL with pg-boss as the queue, for any number of processes.
 * @throws TuttiError `StorageError` when the server cannot be used
 */
export async function createPostgresStorage(url: string, options: PgBossOptions): Promise<Storage> {
  const connection = await openPostgres(url, options.onError)
  try {
    const boss = await startPgBoss(url, connection, options)
    const wakeups = new PgBossWakeups(boss, connection, options)
    const store = new PostgresStore(connection, await openFeed(url, options), (client, wakes) =>
      wakeups.send(client, wakes),
    )
    const storage = combineParts(store, wakeups, postgresRunner(connection), passingKey(), options)
    return {
      ...storage,
      async close() {
        await wakeups.stop()
        await boss.stop()
        await storage.close()
      },
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}
