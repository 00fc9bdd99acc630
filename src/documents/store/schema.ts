import { TuttiError } from '../../domain/errors.ts'
import type { Sql } from './sql.ts'

type Migration = (dialect: Sql['dialect']) => readonly string[]

/**
 * In order; the index is the version. Never change a released migration, add another one. This also applies to text
 * analysis, since postings are removed by analysing the text again, which must return the same terms.
 */
const MIGRATIONS: readonly Migration[] = [createTables, guardReaders, addDescriptions, addPageStarts]

export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * The statements that migrate a store from a version; 0 is an empty store.
 * @throws TuttiError `StorageError` if a newer Tutti wrote it
 */
export function migrationsFrom(version: number, dialect: Sql['dialect'], migrations = MIGRATIONS): readonly string[] {
  if (version <= migrations.length) return migrations.slice(version).flatMap((migration) => migration(dialect))
  throw new TuttiError(
    'StorageError',
    `The document store has version ${version}; this version of Tutti supports versions up to ${migrations.length}. ` +
      'Use the newer version of Tutti, or delete the store and add the documents again.',
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
    `CREATE TABLE knowledge_codes (
       owner_id ${long} NOT NULL,
       block ${long} NOT NULL,
       data ${blob} NOT NULL,
       PRIMARY KEY (owner_id, block))`,
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

/**
 * Adds topics and claims: when a document may be claimed and how often it was. Rule-based descriptions end with the
 * document's size; those by a model are kept.
 */
function addDescriptions(dialect: Sql['dialect']): readonly string[] {
  const isSqlite = dialect === 'sqlite'
  const text = isSqlite ? 'TEXT' : 'text COLLATE "C"'
  const long = isSqlite ? 'INTEGER' : 'bigint'
  const add = (column: string): string => `ALTER TABLE knowledge_documents ADD COLUMN ${column}`
  return [
    add(`topics ${text} NOT NULL DEFAULT '[]'`),
    add(`described ${long} NOT NULL DEFAULT 0`),
    add(`describe_at ${long} NOT NULL DEFAULT 0`),
    add(`describe_tries ${long} NOT NULL DEFAULT 0`),
    `UPDATE knowledge_documents SET described = 1 WHERE description NOT LIKE '%bout % characters.'`,
    `CREATE INDEX knowledge_documents_undescribed ON knowledge_documents (describe_at) WHERE described = 0`,
  ]
}

/** Adds the starts of further pages of a passage. They are unknown for existing passages. */
function addPageStarts(dialect: Sql['dialect']): readonly string[] {
  return [`ALTER TABLE knowledge_chunks ADD COLUMN page_starts ${dialect === 'sqlite' ? 'TEXT' : 'text'}`]
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
