import { TuttiError } from '../../domain/errors.ts'
import type { Sql } from './sql.ts'

type Migration = (dialect: Sql['dialect']) => readonly string[]

/**
 * In order; the place in the list is the version. Never change one that was released: add another, also when the analysis
 * of text changes, since postings are removed by analysing the text again, which must give the same terms as before.
 */
const MIGRATIONS: readonly Migration[] = [createTables, guardReaders, addDescriptions, addPageStarts]

export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * The statements that bring a store up to date, from the version that it has; 0 is an empty one.
 * @throws TuttiError `StorageError` when a newer Tutti wrote it
 */
export function migrationsFrom(version: number, dialect: Sql['dialect'], migrations = MIGRATIONS): readonly string[] {
  if (version <= migrations.length) return migrations.slice(version).flatMap((migration) => migration(dialect))
  throw new TuttiError(
    'StorageError',
    `The knowledge store has version ${version}, and this Tutti knows versions up to ${migrations.length}. ` +
      'Run the newer Tutti that wrote it, or remove the store and add the documents again.',
  )
}

/**
 * The tables, the same on both databases. Chunks carry a number that counts up per owner; keys begin with the owner, so
 * that one owner's rows lie together. Postings are packed by term and range of chunks: a row each would cost ten times
 * the space, and a common term a row per chunk to read.
 */
function createTables(dialect: Sql['dialect']): readonly string[] {
  const isSqlite = dialect === 'sqlite'
  const blob = isSqlite ? 'BLOB' : 'bytea'
  const long = isSqlite ? 'INTEGER' : 'bigint'
  const identity = isSqlite ? 'INTEGER PRIMARY KEY' : 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'
  // Keeps the rows in the order of the key; PostgreSQL has no such tables.
  const clustered = isSqlite ? ' WITHOUT ROWID' : ''
  // Terms and paths are compared by their bytes, as SQLite does, whatever the database's language.
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
    // One number as key, see `vectorKey`: tables without such a key would keep long rows apart from their keys.
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
 * Behind whoever decides what somebody may read: to a transaction that names its reader, what they may not is not there. Of
 * shared collections, table `collections` of the same database says who may, by policies of its own.
 */
function guardReaders(dialect: Sql['dialect']): readonly string[] {
  if (dialect === 'sqlite') return []
  const reader = "coalesce(current_setting('tutti.owner', true), '')"
  return [
    // Its body is read when it is called: that table may be made later.
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
 * Topics, and who is describing what: when it may be taken up and how often it was. Descriptions that rules made end with the
 * document's size; those that a model made stay.
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

/** Where the pages begin that a passage continues to. Of those that are kept already, nobody knows any more. */
function addPageStarts(dialect: Sql['dialect']): readonly string[] {
  return [`ALTER TABLE knowledge_chunks ADD COLUMN page_starts ${dialect === 'sqlite' ? 'TEXT' : 'text'}`]
}

/** Chunks that an owner may ever have had. Owner and chunk together stay below 2^53 for two million owners. */
const MOST_CHUNKS = 2 ** 32

/** The key of a chunk's vector: those of one owner lie together, in the order of the chunks. */
export function vectorKey(ownerId: number, chunk: number): number {
  return ownerId * MOST_CHUNKS + chunk
}

/** The same in a statement. */
export function vectorKeySql(owner: string, chunk: string): string {
  return `${owner} * ${MOST_CHUNKS} + ${chunk}`
}

export function ownerOfKey(key: number): number {
  return Math.floor(key / MOST_CHUNKS)
}

export function chunkOfKey(key: number): number {
  return key % MOST_CHUNKS
}
