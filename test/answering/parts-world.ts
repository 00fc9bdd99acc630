import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'
import { official, rawServer, type McpWorld } from '../mcp/support.ts'

/** A small airline: its database, its documents, and servers of tools, one of which does not start. */

const SQL = `
CREATE TABLE passengers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE flights (id INTEGER PRIMARY KEY, destination TEXT NOT NULL, departure_date TEXT NOT NULL, seats INTEGER NOT NULL);
CREATE TABLE bookings (id INTEGER PRIMARY KEY, passenger_id INTEGER NOT NULL REFERENCES passengers(id),
  flight_id INTEGER NOT NULL REFERENCES flights(id), booked_on TEXT NOT NULL, status TEXT NOT NULL);
CREATE TABLE crew_members (id INTEGER PRIMARY KEY, name TEXT NOT NULL, base TEXT NOT NULL);
INSERT INTO passengers VALUES (1,'Ida Bruun','Bergen'),(2,'Tom Aske','Oslo'),(3,'Lea Voll','Bergen'),(4,'Per Dahl','Hamar'),(5,'Una Rist','Oslo');
INSERT INTO flights VALUES (1,'Tromso','2026-10-02',40),(2,'Bodo','2026-10-09',60),(3,'Tromso','2026-11-01',40);
INSERT INTO bookings VALUES (1,1,1,'2026-09-01','flown'),(2,2,1,'2026-09-03','refunded'),(3,3,2,'2026-09-10','flown'),
  (4,4,2,'2026-09-11','cancelled'),(5,5,3,'2026-10-01','booked'),(6,1,3,'2026-10-05','refunded'),(7,2,3,'2026-10-06','booked');
INSERT INTO crew_members VALUES (1,'Kari Moe','Oslo'),(2,'Nils Berg','Bergen'),(3,'Eva Lund','Oslo');
`

export const TEXTS: Readonly<Record<string, string>> = {
  'employment.md': `# Employment terms

## Probation

Probation lasts six months. During probation the notice period is two weeks.

## Notice

After probation the notice period is three months. Notice must be given in writing.

## Uniforms

Each crew member receives three uniforms a year. The company pays for cleaning.
`,
  'claims.md': `# Claims and refunds

Claims must be handed in by 31 March of the following year. A refund of a passenger takes ten working days.
A passenger who pays by invoice has paid once the amount has arrived. Cancelled bookings are charged a fee of 40 euros.
`,
  'board-minutes.md': `# Minutes of the board

The board meeting on 12 June 2026 took place in Oslo. It was chaired by Marte Holm. All captains are to be told of the new rest rules.
`,
  'tenancy.md': `# Tenancy of the hangar

The landlord has four weeks to repair the roof. The landlord pays for insurance.
Freight is limited to 50 pounds per parcel. Last year 14 parcels were lost.
`,
  'release-notes.md': `# Release notes of the booking system

Version 2 introduced seat maps. Version 2 was released in April 2025 and requires 8 GB of memory.
`,
  'log.md': `# Log of the desk

No orders came in. Last year it was 14 orders. The desk opens at 07:30.
`,
}

/** A server that has one tool: what is in stock of a product. */
const STOCK = rawServer(
  `(method, params) => method === 'tools/list'
    ? { tools: [tool('stock_level', { description: 'How much of a product is in stock', annotations: { readOnlyHint: true },
        inputSchema: { type: 'object', properties: { product: { type: 'string' } }, required: ['product'] } })] }
    : text('In stock of ' + params.arguments.product + ': 17')`,
)

/** Writes all of it into the world's folder, and gives the options to open it with. */
export async function writeAirline({ folder, servers }: McpWorld, isBroken = false) {
  const files = join(folder, 'files')
  const documents = join(folder, 'docs')
  await mkdir(files, { recursive: true })
  await mkdir(documents, { recursive: true })
  await writeFile(join(files, 'hello.txt'), 'Greetings from Bodo.')
  for (const [name, text] of Object.entries(TEXTS)) await writeFile(join(documents, name), text)
  const url = join(folder, 'air.sqlite')
  const database = new Database(url)
  database.exec(SQL)
  database.close()
  const node = (name: 'filesystem' | 'everything', ...args: string[]): object => ({
    command: process.execPath,
    args: [official(name), ...args],
    trustHints: true,
    reads: ['echo'],
  })
  const mcp = await servers({
    files: node('filesystem', files),
    everything: node('everything'),
    stock: { ...STOCK, reads: ['stock_level'] },
    ...(isBroken ? { broken: { command: process.execPath, args: ['-e', 'process.exit(3)'] } } : {}),
  })
  return { databases: [{ url: `sqlite:${url}` }], documents: [documents], mcpFiles: [mcp] }
}
