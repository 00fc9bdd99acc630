import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { openKnowledgeStore } from './index.ts'
import { documentOf } from './store.fixture.ts'

it('a document that an earlier version indexed with other terms is removed completely', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-knowledge-'))
  const sqlitePath = join(folder, 'knowledge.db')
  const store = openKnowledgeStore({ sqlitePath })
  try {
    const { record } = await store.put('user', documentOf('fees', ['a fee of EUR 15²']))
    expect(await store.lexical('user', '15', 10)).toHaveLength(1)
    expect(await store.lexical('user', '152', 10)).toEqual([])
    const db = new Database(sqlitePath)
    db.prepare("UPDATE knowledge_postings SET term = '152' WHERE term = '15'").run([])
    await store.remove('user', record.documentId)
    expect(db.prepare('SELECT term FROM knowledge_postings').all([])).toEqual([])
    db.close()
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
})
