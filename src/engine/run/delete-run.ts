import type { ArtifactStore, Erasure } from '../../domain/artifacts.ts'
import { TuttiError, toTuttiError } from '../../domain/errors.ts'
import type { Owner } from '../../domain/events.ts'
import { isFinal, type RunRecord, type RunStore } from '../../domain/store.ts'

export interface DeletionParts {
  readonly store: RunStore
  readonly artifacts: ArtifactStore
}

/**
 * Erases a run that is over, its nested runs and the files that no other run of its owner speaks of.
 * @throws TuttiError `RunConflict` while one of them is not over, and for a nested run that has its parent, which would
 * start it again
 */
export async function deleteRun({ store, artifacts }: DeletionParts, record: RunRecord): Promise<void> {
  const { owner, runId } = record
  const family = await runsDeletedWith(store, record)
  const files = await filesIn(store, await artifacts.list(owner), family)
  await erase({ store, artifacts }, { owner, runId, files: [...files] })
}

/** The runs that go when this one is deleted. @throws TuttiError `RunConflict`, as `deleteRun` */
async function runsDeletedWith(store: RunStore, record: RunRecord): Promise<readonly RunRecord[]> {
  const { runId, parentId } = record
  if (parentId !== undefined && (await store.run(parentId)) !== undefined) {
    throw new TuttiError('RunConflict', `Run ${runId} is a part of run ${parentId}; delete that one.`)
  }
  const family = await familyOf(store, record)
  const open = family.find(({ status }) => !isFinal(status))
  if (open !== undefined) throw notOver(open)
  return family
}

/**
 * Completes deletions that another process started but did not complete. A deletion that fails again, for example
 * because the store is busy, waits for the next start and does not delay the others.
 */
export async function finishDeletions(parts: DeletionParts, onError: (error: TuttiError) => void): Promise<void> {
  for (const erasure of await parts.artifacts.begun()) {
    await finish(parts, erasure).catch((thrown: unknown) => onError(toTuttiError(thrown)))
  }
}

async function erase(parts: DeletionParts, erasure: Erasure): Promise<void> {
  // A run without files is deleted in one transaction.
  if (erasure.files.length > 0) await parts.artifacts.begin(erasure)
  try {
    await finish(parts, erasure)
  } catch (thrown) {
    const exists = await parts.store.run(erasure.runId).then(
      (run) => run !== undefined,
      () => false, // unknown, so the record stays
    )
    // Nothing was deleted; the caller decides whether to retry.
    if (exists) await parts.artifacts.end(erasure)
    throw thrown
  }
}

async function finish({ store, artifacts }: DeletionParts, erasure: Erasure): Promise<void> {
  const { owner, runId, files } = erasure
  const isErased = (await store.remove(owner, runId)) > 0
  // Another process may have been faster.
  const remaining = isErased ? undefined : await store.run(runId)
  if (remaining !== undefined) {
    await artifacts.end(erasure)
    throw notOver(remaining)
  }
  await artifacts.remove(owner, ...(await unusedOf(store, owner, files)))
  await artifacts.end(erasure)
}

async function familyOf(store: RunStore, first: RunRecord): Promise<readonly RunRecord[]> {
  const family = [first]
  for (const { runId } of family) family.push(...(await store.runs({ parentId: runId })))
  return family
}

/** The files that the logs of these runs refer to. Ids are digests, so a text that contains one refers to it. */
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

async function unusedOf(store: RunStore, owner: Owner, files: readonly string[]): Promise<readonly string[]> {
  if (files.length === 0) return []
  const used = await filesIn(store, files, await store.runs({ owner }))
  return files.filter((id) => !used.has(id))
}

function notOver({ runId, status }: RunRecord): TuttiError {
  return new TuttiError('RunConflict', `Run ${runId} is ${status}; cancel it before you delete it.`)
}
