import type { App } from '../../app.ts'
import { storedBytes } from '../../app/run-documents.ts'
import type { Caller } from '../../core/caller.ts'
import { TuttiError } from '../../core/errors.ts'
import type { Owner } from '../../core/owner.ts'
import type { Knowledge } from '../../knowledge/knowledge.ts'
import type { DocumentRecord } from '../../knowledge/types.ts'
import type { SentFile } from './take-in.ts'

export interface Added {
  readonly name: string
  readonly status: 'added' | 'unchanged' | 'failed'
  readonly document?: DocumentRecord
  /** Why it failed, and what to do. */
  readonly failure?: TuttiError
}

/** What keeps one file out, and not the others. */
const OF_ONE_FILE = ['DocumentError', 'LimitReached', 'TooLarge'] as const

/** Adds files for their owner one after the other, as far as there is room for what the caller stores; one that fails stops no other. */
export async function addAll(
  app: App,
  caller: Caller,
  { ingest, owner, files }: { ingest: Knowledge['ingest']; owner: Owner; files: readonly SentFile[] },
): Promise<Added[]> {
  const added: Added[] = []
  for (const { name, bytes, read } of files) {
    /** Bytes of the documents that stay when this one comes. */
    const besides = (): Promise<number> =>
      storedBytes(
        app.knowledge,
        caller.userId,
        (one, whose) => whose === owner && one.path === undefined && one.name === name,
      )
    try {
      const add = async () => ingest.add(owner, { name, bytes: await read() })
      const { record, isNew } = await app.people.quotas.storing(caller, bytes, besides, add)
      added.push({ name, status: isNew ? 'added' : 'unchanged', document: record })
    } catch (thrown) {
      if (!OF_ONE_FILE.some((code) => TuttiError.is(thrown, code))) throw thrown
      added.push({ name, status: 'failed', failure: thrown as TuttiError })
    }
  }
  return added
}
