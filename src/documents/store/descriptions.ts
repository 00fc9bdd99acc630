import { storableText } from '../../shared/plain-name.ts'
import type { DescriptionOutcome, Undescribed } from '../types.ts'
import { documentRecord, type DocumentRow } from './rows.ts'
import type { SqlDatabase } from './sql.ts'

/** Maximum number of attempts, which limits the cost of a failing document. */
const MAX_ATTEMPTS = 5

/** Lock for claiming, so that two processes get different documents. */
const LOCK = 'descriptions'

type ClaimableRow = DocumentRow & { readonly owner: string; readonly describe_tries: number }

/** See `KnowledgeStore.claimUndescribed`; an empty `owner` means any owner. */
export function claimUndescribed(
  database: SqlDatabase,
  owner: string,
  now: number,
  until: number,
): Promise<Undescribed | undefined> {
  return database.write(LOCK, async (sql) => {
    const [row] = await sql.all<ClaimableRow>(
      `SELECT d.*, o.owner FROM knowledge_documents d JOIN knowledge_owners o ON o.owner_id = d.owner_id
       WHERE d.described = 0 AND d.describe_at <= ? AND d.describe_tries < ? ${owner === '' ? '' : 'AND o.owner = ?'}
       ORDER BY d.describe_tries, d.added_at, d.document_id LIMIT 1`,
      [now, MAX_ATTEMPTS, ...(owner === '' ? [] : [owner])],
    )
    if (row === undefined) return undefined
    await sql.all(
      'UPDATE knowledge_documents SET describe_at = ?, describe_tries = describe_tries + 1 WHERE document_id = ?',
      [until, row.document_id],
    )
    const tries = Number(row.describe_tries) + 1
    return { owner: row.owner, record: documentRecord(row), tries, isLastTry: tries >= MAX_ATTEMPTS }
  })
}

/** See `KnowledgeStore.settleDescription`. A replaced document has another ID. */
export function settleDescription(
  database: SqlDatabase,
  owner: string,
  documentId: string,
  outcome: DescriptionOutcome,
): Promise<void> {
  return database.write(owner, async (sql) => {
    if ('description' in outcome) {
      await sql.all('UPDATE knowledge_documents SET description = ?, topics = ?, described = 1 WHERE document_id = ?', [
        storableText(outcome.description),
        JSON.stringify(outcome.topics.map(storableText)),
        documentId,
      ])
      return
    }
    const { again, isUntried = false, note } = outcome
    await sql.all(
      'UPDATE knowledge_documents SET describe_at = ?, describe_tries = describe_tries - ? WHERE document_id = ?',
      [again, isUntried ? 1 : 0, documentId],
    )
    if (note === undefined) return
    const [row] = await sql.all<DocumentRow>('SELECT * FROM knowledge_documents WHERE document_id = ?', [documentId])
    if (row === undefined) return
    const notes = [...(JSON.parse(row.notes) as string[]), storableText(note)]
    await sql.all('UPDATE knowledge_documents SET notes = ? WHERE document_id = ?', [JSON.stringify(notes), documentId])
  })
}
