import type { Kysely } from 'kysely'
import type { Compilable, Tables } from '../schema.ts'

/** What several events of a run hold and is too large to be kept by each of them. */
export function addValues({ schema }: Kysely<Tables>): readonly Compilable[] {
  return [
    schema
      .createTable('run_values')
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('data', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('run_values_pkey', ['run_id', 'hash']),
  ]
}
