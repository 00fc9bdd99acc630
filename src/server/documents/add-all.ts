import type { App } from '../../app/user-app.ts'
import { storedBytes } from '../../app/run-documents.ts'
import type { Caller } from '../../domain/caller.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Owner } from '../../domain/events.ts'
import type { Knowledge } from '../../documents/documents.ts'
import type { DocumentRecord } from '../../documents/types.ts'
import type { SentFile } from './upload.ts'

export interface Added {
  readonly name: string
  readonly status: 'added' | 'unchanged' | 'failed'
  readonly document?: DocumentRecord
  /** Why it failed, and what to do. */
  readonly failure?: TuttiError
}

interface Addition {
  readonly ingest: Knowledge['ingest']
  readonly owner: Owner
  readonly files: readonly SentFile[]
  /** User who sent the file; reading takes turns between users. */
  readonly by: Owner
}

/** Errors that concern one file and do not stop the others. */
const OF_ONE_FILE = ['DocumentError', 'LimitReached', 'TooLarge'] as const

/**
 * Adds files one after the other, within the storage quota of the consumer. A failure does not stop the others.
 * @param consumer user whose quota applies; without one there is no limit
 */
export async function addAll(
  app: App,
  consumer: Caller | undefined,
  { ingest, owner, files, by }: Addition,
): Promise<Added[]> {
  const added: Added[] = []
  const taken = files.flatMap(({ uploadId }) => uploadId ?? [])
  for (const { name, bytes, at } of files) {
    /** Bytes stored already, without a document that this one replaces, and including open uploads. */
    const otherBytes = (userId: Owner) => async (): Promise<number> => {
      const isReplaced = (one: DocumentRecord, documentOwner: Owner): boolean =>
        documentOwner === owner && one.path === undefined && one.name === name
      const stored = await storedBytes(app.knowledge, userId, isReplaced)
      return stored + (await app.uploads.pending(userId, taken))
    }
    try {
      const add = () => ingest.add(owner, { name, bytes: { at, length: bytes } }, { by })
      const { record, isNew } = await (consumer === undefined
        ? add()
        : app.people.quotas.storing(consumer, bytes, otherBytes(consumer.userId), add))
      added.push({ name, status: isNew ? 'added' : 'unchanged', document: record })
    } catch (thrown) {
      if (!OF_ONE_FILE.some((code) => TuttiError.is(thrown, code))) throw thrown
      added.push({ name, status: 'failed', failure: thrown as TuttiError })
    }
  }
  return added
}
