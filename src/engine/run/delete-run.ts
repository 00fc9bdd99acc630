import type { ArtifactStore } from '../../core/artifacts.ts'
import { TuttiError } from '../../core/errors.ts'
import type { Owner } from '../../core/owner.ts'
import { isFinal, type RunRecord, type RunStore } from '../../core/store.ts'

export interface DeletionParts {
  readonly store: RunStore
  readonly artifacts: ArtifactStore
}

/**
 * Erases a run that is over, its nested runs and the files that no other run of its owner speaks of.
 * @throws TuttiError `RunConflict` while one of them is not over, and for a nested run: its parent would start it again
 */
export async function deleteRun({ store, artifacts }: DeletionParts, record: RunRecord): Promise<void> {
  const { owner, runId, parentId } = record
  if (parentId !== undefined) {
    throw new TuttiError('RunConflict', `Run ${runId} is a part of run ${parentId}; delete that one.`)
  }
  const family = await familyOf(store, record)
  const open = family.find(({ status }) => !isFinal(status))
  if (open !== undefined) throw notOver(open)
  const files = await filesIn(store, await artifacts.list(owner), family)
  if ((await store.remove(owner, runId)) === 0) throw notOver(record)
  for (const id of await unusedOf(store, owner, files)) await artifacts.remove(owner, id)
}

async function familyOf(store: RunStore, first: RunRecord): Promise<readonly RunRecord[]> {
  const family = [first]
  for (const { runId } of family) family.push(...(await store.runs({ parentId: runId })))
  return family
}

/** Those of the files that the logs of these runs speak of. Ids are made of digests, so a text that holds one means it. */
async function filesIn(
  store: RunStore,
  ids: readonly string[],
  runs: readonly RunRecord[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const { runId } of ids.length === 0 ? [] : runs) {
    const log = JSON.stringify(await store.read(runId))
    for (const id of ids) if (log.includes(id)) found.add(id)
  }
  return found
}

async function unusedOf(store: RunStore, owner: Owner, files: ReadonlySet<string>): Promise<readonly string[]> {
  if (files.size === 0) return []
  const used = await filesIn(store, [...files], await store.runs({ owner }))
  return [...files].filter((id) => !used.has(id))
}

function notOver({ runId, status }: RunRecord): TuttiError {
  return new TuttiError('RunConflict', `Run ${runId} is ${status}; cancel it before you delete it.`)
}
