import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { makeDatabases } from '../../evals/databases.ts'
import { openDatabase } from '../../src/databases/database.ts'
import type { DatabaseSchema } from '../../src/databases/schema.ts'
import { draftTerms } from '../../src/terms/draft.ts'
import { lookupIn } from '../../src/terms/sqlite.fixture.ts'
import { NO_TERMS, parseTerms, termsPathOf, type Terms } from '../../src/terms/terms.ts'
import { CLINIC } from './unseen/clinic.ts'
import { LETTING } from './unseen/letting.ts'
import { LIBRARY } from './unseen/library.ts'
import { PROJECTS } from './unseen/projects.ts'

/** A database, what its users mean, and questions with each query that is right. */
export interface Paired {
  readonly name: string
  readonly db: Database.Database
  readonly schema: DatabaseSchema
  readonly terms: Terms
  readonly pairs: readonly { readonly question: string; readonly today: string; readonly right: readonly string[] }[]
}

const SETS = join(import.meta.dirname, '..', '..', 'evals')

/** The databases of the evaluation, made in a folder, and those that the rules were not made on. */
export async function pairedDatabases(folder: string): Promise<Paired[]> {
  await makeDatabases(folder)
  const chinook = join(SETS, '.data', 'chinook.sqlite')
  const all: Paired[] = []
  for (const name of ['demo', 'gym', 'hire', ...(existsSync(chinook) ? ['chinook'] : [])]) {
    const path = name === 'chinook' ? chinook : join(folder, `${name}.sqlite`)
    const db = new Database(path, { readonly: true })
    const written = termsPathOf(path)
    const terms = existsSync(written) ? await parseTerms(await readFile(written, 'utf8'), written) : NO_TERMS
    const lines = (await readFile(join(SETS, `${name}.jsonl`), 'utf8')).trim().split('\n')
    const cases = lines.map((line) => JSON.parse(line) as Case)
    const pairs = cases.map(({ question, reference, context }) => ({
      question,
      today: context?.current_date ?? '2026-06-01',
      right: [reference].flat(),
    }))
    all.push({ name, db, schema: await schemaOf(path), terms, pairs: pairs.filter(isPair) })
  }
  for (const { name, sql, questions } of [CLINIC, LETTING, LIBRARY, PROJECTS]) {
    const path = join(folder, `${name}.sqlite`)
    const db = new Database(path)
    db.exec(sql)
    const schema = await schemaOf(path)
    const few = lookupIn(db).few
    const drafted = await draftTerms(schema, async (table, column) => few?.(table, column, 12))
    const pairs = questions.map(([question, right = '']) => ({ question, today: '2026-06-01', right: [right] }))
    all.push({ name, db, schema, terms: { ...NO_TERMS, ...drafted }, pairs: pairs.filter(isPair) })
  }
  return all
}

async function schemaOf(path: string): Promise<DatabaseSchema> {
  const database = openDatabase(path)
  try {
    return await database.schema()
  } finally {
    await database.close()
  }
}

interface Case {
  readonly question: string
  readonly reference: string | readonly string[]
  readonly context?: { readonly current_date?: string }
}

/** Rows that are named by what somebody saw in the data are no query that a model would write. */
function isPair({ right }: { right: readonly string[] }): boolean {
  return right.every((sql) => /^(?:SELECT|WITH)\b.*\bFROM\b/is.test(sql) && !/\bIN \(\d|\bUNION\b.*,\s*\d+$/.test(sql))
}
