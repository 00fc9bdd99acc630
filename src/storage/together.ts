import type { RunStore, Wakeups } from '../core/store.ts'
import { SqlConversations } from './conversations.ts'
import { SqlExecutions } from './executions.ts'
import { SqlProfiles } from './profiles.ts'
import { SealedStore } from './sealed-store.ts'
import type { KeyHolder } from './secret-key.ts'
import { SqlSkills } from './skills.ts'
import type { SqlRunner } from './sql-runner.ts'
import type { Storage, StorageOptions } from './storage.ts'

/**
 * Puts the parts of a storage together.
 * @param usual the key, where the options have none
 */
export function together(
  kept: RunStore,
  wakeups: Wakeups,
  runner: SqlRunner,
  { key, secrets = [] }: StorageOptions,
  usual: () => KeyHolder,
): Storage {
  const store = new SealedStore(kept, key ?? usual(), secrets)
  return {
    store,
    wakeups,
    profiles: new SqlProfiles(runner),
    conversations: new SqlConversations(runner),
    skills: new SqlSkills(runner),
    executions: new SqlExecutions(runner),
    async close() {
      await wakeups.stop()
      await store.close()
    },
  }
}
