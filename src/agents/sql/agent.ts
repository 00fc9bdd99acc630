import type { Toolkit } from '../../domain/tool.ts'
import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../domain/actor.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import { loopOutcome } from '../../tool-loop/outcome.ts'
import { runAgentLoop } from '../../tool-loop/agent-loop.ts'
import { withStandIn, type StandIn } from '../stand-in.ts'
import { attemptsIn, DEFAULT_MAX_ATTEMPTS, failedTurnsIn, failedAttempts } from './attempts.ts'
import { describeDatabases, type OpenedDatabases, remarksOn, type Database } from './open.ts'
import { TableProfiles, type TableProfile } from './profile.ts'
import type { SqlSource } from './source.ts'
import { createSqlTools, QUERY_TOOL, SCHEMA_TOOL, type SqlTools, databasesOf } from './databases.ts'
import { fullName } from '../../databases/glossary/tables.ts'
import { describeTableTool } from './describe-table.ts'
import { findValuesTool } from './find-values.ts'
import { sqlInstructions, verifiedQueries } from './instructions.ts'
import { queryTool } from './query.ts'

export interface SqlAgentOptions {
  /** A sentence for users who have no database. */
  readonly howToSetUp?: string | undefined
  /** The reason, put before `howToSetUp`. */
  readonly lack?: string | undefined
  readonly offline?: StandIn<SqlParts> | undefined
  /** Maximum number of consecutive turns whose queries all fail or are blocked; 4 by default. */
  readonly maxAttempts?: number | undefined
}

export interface SqlParts {
  readonly sources: readonly SqlSource[]
  readonly tools: SqlTools
}

/**
 * Answers questions from relational databases. The model reads schema, values and business terms in its instructions, and
 * checks, plans and runs queries with its tools.
 */
export function sqlAgent(sources: readonly SqlSource[], options: SqlAgentOptions = {}): Agent {
  const { lack = 'No database is configured.', maxAttempts = DEFAULT_MAX_ATTEMPTS } = options
  const { howToSetUp = 'Name one with the option databases, or in the configuration.' } = options
  const tools = createSqlTools(sources)
  const settings: SqlToolkitOptions = {
    profiles: new Map(sources.map((source) => [source.name, new TableProfiles(source)])),
    maxAttempts,
  }
  const open = (ctx: ActorContext): Promise<OpenedDatabases> => {
    const warn = (sentence: string): void => ctx.note('ERROR', sentence)
    return describeDatabases(sources, todayOf(ctx), (source) => source.schema(ctx.signal), warn)
  }
  const agent = defineAgent({
    name: 'sql',
    label: 'the database',
    description: 'Answers questions about the data in relational databases with read-only SQL.',
    capabilities: ['natural language to SQL', 'schema questions', 'aggregation, filters, joins, top lists'],
    useCases: ['figures, lists and rankings from business data', 'what tables and columns there are'],
    keywords: 'table tables list show top per group average sum count trend breakdown report'.split(' '),
    planning: { rank: 20, isDefault: true },
    typicalLatencyMs: 5_000,
    tools: [tools.schema, tools.query],
    limits: { timeoutMs: 180_000, retries: 1 },
    ...(sources.length === 0 ? { unavailable: `${lack} ${howToSetUp}` } : {}),
    toolkit: async (ctx) => sqlToolkit(ctx, await open(ctx), settings),
    holds: async (ctx) =>
      (await open(ctx)).databases
        .map(({ source: { name }, schema }) => `${name}: ${schema.tables.map((table) => table.name).join(', ')}`)
        .join('\n'),
    run: async (task, ctx) => answerWithModel(task, ctx, await open(ctx), settings),
  })
  return withStandIn(agent, options.offline, () => ({ sources, tools }))
}

/** The day of the question, `YYYY-MM-DD`. */
function todayOf(ctx: ActorContext): string {
  return String(ctx.request.context['current_date'])
}

async function answerWithModel(
  task: AgentTask,
  ctx: ActorContext,
  opened: OpenedDatabases,
  settings: SqlToolkitOptions,
): Promise<Outcome> {
  const { lacking = [], ...toolkit } = await sqlToolkit(ctx, opened, settings)
  // A plan names the tools by their names in MCP.
  const isAllowed = (name: string): boolean =>
    task.tools === undefined || task.tools.includes(name === 'describe_table' ? SCHEMA_TOOL : QUERY_TOOL)
  const tools = toolkit.tools.filter(({ tool }) => isAllowed(tool.name))
  const outcome = loopOutcome(ctx, await runAgentLoop(task, ctx, { ...toolkit, tools }), task)
  const names = opened.databases.map(({ source }) => source.name)
  const attempts = attemptsIn(ctx.transcript, names)
  const failed = attempts.filter(({ success }) => !success)
  const isFailed = failed.length === attempts.length && failedTurnsIn(ctx.transcript, names) >= settings.maxAttempts
  const source = outcome.sources?.find(({ detail }) =>
    attempts.some(({ success, query }) => success && query === detail),
  )
  return {
    ...outcome,
    ...(isFailed && outcome.error === undefined ? failedAttempts(failed) : {}),
    data: { ...omitUndefined({ sql: source?.detail, database: source?.name }), ...(outcome.data as object), attempts },
    ...(lacking.length === 0 ? {} : { remarks: [...lacking, ...(outcome.remarks ?? [])] }),
  }
}

interface SqlToolkitOptions {
  /** Profiles of each database's tables, by database name. */
  readonly profiles: ReadonlyMap<string, TableProfiles>
  /** Maximum number of consecutive turns whose queries all fail or are blocked. */
  readonly maxAttempts: number
}

/** A schema with more tables has no room for values. */
const MAX_PROFILED_TABLES = 60

/** Tools and instructions over databases, for one job. */
async function sqlToolkit(
  ctx: ActorContext,
  opened: OpenedDatabases,
  { profiles, maxAttempts }: SqlToolkitOptions,
): Promise<Toolkit> {
  const profilesOf = async (database: Database): Promise<ReadonlyMap<string, TableProfile>> => {
    const { source, schema } = database
    return schema.tables.length > MAX_PROFILED_TABLES ? new Map() : profiles.get(source.name)!.of(schema)
  }
  const read = new Map(await Promise.all(opened.databases.map(async (one) => [one, await profilesOf(one)] as const)))
  const databases = databasesOf(opened.databases)
  const known = ({ source }: Database, table: string) => profiles.get(source.name)?.known([table]).get(table)
  const { instructions, isWhole } = sqlInstructions(opened, (database) => read.get(database)!)
  const describeTable = describeTableTool(databases, async ({ source, schema }, table) => {
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
    ...(opened.databases.length === 0 ? {} : { provenance: { author: 'user', private: true, sources: [] } }),
  }
}
