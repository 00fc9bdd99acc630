import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { ownData } from '../../domain/provenance.ts'
import type { Source } from '../../domain/result.ts'
import { defineTool, loopTool, type LoopTool } from '../../domain/tool.ts'
import type { DatabaseSchema, TableSchema } from '../../databases/schema.ts'
import { withJoins } from '../../databases/glossary/apply-terms.ts'
import { fullName } from '../../databases/glossary/tables.ts'
import { databaseLabels, type Databases } from './databases.ts'
import { tableText } from './instructions.ts'
import type { Database } from './open.ts'
import type { TableProfile } from './profile.ts'
import { nearestNames } from './similar-names.ts'

interface TableOutput {
  readonly database: string
  readonly text: string
  readonly sources: readonly Source[]
}

/** The tool that shows the columns of a table. @param profileOf reads sizes and values of the table */
export function describeTableTool(
  databases: Databases,
  profileOf: (database: Database, table: TableSchema) => Promise<TableProfile | undefined>,
): LoopTool {
  return loopTool(
    defineTool({
      name: 'describe_table',
      description: 'Shows the columns of a table, its size and stored values.',
      effect: 'read',
      reach: 'inside', // only sends names that the database itself listed
      input: databases.input({ table: z.string().min(1) }),
      provenance: ({ database }: TableOutput) => databaseLabels(databases.named(database).source),
      errorProvenance: ownData(),
      run: async ({ database: name, table }): Promise<TableOutput> => {
        const database = databases.named(name)
        const { source } = database
        const sources = [{ kind: 'database' as const, name: source.name, detail: `table ${table}` }]
        const found = tableNamed(withJoins(database.schema, database.terms), table)
        const profile = await profileOf(database, found)
        return { database: source.name, text: tableText(found, database.terms, profile), sources }
      },
    }),
    { kind: 'database', name: databases.title },
  )
}

/** @throws TuttiError `ToolError` with the names most like it */
export function tableNamed({ tables }: DatabaseSchema, name: string): TableSchema {
  const found = tables.find((table) =>
    [fullName(table), table.name].some((one) => one.toLowerCase() === name.toLowerCase()),
  )
  if (found !== undefined) return found
  const near = nearestNames(name, tables.map(fullName))
  const names = near.length > 0 ? near : tables.map(fullName).slice(0, 50)
  throw new TuttiError('ToolError', `There is no table "${name}". Nearest names: ${names.join(', ')}.`)
}
