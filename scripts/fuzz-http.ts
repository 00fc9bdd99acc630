import { fuzz } from '../test/server/fuzz/fuzz.ts'
import { createTestDatabase, startPostgres } from '../test/support/postgres.ts'

// `npm run fuzz:http -- [seed] [requests] [postgres]`: requests of all kinds, made from the server's own OpenAPI document, to a server
// of their own with accounts, which keeps its runs in a throw-away PostgreSQL when told to. Prints each answer that is not as it should be, and ends with 1 if there was one.

const [seed = Math.floor(Math.random() * 2 ** 31), count = 10_000] = process.argv.slice(2, 4).map(Number)
const kept = process.argv[4]
if (!Number.isInteger(seed) || !(count > 0) || ![undefined, 'postgres'].includes(kept)) {
  console.error('Usage: npm run fuzz:http -- [seed] [requests] [postgres]')
  process.exit(2)
}
const postgres = kept === undefined ? undefined : await startPostgres()
if (kept !== undefined && postgres === undefined) {
  console.error('There is no PostgreSQL on this machine; see test/support/postgres.ts for where it is looked for.')
  process.exit(2)
}
const env = postgres === undefined ? {} : { DATABASE_URL: await createTestDatabase(postgres.url) }

console.log(`Seed ${seed}, ${count} requests.`)
const { statuses, failures, done, never, holding, told } = await fuzz(
  seed,
  count,
  (line) => console.log(line),
  env,
).finally(() => postgres?.stop())
for (const failure of failures) console.log(failure)
console.log('By status (0: ended without an answer):')
console.table(statuses)
console.log(`${done.length} operations did what they are for at least once; never: ${never.join(', ') || 'none'}`)
const mb = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
console.table(
  holding.map(({ heapBytes, externalBytes, residentBytes, handles }, i) => ({
    after: ['a tenth', 'half', 'all'][i],
    'heap, MB': mb(heapBytes),
    'outside of it, MB': mb(externalBytes),
    'resident, MB': mb(residentBytes),
    'open files and sockets': handles,
  })),
)
if (told !== '') console.log(`What the server told its operator:\n${told}`)
process.exitCode = failures.length === 0 ? 0 : 1
