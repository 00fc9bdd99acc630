import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import Database from 'libsql'
import { describeTerms } from '../src/agents/sql/source.ts'
import { openDatabase } from '../src/databases/database.ts'
import { createDemoDatabase, DEMO_TERMS } from '../src/app/demo-data.ts'
import { printTerms } from '../src/databases/glossary/draft.ts'
import { termsPathOf } from '../src/databases/glossary/terms.ts'

/** Where the databases of the cases are made. */
export const DATA = join(import.meta.dirname, '.data')

/** The public sample database, which is not part of the project: `Chinook_Sqlite.sqlite` of lerocha/chinook-database. */
export const CHINOOK = join(DATA, 'chinook.sqlite')

export const hasChinook = (): boolean => existsSync(CHINOOK)

/** Makes the databases of the cases anew. */
export async function makeDatabases(folder = DATA): Promise<void> {
  await mkdir(folder, { recursive: true })
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  for (const name of ['gym', 'hire']) {
    const path = join(folder, `${name}.sqlite`)
    await rm(path, { force: true })
    const db = new Database(path)
    db.exec(await readFile(join(import.meta.dirname, 'databases', `${name}.sql`), 'utf8'))
    db.close()
    await describe(path)
  }
  await copyFile(DEMO_TERMS, termsPathOf(join(folder, 'demo.sqlite')))
}

/**
 * A configuration that names the databases, beside the first of them: the terms beside one that is only named for a question do
 * not count. Undefined without databases.
 */
export async function writeConfig(urls: readonly string[], cwd: string): Promise<string | undefined> {
  const files = urls.map((url) => resolve(cwd, url.replace(/^sqlite:/, '')))
  if (files[0] === undefined) return undefined
  const name = files.map((file) => basename(file, '.sqlite')).join('-')
  const path = join(dirname(files[0]), `${name}.config.yaml`)
  // Cases that are opened side by side read it while another writes it: it is there as a whole, or as it was.
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, JSON.stringify({ databases: files.map((file) => ({ url: `sqlite:${file}` })) }))
  await rename(draft, path)
  return path
}

/** What `tutti db describe` writes, which nobody has corrected. */
async function describe(path: string): Promise<void> {
  const database = openDatabase(path)
  const source = {
    schema: () => database.schema(),
    query: async (sql: string) => ({ success: true, row_count: 0, ...(await database.query(sql)) }),
  }
  const terms = await describeTerms(source, new AbortController().signal)
  await database.close()
  if (terms !== undefined) await writeFile(termsPathOf(path), await printTerms(terms))
}
