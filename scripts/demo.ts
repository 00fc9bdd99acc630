/** `npm run demo`: writes the demo business into `demo/`: a SQLite file, scripts for PostgreSQL and MySQL, documents, mail. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDemoDatabase, DEMO_FILE_NAME } from '../src/demo/database.ts'
import { writeDemoPapers } from '../src/demo/papers.ts'
import { demoScript } from '../src/demo/script.ts'

const folder = join(import.meta.dirname, '..', 'demo')
const sqlite = join(folder, DEMO_FILE_NAME)

await createDemoDatabase(sqlite)
console.log(`Wrote ${sqlite}`)
for (const dialect of ['postgres', 'mysql'] as const) {
  const path = join(folder, DEMO_FILE_NAME.replace('.sqlite', `.${dialect}.sql`))
  await writeFile(path, demoScript(dialect))
  console.log(`Wrote ${path}`)
}
for (const path of Object.values(await writeDemoPapers(folder))) console.log(`Wrote ${path}`)
