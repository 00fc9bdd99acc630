import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'

/** Number of rows of each table in the SQLite files of a folder; with `word`, only rows that contain it. */
export async function rowsIn(folder: string, word?: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.db'))) {
    const database = new Database(join(folder, name), { timeout: 5_000 })
    try {
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all([]) as {
        name: string
      }[]
      for (const table of tables) {
        const rows =
          word === undefined ? undefined : (database.prepare(`SELECT * FROM "${table.name}"`).all([]) as object[])
        const [all] = database.prepare(`SELECT count(*) AS n FROM "${table.name}"`).all([]) as { n: number }[]
        const found = rows?.filter((row) => JSON.stringify(row).includes(word!)).length ?? all!.n
        if (word === undefined || found > 0) counts[`${name} ${table.name}`] = found
      }
    } finally {
      database.close()
    }
  }
  return counts
}
