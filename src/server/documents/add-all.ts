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
  readonly error?: string
}

/** Adds files one after the other; one that cannot be read does not stop the others. */
export async function addAll(ingest: Knowledge['ingest'], owner: Owner, files: readonly SentFile[]): Promise<Added[]> {
  const added: Added[] = []
  for (const { name, read } of files) {
    try {
      const { record, isNew } = await ingest.add(owner, { name, bytes: await read() })
      added.push({ name, status: isNew ? 'added' : 'unchanged', document: record })
    } catch (thrown) {
      if (!TuttiError.is(thrown, 'DocumentError')) throw thrown
      added.push({ name, status: 'failed', error: thrown.message })
    }
  }
  return added
}
