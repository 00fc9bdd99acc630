import type { RunId, Owner } from '../domain/events.ts'
import type { ProfileField, ProfileStore } from '../domain/profile.ts'

/**
 * Undoes what a run remembered about the user: fields get their previous value, or are deleted. Fields that changed
 * again since are kept.
 * @param at milliseconds since the epoch
 * @returns the fields that were undone
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
