import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openKnowledgeStore } from '../../../src/documents/store/index.ts'
import type { KnowledgeStore } from '../../../src/documents/types.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A store in SQLite for the tests of a file. */
export function knowledgeStore(): KnowledgeStore {
  const store = openKnowledgeStore({ sqlitePath: join(temporaryFolder(), 'knowledge.db') })
  afterAll(() => store.close())
  return store
}
