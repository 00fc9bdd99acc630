import { TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/events.ts'
import { isFinal, type RunRecord, type RunStore } from '../domain/store.ts'
import type { Engine } from '../engine/engine.ts'
import { eraseOwnedRows } from '../storage/owned-rows.ts'
import type { AppParts } from './app-parts.ts'
import type { OpenLimits } from './limits.ts'

export interface ErasureParts extends Pick<AppParts, 'people' | 'artifacts' | 'knowledge' | 'storage'> {
  readonly engine: Pick<Engine, 'cancel' | 'outcome'>
  readonly limits: Pick<OpenLimits, 'finishCounting'>
}

/** How long to wait for calls in progress, which are not interrupted. */
const TIMEOUT_MS = 60_000

/**
 * Erases a user with all their data: runs with their files, documents with their vectors, own collections,
 * conversations, memory, skills, teams, keys, sessions, limits and the account. The user is locked out first: from then
 * on the database rejects their writes, also of requests accepted earlier. The account is deleted last, so that an
 * interrupted erasure is completed by a repeated request.
 * @throws TuttiError `NotFound`; `InvalidRequest` for the last admin; `RunConflict` if a run does not end
 */
export async function erasePerson(parts: ErasureParts, by: string, userId: Owner): Promise<void> {
  const { people, storage } = parts
  await people.accounts.beginErasing(by, userId)
  await eraseRuns(parts, by, userId)
  await eraseDocuments(parts, userId)
  await parts.limits.finishCounting()
  await people.accounts.recordErasure(by, userId)
  await eraseOwnedRows(storage.sql, userId)
}

async function eraseRuns(parts: ErasureParts, by: string, owner: Owner): Promise<void> {
  const { engine, artifacts } = parts
  const { store } = parts.storage
  const open = (await store.runs({ owner })).filter(({ status }) => !isFinal(status))
  for (const { runId } of open) {
    await engine.cancel(runId, by).catch((thrown: unknown) => {
      if (!TuttiError.is(thrown, 'RunConflict') && !TuttiError.is(thrown, 'RunNotFound')) throw thrown
    })
  }
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  for (const { runId } of open) await engine.outcome(runId, timeout)
  for (const run of await store.runs({ owner })) await eraseRun(store, run)
  await artifacts.remove(owner, ...(await artifacts.list(owner)))
  for (const erasure of await artifacts.begun()) if (erasure.owner === owner) await artifacts.end(erasure)
}

/** Includes the nested runs. */
async function eraseRun(store: RunStore, { owner, runId }: RunRecord): Promise<void> {
  if ((await store.remove(owner, runId)) > 0 || (await store.run(runId)) === undefined) return
  throw new TuttiError(
    'RunConflict',
    `Run ${runId} has not ended yet; the account is disabled. Erase it again in a few minutes.`,
  )
}

async function eraseDocuments({ knowledge }: ErasureParts, owner: Owner): Promise<void> {
  await knowledge.shared.removeAllOf(owner)
  if (!knowledge.hasDocuments) return
  const { store } = knowledge
  for (const { documentId } of await store.documents(owner)) await store.remove(owner, documentId)
}
