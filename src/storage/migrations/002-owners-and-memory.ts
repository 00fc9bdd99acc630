import type { Kysely } from 'kysely'
import { LOCAL_OWNER } from '../../core/owner.ts'
import type { Compilable, Dialect, Tables } from '../schema.ts'

/** What runs and approvals were before there were owners belongs to the one user of the machine. */
export function addOwners(db: Kysely<Tables>, _dialect: Dialect): readonly Compilable[] {
  const { schema } = db
  const addOwner = (table: 'runs' | 'approvals'): Compilable =>
    schema.alterTable(table).addColumn('owner', 'text', (column) => column.notNull().defaultTo(LOCAL_OWNER))
  return [
    addOwner('runs'),
    addOwner('approvals'),
    schema.createIndex('runs_by_owner').on('runs').columns(['owner', 'created_at', 'run_id']),
    schema.createIndex('approvals_by_owner').on('approvals').columns(['owner', 'status', 'requested_at']),
  ]
}
