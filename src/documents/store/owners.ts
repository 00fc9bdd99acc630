import { allIn, type Sql } from './sql.ts'

/** A row of `knowledge_owners`: counts of one owner. */
export interface OwnerRow {
  readonly owner_id: number
  readonly chunks: number
  readonly total_length: number
  readonly next_chunk: number
  readonly embedding_model: string | null
  readonly embedding_size: number | null
}

export async function findOwner(sql: Sql, owner: string): Promise<OwnerRow | undefined> {
  return (await findOwners(sql, [owner]))[0]
}

/** The existing ones among them. */
export async function findOwners(sql: Sql, owners: readonly string[]): Promise<readonly OwnerRow[]> {
  return allIn<OwnerRow>(
    sql,
    (marks) => `SELECT owner_id, chunks, total_length, next_chunk, embedding_model, embedding_size
       FROM knowledge_owners WHERE owner IN (${marks}) ORDER BY owner_id`,
    [...new Set(owners)],
  )
}

export async function findOrAddOwner(sql: Sql, owner: string): Promise<OwnerRow> {
  await sql.all('INSERT INTO knowledge_owners (owner) VALUES (?) ON CONFLICT (owner) DO NOTHING', [owner])
  return (await findOwner(sql, owner))!
}

/** Adds to the counts, or subtracts with negative numbers. */
export async function count(
  sql: Sql,
  ownerId: number,
  change: { readonly chunks: number; readonly length: number },
): Promise<void> {
  await sql.all('UPDATE knowledge_owners SET chunks = chunks + ?, total_length = total_length + ? WHERE owner_id = ?', [
    change.chunks,
    change.length,
    ownerId,
  ])
}

/** Deletes an owner without documents, including the name. */
export async function removeEmptyOwner(sql: Sql, ownerId: number): Promise<void> {
  await sql.all(
    `DELETE FROM knowledge_owners WHERE owner_id = ?
     AND NOT EXISTS (SELECT 1 FROM knowledge_documents d WHERE d.owner_id = knowledge_owners.owner_id)`,
    [ownerId],
  )
}
