import { parseArgs } from 'node:util'
import { soakServers } from '../test/durability/servers.ts'
import { startPostgres } from '../test/support/postgres.ts'

// `npm run soak:servers -- [--minutes 10] [--clients 6] [--seed n]`: two API processes and two workers on a PostgreSQL of its own,
// each killed in turn under load. Ends with 1 when a run is lost, a stream has a gap or a duplicate, or an approval is honoured twice.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '6' },
    seed: { type: 'string', default: '20261123' },
  },
})
const [minutes, clients, seed] = [Number(values.minutes), Number(values.clients), Number(values.seed)]
if (!(minutes > 0 && clients > 0 && Number.isSafeInteger(seed))) {
  console.error('Usage: npm run soak:servers -- [--minutes 10] [--clients 6] [--seed n]')
  process.exit(2)
}
const postgres = await startPostgres()
if (postgres === undefined) {
  console.error('This needs PostgreSQL (initdb in /usr/lib/postgresql, pg_config or PATH).')
  process.exit(2)
}
try {
  const settings = { ms: minutes * 60_000, killEveryMs: 8_000, clients, seed, say: console.log }
  const { faults, asked, ...tally } = await soakServers({ postgresUrl: postgres.url, ...settings })
  console.table({
    [`${minutes} minutes, seed ${seed}`]: { ...tally, 'asked again': asked.length, faults: faults.length },
  })
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await postgres.stop()
}
