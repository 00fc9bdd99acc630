import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  DEMO_ASSETS,
  DEMO_DOCUMENTS_NAME,
  DEMO_FILE_NAME,
  DEMO_FREIGHT_NAME,
  DEMO_MAILBOX_NAME,
  DEMO_TERMS,
  DEMO_TERMS_NAME,
} from './copy.ts'

/**
 * Files in a folder that block the demo because it did not write them, or not alone: a file instead of its database,
 * other documents, mails drafted or sent since.
 */
export async function foreignFiles(folder: string): Promise<readonly string[]> {
  const database = join(folder, DEMO_FILE_NAME)
  const documents = join(folder, DEMO_DOCUMENTS_NAME)
  const mailbox = join(folder, DEMO_MAILBOX_NAME)
  const terms = join(folder, DEMO_TERMS_NAME)
  const freight = join(folder, DEMO_FREIGHT_NAME)
  const names = await namesIn(folder)
  const isThere = names.includes(DEMO_FILE_NAME)
  const isOurs = isThere && (await hasTablesOf(DEMO_FILE_NAME, database))
  const isFreightOurs = !names.includes(DEMO_FREIGHT_NAME) || (await hasTablesOf(DEMO_FREIGHT_NAME, freight))
  const mails = await namesIn(mailbox, true)
  return [
    ...(isThere && !isOurs ? [database] : []),
    // The demo writes the three together.
    ...(!isOurs && (await namesIn(documents)).length > 0 ? [documents] : []),
    ...(mails.every((name) => name.includes('.brindlemoor:')) ? [] : [mailbox]),
    ...((await isAsShipped(terms)) ? [] : [terms]),
    ...(isFreightOurs ? [] : [freight]),
  ]
}

/** Names of the entries of a folder; with `deep`, of the files at any depth. Empty if the folder does not exist. */
async function namesIn(folder: string, deep = false): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: deep, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
      throw error
    },
  )
  return entries.filter((entry) => !deep || entry.isFile()).map((entry) => entry.name)
}

/** Terms that a user has corrected are kept. */
async function isAsShipped(path: string): Promise<boolean> {
  const there = await readFile(path, 'utf8').catch(() => undefined)
  return there === undefined || there === (await readFile(DEMO_TERMS, 'utf8'))
}

/** Whether the database at a path has the tables of an asset and no others. */
async function hasTablesOf(asset: string, path: string): Promise<boolean> {
  const { default: Database } = await import('libsql')
  const tables = (file: string): unknown => {
    const database = new Database(file, { readonly: true })
    try {
      return database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").raw().all([])
    } finally {
      database.close()
    }
  }
  const ours = tables(join(DEMO_ASSETS, asset))
  try {
    return JSON.stringify(tables(path)) === JSON.stringify(ours)
  } catch {
    return false // no database at all
  }
}
