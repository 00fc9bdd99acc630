import type { Lease } from '../domain/store.ts'
import { connect } from './sql/postgres-pool.ts'
import { sql, type Query } from './sql/query.ts'
import { openSqlite } from './sqlite-connection.ts'

/** Where the leases are stored: a SQLite file or PostgreSQL. */
export type LeasePlace = { readonly file: string } | { readonly databaseUrl: string }

/** Renews one lease; returns no row for a run that was lost or released. */
export function renewal({ runId, epoch }: Lease, leaseUntil: number): Query {
  return sql`UPDATE runs SET lease_until = ${leaseUntil}
    WHERE run_id = ${runId} AND epoch = ${epoch} AND worker IS NOT NULL RETURNING run_id`
}

/** Opens a connection that only renews leases. Its errors are thrown by the function that it returns. */
export async function openLeaseConnection(
  place: LeasePlace,
): Promise<(leases: readonly Lease[], leaseUntil: number) => Promise<void>> {
  const connection =
    'file' in place
      ? await openSqlite(place.file)
      : await connect(place.databaseUrl, 1, 'tutti leases', () => undefined)
  return async (leases, leaseUntil) => {
    for (const lease of leases) await connection.all(renewal(lease, leaseUntil))
  }
}
