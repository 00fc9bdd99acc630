import type { ActorContext } from '../../domain/actor.ts'
import type { Toolkit } from '../../domain/tool.ts'
import { fullName } from '../../databases/glossary/tables.ts'
import { databasesOf } from './databases.ts'
import { describeTableTool } from './describe-table.ts'
import { findValuesTool } from './find-values.ts'
import { hasShownSchema, sqlInstructions, verifiedQueries } from './instructions.ts'
import { remarksOn, type Database, type DescribedDatabase, type OpenedDatabases } from './open.ts'
import type { TableProfile, TableProfiles } from './profile.ts'
import { queryTool } from './query.ts'

export interface SqlToolkitOptions {
  /** Profiles of each database's tables, by database name. */
  readonly profiles: ReadonlyMap<string, TableProfiles>
  /** Maximum number of consecutive turns whose queries all fail or are blocked. */
  readonly maxAttempts: number
}

/** A schema with more tables has no room for values. */
const MAX_PROFILED_TABLES = 60

/** Tools and instructions over databases, for one job. */
export async function sqlToolkit(
  ctx: ActorContext,
  opened: OpenedDatabases,
  { profiles, maxAttempts }: SqlToolkitOptions,
): Promise<Toolkit> {
  const shown = opened.databases.filter(hasShownSchema)
  const profilesOf = async (database: DescribedDatabase): Promise<ReadonlyMap<string, TableProfile>> => {
    const { source, schema } = database
    return schema.tables.length > MAX_PROFILED_TABLES ? new Map() : profiles.get(source.name)!.of(schema)
  }
  const read = new Map(await Promise.all(shown.map(async (one) => [one, await profilesOf(one)] as const)))
  const databases = databasesOf(opened.databases)
  const known = ({ source }: Database, table: string) => profiles.get(source.name)?.known([table]).get(table)
  const { instructions, isWhole } = sqlInstructions(opened, (database) => read.get(database)!)
  const describeTable = describeTableTool(databases, async ({ source, schema }, table) => {
    if (!source.trusted) return undefined
    return (await profiles.get(source.name)!.of(schema, [table])).get(fullName(table))
  })
  const tools = [
    ...(isWhole ? [] : [describeTable]),
    findValuesTool(databases),
    queryTool(ctx, databases, maxAttempts, (database, table) => known(database, table)?.rows),
  ]
  return {
    instructions,
    aboutQuestion: verifiedQueries(opened, ctx.request.question),
    tools: opened.databases.length === 0 ? [] : tools,
    lacking: remarksOn(opened),
    // Row counts, date ranges and short values are in the instructions.
    ...(shown.length === 0 ? {} : { provenance: { author: 'user', private: true, sources: [] } }),
  }
}
