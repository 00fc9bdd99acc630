import { SqlConversations } from './conversations.ts'
import { SqlExecutions } from './executions.ts'
import { PgBossWakeups, startPgBoss, type PgBossOptions } from './pg-boss-wakeups.ts'
import { openPostgres } from './postgres-connection.ts'
import { openFeed } from './postgres-feed.ts'
import { PostgresStore } from './postgres-store.ts'
import { SqlProfiles } from './profiles.ts'
import { SealedStore } from './sealed-store.ts'
import { passingKey } from './secret-key.ts'
import { postgresRunner } from './sql-runner.ts'
import type { Storage } from './storage.ts'

/**
 * Storage in PostgreSQL with pg-boss as the queue, for any number of processes.
 * @throws TuttiError `StorageError` when the server cannot be used
 */
export async function createPostgresStorage(url: string, options: PgBossOptions): Promise<Storage> {
  const connection = await openPostgres(url, options.onError)
  try {
    const boss = await startPgBoss(url, connection, options)
    const wakeups = new PgBossWakeups(boss, connection, options)
    const kept = new PostgresStore(connection, await openFeed(url, options), (client, wakes) =>
      wakeups.send(client, wakes),
    )
    const store = new SealedStore(kept, options.key ?? passingKey(), options.secrets ?? [])
    const runner = postgresRunner(connection)
    return {
      store,
      wakeups,
      profiles: new SqlProfiles(runner),
      conversations: new SqlConversations(runner),
      executions: new SqlExecutions(runner),
      async close() {
        await wakeups.stop()
        await boss.stop()
        await store.close()
      },
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}
