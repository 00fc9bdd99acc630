import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import { given } from '../../core/given.ts'
import type { Outcome } from '../../core/result.ts'
import { verifiedFor } from '../../terms/apply.ts'
import { outcomeOf } from '../../tool-loop/outcome.ts'
import { runAgentLoop } from '../agent-loop.ts'
import { attemptsIn, DEFAULT_MAX_ATTEMPTS, failedTurnsIn, failureOf } from './attempts.ts'
import { answerOffline } from './offline/answer-offline.ts'
import { openDatabases, type OpenedDatabases } from './open.ts'
import { TableProfiles } from './profile.ts'
import type { SqlSource } from './source.ts'
import { sqlToolkit, type SqlToolkitOptions } from './toolkit.ts'
import { createSqlTools, QUERY_TOOL, SCHEMA_TOOL } from './tools.ts'

export interface SqlAgentOptions {
  /** A sentence for users who have no database. */
  readonly howToSetUp?: string | undefined
  /** What is said before it. */
  readonly lack?: string | undefined
  /** Turns in a row whose queries may all fail or be blocked; 4 when absent. */
  readonly maxAttempts?: number | undefined
}

/**
 * Answers questions from relational databases. The model reads schema, values and business terms in its instructions, and
 * checks, plans and runs queries with its tools. Without a model rules link the question to the schema.
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
    return openDatabases(sources, todayOf(ctx), (source) => source.schema(ctx.signal), warn)
  }
  return defineAgent({
    name: 'sql',
    label: 'the database',
    description: 'Answers questions about the data in relational databases with read-only SQL.',
    capabilities: ['natural language to SQL', 'schema questions', 'aggregation, filters, joins, top lists'],
    useCases: ['figures, lists and rankings from business data', 'what tables and columns there are'],
    // The keywords of SPEC P3.
    keywords: 'table tables list show top per group average sum count trend breakdown report'.split(' '),
    planning: {
      rivals: ['computation'],
      rank: 20,
      isDefault: true,
      knows: (question) => isVerified(sources, question),
    },
    typicalLatencyMs: 5_000,
    tools: [tools.schema, tools.query],
    limits: { timeoutMs: 180_000, retries: 1 },
    ...(sources.length === 0 ? { unavailable: `${lack} ${howToSetUp}` } : {}),
    toolkit: async (ctx) => sqlToolkit(ctx, await open(ctx), settings),
    holds: async (ctx) =>
      (await open(ctx)).databases
        .map(({ source: { name }, schema }) =>
          'tables' in schema ? `${name}: ${schema.tables.map((table) => table.name).join(', ')}` : name,
        )
        .join('\n'),
    run: async (task, ctx) =>
      (await ctx.transcript.model()) === undefined
        ? answerOffline(task, ctx, tools, sources)
        : answerWithModel(task, ctx, await open(ctx), settings),
  })
}

/** The day of the question, `YYYY-MM-DD`. */
function todayOf(ctx: ActorContext): string {
  return String(ctx.request.context['current_date'])
}

/** Whether a person has verified a query for this question. A file that cannot be read is reported when the agent works. */
async function isVerified(sources: readonly SqlSource[], question: string): Promise<boolean> {
  const all = await Promise.all(sources.map(({ terms }) => terms?.().catch(() => undefined)))
  return all.some((found) => found !== undefined && verifiedFor(found.terms, question) !== undefined)
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
  const outcome = outcomeOf(ctx, await runAgentLoop(task, ctx, { ...toolkit, tools }))
  const names = opened.databases.map(({ source }) => source.name)
  const attempts = attemptsIn(ctx.transcript, names)
  const failed = attempts.filter(({ success }) => !success)
  const isFailed = failed.length === attempts.length && failedTurnsIn(ctx.transcript, names) >= settings.maxAttempts
  const source = outcome.sources?.find(({ detail }) =>
    attempts.some(({ success, query }) => success && query === detail),
  )
  return {
    ...outcome,
    ...(isFailed && outcome.error === undefined ? failureOf(failed) : {}),
    data: { ...given({ sql: source?.detail, database: source?.name }), ...(outcome.data as object), attempts },
    ...(lacking.length === 0 ? {} : { remarks: [...lacking, ...(outcome.remarks ?? [])] }),
  }
}
