import type { Kysely } from 'kysely'
import type { Compilable, Tables } from '../schema.ts'

/** Where the payload of an approval came from, and what the person told the agent. */
export function addApprovalDetails({ schema }: Kysely<Tables>): readonly Compilable[] {
  return [
    schema.alterTable('approvals').addColumn('provenance', 'text'),
    schema.alterTable('approvals').addColumn('instructions', 'text'),
  ]
}
