import { join } from 'node:path'
import { openDatabase, type Database, type QueryOutput } from '../databases/database.ts'
import type { ColumnSchema, DatabaseSchema, ForeignKey, TableSchema } from '../databases/schema.ts'
import { createSecrets } from '../domain/secrets.ts'
import { TuttiError } from '../domain/errors.ts'
import { DATABASE_FILE } from '../storage/index.ts'
import type { Settings } from './check-options.ts'
import { KNOWLEDGE_FILE } from './knowledge.ts'
import { folderOf } from './storage.ts'

/**
 * Columns that admins can look at, by table. Everything else stays hidden: hashes, sealed values, logs with the state of providers,
 * and payloads, which the pages of runs and approvals show masked.
 */
const VISIBLE_COLUMNS: Readonly<Record<string, string>> = {
  users: 'user_id username display_name role is_disabled created_at',
  sessions: 'session_id user_id is_active from_where started_at last_used_at',
  conversations: 'owner conversation_id title turns created_at updated_at pinned_at',
  messages: 'owner conversation_id turn role content run_id created_at',
  conversation_summaries: 'owner conversation_id turns_covered summary_text run_id created_at',
  runs: 'owner run_id question strategy status parent_id created_at',
  agent_executions: 'owner run_id key actor status error started_at ended_at',
  approvals: 'owner run_id approval_id tool destination status scope requested_at expires_at decided_by decided_at',
  user_memory: 'owner field value source run_id updated_at',
  knowledge_owners: 'owner_id owner chunks embedding_model',
  knowledge_documents: 'owner_id document_id name type description bytes pages date chunks embedded added_at',
  collections: 'collection_id name owner created_at',
  skills: 'owner skill_id agent task outcome run_id created_at used_at',
  workflows: 'owner name version status is_shared current created_at',
  schedules: 'owner schedule_id timing next_at is_paused created_at',
  schedule_runs: 'owner schedule_id run_id due_at status tries failure',
  evaluations: 'owner evaluation_id status created_at ended_at',
  feedback: 'owner run_id thumb reason given_at',
  api_keys: 'key_id user_id name scopes created_at expires_at last_used_at',
  user_groups: 'group_id name created_at',
  group_members: 'group_id user_id added_by',
  source_grants: 'source grantee level',
  quotas: 'grantee measure period most',
  quota_use: 'grantee measure period used',
  run_usage: 'owner run_id model day calls input_tokens output_tokens cost',
  audit: 'id at changed_by action target',
}

/** Tables that a column refers to. The store declares no foreign keys, since rows are erased by owner. */
const REFERENCES: Readonly<Record<string, string>> = {
  owner: 'users.user_id',
  user_id: 'users.user_id',
  run_id: 'runs.run_id',
  conversation_id: 'conversations.conversation_id',
  group_id: 'user_groups.group_id',
  schedule_id: 'schedules.schedule_id',
  owner_id: 'knowledge_owners.owner_id',
}

/** The tables that Tutti keeps its own data in, for admins; read-only. */
export type StoredTables = ReturnType<typeof openStoredTables>

/** Opens the tables with connections of their own, on first use. @param secrets masked in every row */
export function openStoredTables(options: Settings, secrets: readonly string[]) {
  const folder = folderOf(options)
  const url = options.storage?.databaseUrl
  const files =
    folder === undefined ? [] : [DATABASE_FILE, KNOWLEDGE_FILE].map((file) => `sqlite:${join(folder, file)}`)
  const databases = (url === undefined ? files : [url]).map((one) => openDatabase(one, { allowSuperuser: true }))
  const mask = createSecrets(secrets)
  const homes = new Map<string, Database>()
  return {
    name: 'Tutti',
    /** @throws TuttiError `NotFound` where data is kept in memory only */
    async schema(signal: AbortSignal): Promise<DatabaseSchema> {
      if (databases.length === 0) throw new TuttiError('NotFound', 'Data is kept in memory, so there are no tables.')
      const found: TableSchema[] = []
      for (const database of databases) {
        // Without documents there is no file of them.
        const { tables } = await database.schema(signal).catch((thrown: unknown) => {
          if (database !== databases[0] && TuttiError.is(thrown, 'SourceNotFound')) return { tables: [] }
          throw thrown
        })
        for (const table of tables.filter(({ name }) => name in VISIBLE_COLUMNS)) {
          homes.set(table.name, database)
          found.push(visibleTable(table))
        }
      }
      const place = Object.keys(VISIBLE_COLUMNS)
      found.sort((one, other) => place.indexOf(one.name) - place.indexOf(other.name))
      return { name: 'Tutti', dialect: databases[0]!.dialect, tables: found }
    },
    /** A filter `column:how:value` with its day or time in the stored format. */
    storedFilter(filter: string, { columns }: TableSchema): string {
      const [column, how, ...value] = filter.split(':')
      const isStoredTime = columns.some(({ name, kind }) => name === column && isTime({ name, kind }))
      const time = isStoredTime ? Date.parse(value.join(':')) : Number.NaN
      return Number.isNaN(time) ? filter : `${column}:${how}:${time}`
    },
    /** Runs a query on one table of the schema. Known secrets in its rows are masked. */
    async read(sql: string, { name, columns }: TableSchema, signal: AbortSignal): Promise<QueryOutput> {
      const output = await homes.get(name)!.query(sql, { signal })
      const converters = columns.map((column) => (isTime(column) ? timeOf : (cell: unknown) => cell))
      return { ...output, data: mask.value(output.data.map((row) => row.map((cell, at) => converters[at]!(cell)))) }
    },
    close: async () => void (await Promise.allSettled(databases.map((database) => database.close()))),
  }
}

function visibleTable(table: TableSchema): TableSchema {
  const names = VISIBLE_COLUMNS[table.name]!.split(' ')
  const columns = names
    .flatMap((name) => table.columns.filter((column) => column.name === name))
    .map((column): ColumnSchema => (isTime(column) ? { ...column, holds: 'datetime' } : column))
  const foreignKeys = names.flatMap((name): ForeignKey[] => {
    const [to, column] = REFERENCES[name]?.split('.') ?? []
    return to === undefined || to === table.name ? [] : [{ columns: [name], table: to, referencedColumns: [column!] }]
  })
  return { ...table, columns, foreignKeys }
}

/** Times are stored as milliseconds since 1970. */
const isTime = ({ name, kind }: Pick<ColumnSchema, 'name' | 'kind'>): boolean =>
  kind === 'number' && /(?:^|_)at$/.test(name)

const timeOf = (cell: unknown): unknown => (cell === null ? null : new Date(Number(cell)).toISOString())
