import type { ActorContext, AgentTask } from '../../../core/actor.ts'
import { tableFromArrays } from '../../../core/table.ts'
import type { Outcome } from '../../../core/result.ts'
import { plainAnswer } from '../../plain-answer.ts'
import { failureOf, type Attempt } from '../attempts.ts'
import { openDatabases, remarksOn } from '../open.ts'
import type { SqlSource } from '../source.ts'
import type { SqlTools } from '../tools.ts'
import { describeAnswer, emptyTimes } from './answer.ts'
import type { ProposedQuery, SchemaProposal } from './proposal.ts'
import { propose } from './propose.ts'
import { alsoIn, meantIn } from './which-database.ts'

/** Answers without a model: a verified query for this question, else one that rules make of its words. */
export async function answerOffline(
  planned: AgentTask,
  ctx: ActorContext,
  tools: SqlTools,
  sources: readonly SqlSource[],
): Promise<Outcome> {
  const today = String(ctx.request.context['current_date'])
  const readSchema = async ({ name }: SqlSource) => (await ctx.call(tools.schema, { database: name })).schema
  const opened = await openDatabases(sources, today, readSchema, (sentence) => ctx.note('ERROR', sentence))
  const remarks = remarksOn(opened)
  const { databases, question } = meantIn(planned.text, opened.databases)
  const proposal = await propose({ ...planned, text: question }, ctx, tools, databases)
  if (proposal.kind === 'refusal') return ctx.decline(proposal.reason, { remarks })
  const outcome =
    proposal.kind === 'schema' ? schemaAnswer(proposal) : await runProposal(planned.text, ctx, tools, proposal)
  const also = proposal.kind === 'query' && outcome.status !== 'failed' ? alsoIn(proposal, proposal.sql, databases) : []
  const all = [...remarks, ...(outcome.remarks ?? []), ...also]
  return all.length === 0 ? outcome : { ...outcome, remarks: all }
}

async function runProposal(
  task: string,
  ctx: ActorContext,
  tools: SqlTools,
  proposal: ProposedQuery,
): Promise<Outcome> {
  const { sql, database, linked, explanation, confidence, remark } = proposal
  const { name } = database.source
  const startedAt = ctx.now()
  const fail = (error: string, isBlocked: boolean): Outcome => {
    const about = { attempt: 1, database: name, query: sql, success: false, error, latencyMs: ctx.now() - startedAt }
    const attempt: Attempt = isBlocked ? { ...about, blocked: true } : about
    const { attempt: number, query, latencyMs } = attempt
    const message = isBlocked ? 'SQL agent query was blocked' : 'SQL agent attempt failed'
    ctx.note('ERROR', message, { attempt: number, query, error, latencyMs })
    const sources = [{ kind: 'database' as const, name, detail: sql }]
    return { ...failureOf([attempt]), data: { attempts: [attempt] }, sources }
  }
  const verdict = await database.source.check(sql, ctx.signal)
  if (!verdict.allowed) return fail(verdict.reason, true)
  const { result } = await ctx.call(tools.query, { database: name, sql })
  if (!result.success) {
    return fail(`${result.error ?? 'The database gave no reason.'}${metricOf(proposal)}`, result.blocked === true)
  }
  const table = tableFromArrays(result.columns, result.data, result.truncated)
  const latencyMs = ctx.now() - startedAt
  ctx.note('TOOL', 'SQL agent attempt succeeded', { attempt: 1, query: sql, rowCount: table.rowCount, latencyMs })
  const attempts: Attempt[] = [{ attempt: 1, database: name, query: sql, success: true, latencyMs }]
  const { locale } = ctx.request
  // A period without data has no change to another one.
  const isLacking = linked !== undefined && emptyTimes(linked, table).length > 0
  return {
    answer: linked === undefined ? plainAnswer(table, locale, sql) : describeAnswer(linked, table, locale),
    tabular: table,
    data: { sql, database: name, explanation, assumptions: linked?.assumptions ?? [], attempts },
    sources: [{ kind: 'database', name, detail: sql }],
    ...(confidence === undefined ? {} : { confidence }),
    ...(isLacking ? { unanswered: [task] } : {}),
    ...(remark === undefined ? {} : { remarks: [remark] }),
  }
}

function schemaAnswer({ database, table, explanation }: SchemaProposal): Outcome {
  return {
    answer: explanation,
    tabular: table,
    data: { database, explanation, attempts: [] },
    sources: [{ kind: 'database', name: database }],
  }
}

/** Whose SQL it may be that failed: that of a metric, for the person who wrote it. */
function metricOf({ database, linked }: ProposedQuery): string {
  const { terms, termsPath } = database
  const name = Object.keys(terms.metrics).find((metric) => linked?.columns.some(({ title }) => title === metric))
  return name === undefined || termsPath === undefined ? '' : ` The metric ${name} is defined in ${termsPath}.`
}
