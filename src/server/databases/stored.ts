import { AdminAccessAudit } from '../admin-access-audit.ts'
import type { Resource } from '../context.ts'
import { findTable, rowsQuery, parseSelection, selectionQuery, rowsSchema, tableItem, tablesSchema } from './rows.ts'
import { clientAbortSignal } from '../sse.ts'

/** Tutti's own tables, read-only. The audit log records who read which. */
export const storedTables: Resource = async (routes, { app: { storedTables: stored, people }, clock, closing }) => {
  const accessAudit = new AdminAccessAudit(people, clock, 'read stored table')
  routes.get(
    '/storage/tables',
    { access: 'admin', summary: "Tutti's own tables, with the columns that admins may see", response: tablesSchema },
    async (_request, reply) => {
      const { dialect, tables } = await stored.schema(clientAbortSignal(reply, closing))
      return { dialect, items: tables.map(tableItem) }
    },
  )
  routes.get(
    '/storage/tables/:table/rows',
    { access: 'admin', summary: "Rows of one of Tutti's own tables", query: selectionQuery, response: rowsSchema },
    async ({ caller, params, query }, reply) => {
      const aborted = clientAbortSignal(reply, closing)
      const schema = await stored.schema(aborted)
      const table = findTable(schema, params.table)
      await accessAudit.note(caller.userId, table.name)
      const look = parseSelection(query)
      const filters = look.filters!.map((filter) => stored.storedFilter(filter, table))
      const sql = rowsQuery(schema, table, { ...look, filters })
      const { columns, data } = await stored.read(sql, table, aborted)
      return { sql, columns, rows: data.slice(0, query.limit), hasMore: data.length > query.limit }
    },
  )
}
