import { createGate } from '../src/databases/sql-guard/index.ts'
import { compareGate } from '../test/fixtures/databases/sql-guard/oracle/compare.ts'
import { createWorld } from '../test/fixtures/databases/sql-guard/oracle/world.ts'
import { startPostgres } from '../test/support/postgres.ts'

// `npm run fuzz -- [seed] [minutes]`: holds the PostgreSQL gate against what a throw-away server resolves, for as long as wanted.
// Prints each query that passed and should not have, and ends with 1 if there was one.

const [seed = Math.floor(Math.random() * 2 ** 31), minutes = 10] = process.argv.slice(2).map(Number)
if (!Number.isInteger(seed) || !(minutes > 0)) {
  console.error('Usage: npm run fuzz -- [seed] [minutes]')
  process.exit(2)
}

const server = await startPostgres()
if (server === undefined) {
  console.error('No PostgreSQL is installed here; the fuzzer needs initdb, pg_ctl and postgres.')
  process.exit(2)
}
const gate = createGate()
try {
  const world = await createWorld(server.url)
  const end = Date.now() + minutes * 60_000
  let shown = 0
  let next = 0
  console.log(`Seed ${seed}, ${minutes} min.`)
  const { failures, refused, ...counts } = await compareGate(gate, world, seed, (done) => {
    for (; shown < done.failures.length; shown += 1) console.log(done.failures[shown])
    if (done.generated >= next) {
      next += 5000
      console.log(`${done.generated} queries, ${done.compared} compared, ${done.failures.length} wrong`)
    }
    return Date.now() >= end
  })
  await world.close()
  console.log(counts)
  for (const { sql, reason } of refused.slice(0, 5)) console.log('harmless, but refused:', reason, '\n  ', sql)
  process.exitCode = failures.length === 0 ? 0 : 1
} finally {
  await server.stop()
}
