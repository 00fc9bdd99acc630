/**
 * `npm run demo`: generates the databases in `assets/demo/`, which the package ships, and writes the demo business into `demo/` as `tutti demo` does, with scripts for PostgreSQL and MySQL.
 */
import { rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { demoCommands, demoPaperCommands } from '../src/cli/commands/demo.ts'
import {
  createDemoDatabase,
  DEMO_ASSETS,
  DEMO_FILE_NAME,
  DEMO_FREIGHT_NAME,
  writeDemoPapers,
} from '../src/app/demo-data.ts'
import { writeDatabase } from './demo/database.ts'
import { writeFreight } from './demo/freight.ts'
import { demoScript } from './demo/script.ts'

for (const [name, write] of [
  [DEMO_FILE_NAME, writeDatabase],
  [DEMO_FREIGHT_NAME, writeFreight],
] as const) {
  await rm(join(DEMO_ASSETS, name), { force: true })
  write(join(DEMO_ASSETS, name))
}
console.log(`Generated ${DEMO_ASSETS}`)

const folder = join(import.meta.dirname, '..', 'demo')
const sqlite = join(folder, DEMO_FILE_NAME)

await createDemoDatabase(sqlite)
console.log(`Wrote ${sqlite}`)
for (const dialect of ['postgres', 'mysql'] as const) {
  const path = join(folder, DEMO_FILE_NAME.replace('.sqlite', `.${dialect}.sql`))
  await writeFile(path, demoScript(dialect))
  console.log(`Wrote ${path}`)
}
const { documents, mailbox } = await writeDemoPapers(folder)
for (const path of [documents, mailbox]) console.log(`Wrote ${path}`)

// As they are typed in the folder of the clone.
const shown = (path: string): string => relative(join(import.meta.dirname, '..'), path)
const papers = { documents: shown(documents), mailbox: shown(mailbox) }
console.log('\nTry:')
for (const command of [...demoCommands(shown(sqlite)), ...demoPaperCommands(papers, shown(sqlite))])
  console.log(command.replace(/^tutti/, 'npx tutti'))
