import type { RunId } from '../domain/events.ts'
import type { ProfileField, ProfileStore } from '../domain/memory.ts'
import type { Owner } from '../domain/owner.ts'

/**
 * Takes back what a run remembered of the user: fields get the value that they had before, or are erased. Fields that were written
 * again since stay as they are. @param at milliseconds since the epoch @returns the fields that were taken back
 */
export async function undoRemembered(
  profiles: ProfileStore,
  owner: Owner,
  runId: RunId,
  at: number,
): Promise<readonly ProfileField[]> {
  const entries = await profiles.entries(owner)
  const changes = (await profiles.history(owner)).filter(
    ({ field, source }) =>
      source.runId === runId && entries.some((entry) => entry.field === field && entry.source.runId === runId),
  )
  const source = { by: 'user', at } as const
  for (const { field, before } of changes) {
    if (before === undefined) await profiles.forget(owner, [field])
    else await profiles.update(owner, { values: { [field]: before }, source, key: `undo ${runId}` })
  }
  return changes.map(({ field }) => field)
}
