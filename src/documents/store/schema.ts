import { TuttiError } from '../../domain/errors.ts'
import type { Sql } from './sql.ts'

/**
 * The version of the tables. Raise it with every change of them, and of text analysis, since postings are removed by
 * analysing the text again, which must return the same terms.
 */
export const SCHEMA_VERSION = 5

/**
 * The statements that bring a store to the current version: those that create the tables in an empty store, which has
 * version 0; none in a current store.
 * @throws TuttiError `StorageError` if another version of Tutti wrote it
 */
export function schemaStatements(version: number, dialect: Sql['dialect']): readonly string[] {
  if (version === SCHEMA_VERSION) return []
  if (version === 0) return [...createTables(dialect), ...guardReaders(dialect)]
  throw new TuttiError(
    'StorageError',
    `The document store has version ${version}; this version of Tutti supports version ${SCHEMA_VERSION}. ` +
      'Use the version of Tutti that wrote it, or delete the store and add the documents again.',
  )
}

/**
 * The tables, the same on both databases. Chunks have a number per owner, and keys start with the owner, so that the
 * rows of one owner are stored together. Postings are packed by term and range of chunks: one row per posting would
 * take ten times the space, and a common term would need one row read per chunk.
 */
function createTables(dialect: Sql['dialect']): readonly string[] {
  const isSqlite = dialect === 'sqlite'
  const blob = isSqlite ? 'BLOB' : 'bytea'
  const long = isSqlite ? 'INTEGER' : 'bigint'
  const identity = isSqlite ? 'INTEGER PRIMARY KEY' : 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'
  // Stores the rows in key order; PostgreSQL has no such tables.
  const clustered = isSqlite ? ' WITHOUT ROWID' : ''
  // Compare terms and paths by bytes, as SQLite does, in any database locale.
  const text = isSqlite ? 'TEXT' : 'text COLLATE "C"'
  return [
    `CREATE TABLE knowledge_owners (
       owner_id ${identity},
       owner ${text} NOT NULL UNIQUE,
       chunks ${long} NOT NULL DEFAULT 0,
       total_length ${long} NOT NULL DEFAULT 0,
       next_chunk ${long} NOT NULL DEFAULT 0,
       embedding_model ${text},
       embedding_size ${long})`,
    `CREATE TABLE knowledge_documents (
       document_id ${text} PRIMARY KEY,
       owner_id ${long} NOT NULL,
       identity ${text} NOT NULL,
       name ${text} NOT NULL,
       path ${text},
       type ${text} NOT NULL,
       hash ${text} NOT NULL,
       description ${text} NOT NULL,
       topics ${text} NOT NULL,
       bytes ${long} NOT NULL,
       pages ${long},
       date ${text},
       added_at ${long} NOT NULL,
       notes ${text} NOT NULL,
       length ${long} NOT NULL,
       first_chunk ${long} NOT NULL,
       chunks ${long} NOT NULL,
       embedded ${long} NOT NULL DEFAULT 0,
       UNIQUE (owner_id, identity))`,
    `CREATE UNIQUE INDEX knowledge_documents_by_chunk ON knowledge_documents (owner_id, first_chunk, document_id)`,
    `CREATE TABLE knowledge_texts (
       document_id ${text} NOT NULL,
       segment ${long} NOT NULL,
       from_char ${long} NOT NULL,
       text ${text} NOT NULL,
       PRIMARY KEY (document_id, segment))`,
    `CREATE TABLE knowledge_chunks (
       owner_id ${long} NOT NULL,
       chunk ${long} NOT NULL,
       document_id ${text} NOT NULL,
       ordinal ${long} NOT NULL,
       from_char ${long} NOT NULL,
       to_char ${long} NOT NULL,
       page ${long},
       page_starts ${text},
       section ${text},
       parent ${long},
       kind ${text} NOT NULL,
       tokens ${long} NOT NULL,
       PRIMARY KEY (owner_id, chunk))${clustered}`,
    `CREATE INDEX knowledge_chunks_by_section ON knowledge_chunks (owner_id, section, chunk)`,
    `CREATE TABLE knowledge_postings (
       owner_id ${long} NOT NULL,
       block ${long} NOT NULL,
       term ${text} NOT NULL,
       data ${blob} NOT NULL,
       PRIMARY KEY (owner_id, block, term))${clustered}`,
    `CREATE TABLE knowledge_lengths (
       owner_id ${long} NOT NULL,
       block ${long} NOT NULL,
       data ${blob} NOT NULL,
       PRIMARY KEY (owner_id, block))`,
    // A single number as key, see `vectorKey`: with other keys, SQLite would store long rows apart from them.
    `CREATE TABLE knowledge_vectors (
       vector_key ${isSqlite ? 'INTEGER' : 'bigint'} PRIMARY KEY,
       vector ${blob} NOT NULL)`,
  ]
}

/**
 * Second line of access control: a transaction that names its reader sees only rows this reader may read. For shared
 * collections, the policies of the table `collections` in the same database decide.
 */
function guardReaders(dialect: Sql['dialect']): readonly string[] {
  if (dialect === 'sqlite') return []
  const reader = "coalesce(current_setting('tutti.owner', true), '')"
  return [
    // The body is resolved at call time, so that table may be created later.
    `CREATE FUNCTION tutti_is_readable(whose text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
     BEGIN
       IF to_regclass('collections') IS NULL THEN RETURN false; END IF;
       RETURN EXISTS (SELECT 1 FROM collections c WHERE chr(31) || c.collection_id = whose);
     END $$`,
    `CREATE POLICY readable ON knowledge_owners USING (CASE
       WHEN ${reader} IN ('', split_part(owner, chr(31), 1)) THEN true
       WHEN starts_with(owner, chr(31)) THEN tutti_is_readable(owner)
       ELSE false END)`,
    `CREATE POLICY readable ON knowledge_documents USING (EXISTS
       (SELECT 1 FROM knowledge_owners o WHERE o.owner_id = knowledge_documents.owner_id))`,
    ...['knowledge_owners', 'knowledge_documents'].flatMap((table) => [
      `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
      `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
    ]),
  ]
}

/** Maximum number of chunks of an owner over time. Keys stay below 2^53 for two million owners. */
const MAX_CHUNKS = 2 ** 32

/** The key of a chunk's vector. The keys of one owner are contiguous, in the order of the chunks. */
export function vectorKey(ownerId: number, chunk: number): number {
  return ownerId * MAX_CHUNKS + chunk
}

/** `vectorKey` as SQL. */
export function vectorKeySql(owner: string, chunk: string): string {
  return `${owner} * ${MAX_CHUNKS} + ${chunk}`
}

export function ownerOfKey(key: number): number {
  return Math.floor(key / MAX_CHUNKS)
}

export function chunkOfKey(key: number): number {
  return key % MAX_CHUNKS
}
