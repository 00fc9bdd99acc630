import type { ArtifactStore } from '../domain/artifacts.ts'
import { toTuttiError } from '../domain/errors.ts'
import { finishDeletions } from '../engine/run/delete-run.ts'
import type { AppParts } from './app-parts.ts'
import { withRunDocuments } from './run-documents.ts'

/** The files of runs, with the documents that were named for them. Deletions that a crash interrupted are finished first. */
export async function openArtifacts({
  options: { clock, onError },
  storage: { store },
  knowledge,
}: Pick<AppParts, 'options' | 'storage' | 'knowledge'>): Promise<ArtifactStore> {
  const artifacts = withRunDocuments(store.artifacts, knowledge.ofRuns.collections, clock)
  const deletions = finishDeletions({ store, artifacts }, onError)
  await deletions.catch((thrown: unknown) => onError(toTuttiError(thrown)))
  return artifacts
}
