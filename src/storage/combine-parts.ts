import type { RunStore, Wakeups } from '../domain/store.ts'
import { SqlConversations } from './conversations.ts'
import { SqlExecutions, SqlFeedback } from './executions.ts'
import { SqlProfiles } from './profiles.ts'
import { SqlTeams } from './teams.ts'
import { SealedStore } from './sealed-store.ts'
import type { KeyHolder } from './secret-key.ts'
import { SqlSkills } from './skills.ts'
import type { SqlRunner } from './sql/query.ts'
import type { Storage, StorageOptions } from './storage.ts'

/**
 * Combines the parts of a storage.
 * @param usual the key if the options have none
 */
export function combineParts(
  kept: RunStore,
  wakeups: Wakeups,
  runner: SqlRunner,
  usual: KeyHolder,
  { key = usual, secrets = [] }: StorageOptions,
): Storage {
  const store = new SealedStore(kept, key, secrets)
  return {
    store,
    wakeups,
    profiles: new SqlProfiles(runner),
    conversations: new SqlConversations(runner),
    skills: new SqlSkills(runner),
    sql: runner,
    key,
    executions: new SqlExecutions(runner),
    teams: new SqlTeams(runner),
    feedback: new SqlFeedback(runner),
    async close() {
      await wakeups.stop()
      await store.close()
    },
  }
}
