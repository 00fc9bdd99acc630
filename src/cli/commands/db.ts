import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { App } from '../../app/user-app.ts'
import { describeTerms, type SqlSource } from '../../agents/sql/source.ts'
import { TuttiError } from '../../domain/errors.ts'
import { printTerms } from '../../databases/glossary/draft.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import type { NamedDatabase } from '../option-values.ts'
import { printList } from '../render/table.ts'
import { safeLine, safeText } from '../render/text.ts'
import { textArgument } from '../stdin.ts'
import { argument, option, JSON_OPTION, DATABASE_OPTION } from '../shared-options.ts'

export function addDb({ root, cli, command }: Program): void {
  const db = root.command('db').description('inspect databases, check queries, draft business terms')
  command(
    db,
    'check',
    'check whether a query is allowed',
    argument('[sql...]', 'the query; - reads standard input'),
    DATABASE_OPTION,
    JSON_OPTION,
  ).run((words: string[], options: DbOptions) => checkSql(cli, words, options))
  command(db, 'tables', 'list tables and columns', DATABASE_OPTION, JSON_OPTION).run((options: DbOptions) =>
    listTables(cli, options),
  )
  command(
    db,
    'describe',
    'draft business terms for a database from its schema',
    DATABASE_OPTION,
    option('--to <file>', 'new file to write; prints to standard output by default'),
  ).run((options: DescribeOptions) => describe(cli, options))
}

interface DescribeOptions {
  readonly db?: readonly NamedDatabase[]
  readonly to?: string
}

/** `tutti db describe`: creates a file of terms to start from. */
async function describe(cli: Cli, { db: databases = [], to }: DescribeOptions): Promise<void> {
  return withApp(cli, { databases, inMemory: true }, async (app) => {
    const [source, ...others] = sourcesOf(app)
    if (source === undefined || others.length > 0)
      throw new TuttiError('ConfigurationError', 'Several databases are named; describe one at a time, with --db.')
    const { signal } = new AbortController()
    const terms = await describeTerms(source, signal)
    const text = await printTerms(terms)
    if (to === undefined) return cli.out.write(`${safeText(text).trimEnd()}\n`)
    const path = resolve(cli.cwd, to)
    await writeFile(path, text, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EEXIST'
          ? 'exists already; choose another file with --to'
          : `cannot be written: ${cause.message}`
      throw new TuttiError('StorageError', `${path} ${why}.`, { cause })
    })
    cli.err.line(`Wrote ${path}. Correct it, and name it as “terms” of the database in tutti.config.yaml.`)
  })
}

interface DbOptions {
  readonly db?: readonly NamedDatabase[]
  readonly json?: boolean
}

/** `tutti db check`: whether a query is allowed on each database, and why not. The query is not run. */
async function checkSql(
  cli: Cli,
  words: readonly string[],
  { db: databases = [], json }: DbOptions,
): Promise<ExitCode> {
  const sql = await textArgument(cli, words, 'query', `tutti db check "SELECT …" --db sqlite:shop.db`)
  return withApp(cli, { databases, inMemory: true }, async (app) => {
    const { signal } = new AbortController()
    const checks = await Promise.all(
      sourcesOf(app).map(async (source) => ({ database: source.name, ...(await source.check(sql, signal)) })),
    )
    if (json === true) printJson(cli, { allowed: checks.every((check) => check.allowed), checks })
    else for (const check of checks) printCheck(cli, check)
    return checks.every((check) => check.allowed) ? EXIT.ok : EXIT.failed
  })
}

type Check = Awaited<ReturnType<SqlSource['check']>> & { readonly database: string }

function printCheck(cli: Cli, check: Check): void {
  const { out } = cli
  if (!check.allowed) return out.line(`${check.database}: ${out.style.red('refused')}: ${safeLine(check.reason)}`)
  out.line(`${check.database}: ${out.style.green('allowed')}`)
  out.line(`  tables: ${safeLine(check.tables.join(', ')) || 'none'}`)
  out.line(`  functions: ${safeLine(check.functions.join(', ')) || 'none'}`)
}

/** `tutti db tables`: lists the tables that questions can be about. */
async function listTables(cli: Cli, { db: databases = [], json }: DbOptions): Promise<void> {
  return withApp(cli, { databases, inMemory: true }, async (app) => {
    const { signal } = new AbortController()
    const schemas = await Promise.all(
      sourcesOf(app).map(async (source) => ({ database: source.name, schema: await source.schema(signal) })),
    )
    if (json === true) printJson(cli, { databases: schemas })
    else for (const { database, schema } of schemas) printSchema(cli, database, schema)
  })
}

function printSchema(cli: Cli, database: string, schema: Awaited<ReturnType<SqlSource['schema']>>): void {
  const { out } = cli
  out.line(out.style.bold(database))
  const rows = schema.tables.map(({ name, columns }) => ({
    table: name,
    columns: columns.map((column) => column.name).join(', '),
  }))
  printList(out, ['table', 'columns'], rows)
}

/** @throws TuttiError `ConfigurationError` when there is no database */
function sourcesOf(app: App): readonly SqlSource[] {
  if (app.databases.length > 0) return app.databases
  throw new TuttiError(
    'ConfigurationError',
    'No database is named. Use --db, such as --db sqlite:shop.db, or name one in tutti.config.yaml.',
  )
}
