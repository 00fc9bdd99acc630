import { join } from 'node:path'
import { Uploads } from '../accounts/uploads.ts'
import type { ArtifactStore } from '../domain/artifacts.ts'
import { toTuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/events.ts'
import { MemoryArtifacts } from '../engine/memory-artifacts.ts'
import { finishDeletions } from '../engine/run/delete-run.ts'
import { DatabaseArtifacts } from '../storage/database-artifacts.ts'
import { FileArtifacts } from '../storage/file-artifacts.ts'
import type { Storage } from '../storage/index.ts'
import { isOwnerErased } from '../storage/owned-rows.ts'
import type { Checked } from './check-options.ts'
import type { AppParts } from './app-parts.ts'
import { guardFiles } from './owner-exists-guard.ts'
import { withRunDocuments } from './run-documents.ts'
import { folderOf } from './storage.ts'

/** Where files go that are too large for the logs of runs. */
export function openFiles(options: Checked, { sql }: Pick<Storage, 'sql'>): ArtifactStore {
  const folder = folderOf(options)
  if (folder !== undefined) return new FileArtifacts(join(folder, 'artifacts'))
  return options.storage?.databaseUrl === undefined ? new MemoryArtifacts() : new DatabaseArtifacts(sql)
}

/** The files of runs, with the documents that were named for them. Deletions that a crash interrupted are finished first. */
export async function openArtifacts(
  { options, storage, knowledge }: Pick<AppParts, 'options' | 'storage' | 'knowledge'>,
  files: ArtifactStore,
): Promise<Pick<AppParts, 'artifacts' | 'uploads'>> {
  const { clock, onTrouble } = options
  const isThere = async (owner: Owner): Promise<boolean> => !(await isOwnerErased(storage.sql, owner))
  const artifacts = withRunDocuments(guardFiles(files, isThere), knowledge.ofRuns.collections, clock)
  const deletions = finishDeletions({ store: storage.store, artifacts }, onTrouble)
  await deletions.catch((thrown: unknown) => onTrouble(toTuttiError(thrown)))
  return { artifacts, uploads: new Uploads(storage.sql, clock, artifacts) }
}
