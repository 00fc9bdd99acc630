import type { DatabaseConfig } from './config/source-schemas.ts'
import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { readDatabaseUrl } from '../domain/server-url.ts'
import { TuttiError } from '../domain/errors.ts'
import { NO_TERMS, parseTerms, termsPathOf } from '../databases/glossary/terms.ts'
import { withinTables } from '../databases/glossary/select-terms.ts'
import type { SourceTerms, SqlSource } from '../agents/sql/source.ts'
import { createSqlSource } from './sql-source.ts'
import { openDatabase } from '../databases/database.ts'
import { DEMO_TERMS } from './demo-data.ts'
import { createSqlGuard } from '../databases/sql-guard/index.ts'
import { guardedTarget } from '../http/connect.ts'
import type { Settings } from './check-options.ts'
import { localeOf } from './config/schema.ts'
import { listedHosts } from './network.ts'
import { assertUniqueNames } from './strategies.ts'
import { secretsOf } from './secrets.ts'
import { absolutePath } from './addresses.ts'
import { openStoredTables } from './stored-tables.ts'
import { omitUndefined } from '../shared/json.ts'

/** The sources of the SQL agent: configured databases, and those named by hand. */
export function openDatabases(options: Settings) {
  const { config, databases: named = [], cwd, clock } = options
  const target = guardedTarget({ allowHosts: listedHosts(options) })
  const all = [...config.databases, ...named].map((entry: DatabaseConfig) => {
    const { url, name, role, schema, tables, allowSuperuser, extensions, serverCheck, publicOnly } = entry
    const database = openDatabase(absolutePath(url, cwd), {
      ...omitUndefined({ name, role }),
      ...(schema === undefined ? {} : { schemas: [schema].flat() }),
      ...omitUndefined({ tables, allowSuperuser, extensions, serverCheck, target: publicOnly ? target : undefined }),
      ...omitUndefined({ timeZone: localeOf(config).timeZone }),
    })
    return {
      database,
      entry,
      place: databasePath(absolutePath(url, cwd)),
      tables,
      terms: readOnce(() => readTerms(entry, cwd, config.databases.includes(entry))),
    }
  })
  // A database named by hand that is also configured is the same source, unless it has another name.
  const opened = all.filter(
    ({ entry, database, place }, i) =>
      i < config.databases.length ||
      !all.slice(0, i).some((one) => one.place === place && (!entry.name || one.database.name === database.name)),
  )
  assertUniqueNames(
    opened.map(({ database }) => database),
    [],
  )
  const guard = createSqlGuard()
  const sources = opened.map(({ database, tables: allowedTables, terms }): SqlSource => ({
    ...createSqlSource(database, guard, { allowedTables, clock }),
    terms,
  }))
  const stored = openStoredTables(options, secretsOf(options))
  return {
    sources,
    stored,
    async close(): Promise<void> {
      await Promise.allSettled([stored, ...opened.map(({ database }) => database)].map((one) => one.close()))
    },
  }
}

/** The same for every way to write one file. */
function databasePath(url: string): string {
  const address = readDatabaseUrl(url)
  if (address.kind !== 'sqlite') return url
  try {
    return realpathSync(address.path)
  } catch {
    return address.path
  }
}

/**
 * Reads the configured file of terms, or else the one next to a SQLite file. A file next to a database may come from a
 * third party together with the database, so it is used only for configured databases and for the demo's own.
 */
async function readTerms(
  { url, terms, tables }: DatabaseConfig,
  cwd: string,
  isConfigured: boolean,
): Promise<SourceTerms> {
  const file =
    /^sqlite:(?:\/\/)?(.+)$/i.exec(absolutePath(url, cwd))?.[1] ?? (/^[a-z][a-z0-9+.-]+:/i.test(url) ? undefined : url)
  const path = terms === undefined ? file && termsPathOf(resolve(cwd, file)) : resolve(cwd, terms)
  if (path === undefined) return { terms: NO_TERMS }
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (terms === undefined && (!isConfigured || cause.code === 'ENOENT')) return undefined
    throw new TuttiError('ConfigurationError', `The terms in ${path} cannot be read: ${cause.message}.`, { cause })
  })
  if (text === undefined) return { terms: NO_TERMS }
  if (terms === undefined && !isConfigured && !(await isDemoTerms(text))) {
    const unused = `${basename(path)} beside the database is not used; name it as terms: in the configuration.`
    return { terms: NO_TERMS, unused }
  }
  const all = await parseTerms(text, path)
  const used = tables === undefined ? all : withinTables(all, tables)
  // The demo's own file is ignored once it is changed, so nothing is written into it.
  return isConfigured || terms !== undefined ? { terms: used, path } : { terms: used }
}

async function isDemoTerms(text: string): Promise<boolean> {
  return text === (await readFile(DEMO_TERMS, 'utf8').catch(() => undefined))
}

function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= read())
}
