/**
 * `npm run eval:expect`: writes what is expected of the cases in `evals/` whose reference is a query, by running that query;
 * without the database of a case its line stays as it is.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'
import type { CaseInput } from '../src/evaluation/cases.ts'
import { makeDatabases } from './databases.ts'

type Line = Omit<CaseInput, 'expect'> & { expect?: unknown }

/** What a query says is right: a number, words beside those that are there, or rows. */
function expectedBy(
  db: Database.Database,
  sql: string,
  { contains }: Record<string, unknown>,
): Record<string, unknown> {
  const rows = db.prepare(sql).raw(true).all([]) as (string | number | null)[][]
  const cells = rows.map((row) =>
    row.map((value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value)),
  )
  const [first = []] = cells
  if (cells.length === 1 && first.every((value) => typeof value === 'number')) return { number: first }
  if (cells.length === 1 && first.length === 1 && first[0] !== null) {
    return { contains: [...new Set([contains ?? [], first[0]].flat())] }
  }
  return { table: cells }
}

/** The line of a case with what its queries give, one for each reading; what else is expected of it stays. */
export function withExpected(line: Line, open: (url: string) => Database.Database | undefined): Line {
  const [url] = [line.db ?? []].flat()
  const queries = [line.reference ?? []].flat()
  const db = line.turns !== undefined || url === undefined || !queries.some(isQuery) ? undefined : open(url)
  if (db === undefined) return line
  const given = [line.expect ?? []].flat() as Record<string, unknown>[]
  const readings = queries.map((sql, i) => {
    const { number: _number, table: _table, ...rest } = given[i] ?? {}
    return isQuery(sql) ? { ...rest, ...expectedBy(db, sql, rest) } : rest
  })
  return { ...line, expect: readings.length === 1 ? readings[0] : readings }
}

function isQuery(reference: string): boolean {
  return /^(?:SELECT|WITH)\b/.test(reference)
}

if (process.argv[1] === import.meta.filename) {
  const folder = import.meta.dirname
  await makeDatabases()
  const open = (url: string): Database.Database | undefined => {
    try {
      return new Database(url.replace(/^sqlite:/, ''), { fileMustExist: true } as Database.Options)
    } catch {
      return undefined
    }
  }
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.jsonl'))) {
    const file = join(folder, name)
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    const written = lines.map((line) => JSON.stringify(withExpected(JSON.parse(line) as Line, open)))
    await writeFile(file, `${written.join('\n')}\n`)
  }
}
