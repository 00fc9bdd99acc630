import type { ActorContext, AgentTask } from '../../../core/actor.ts'
import { needsModel } from '../../../core/without-model.ts'
import { toldBeside, withoutIntroduction } from '../../../language/introduction.ts'
import { periodAtWord } from '../../../language/periods.ts'
import { extractByPatterns } from '../../../memory/patterns.ts'
import { fixedDays, verifiedFor } from '../../../terms/apply.ts'
import type { Verified } from '../../../terms/terms.ts'
import { linkSchemaQuestion } from '../../../question-to-sql/index.ts'
import { linkInThread } from './link.ts'
import { bestReading, type ReadBy } from './best-reading.ts'
import type { Database } from '../open.ts'
import type { Proposal, SchemaProposal } from './proposal.ts'
import { isSchema } from '../../../terms/tables.ts'
import type { SqlTools } from '../tools.ts'
import { valueLookup } from './value-lookup.ts'

/** What to do for a question: tell the schema, run a verified query, or one that rules make of the words. */
export async function propose(
  task: AgentTask,
  ctx: ActorContext,
  tools: SqlTools,
  databases: readonly Database[],
): Promise<Proposal> {
  const known = schemaProposal(task.text, databases) ?? verifiedProposal(task, ctx, databases)
  return known ?? proposeByRules(task, ctx, tools, databases)
}

/** A pair that a person has found right, for this very question; not where a time in it counts from another day. */
function verifiedProposal(task: AgentTask, ctx: ActorContext, databases: readonly Database[]): Proposal | undefined {
  const today = String(ctx.request.context['current_date'])
  for (const database of databases) {
    const pair = verifiedFor(database.terms, task.text)
    if (pair === undefined || (pair.day === undefined && dependsOnToday(task.text, today))) continue
    const explanation = 'A person has found this query right for this question.'
    const sql = withoutSemicolon(pair.sql)
    return { kind: 'query', database, sql, explanation, confidence: 1, remark: savedSentence(pair) }
  }
  return undefined
}

function savedSentence(pair: Verified): string {
  const fixed = fixedDays(pair)
  const days = [
    ...(pair.day === undefined ? [] : [`counts from ${pair.day}`]),
    ...(fixed.length === 0 ? [] : [`always goes by ${fixed.join(' and ')}, which the question does not name`]),
  ]
  return `This is what a saved query gives that somebody has found right for this question${days.length === 0 ? '' : `; it ${days.join(', and ')}`}.`
}

/** “Last month” is another one next month. */
export function dependsOnToday(question: string, today: string): boolean {
  const words = question.split(/\s+/)
  const read = (day: string): string => JSON.stringify(words.map((_, at) => periodAtWord(words, at, day)))
  return read(today) !== read(`${Number(today.slice(0, 4)) + 4}${today.slice(4)}`)
}

/** “Which tables are there?” needs neither a model nor a query. */
function schemaProposal(question: string, databases: readonly Database[]): SchemaProposal | undefined {
  for (const { source, schema, terms } of databases) {
    const linked = isSchema(schema) ? linkSchemaQuestion(question, schema, terms) : undefined
    if (linked !== undefined) return { ...linked, database: source.name }
  }
  return undefined
}

function withoutSemicolon(sql: string): string {
  return sql.trim().replace(/;\s*$/, '')
}

/** Reads the question against every database and takes the reading that accounts best for its words. */
async function proposeByRules(
  task: AgentTask,
  ctx: ActorContext,
  tools: SqlTools,
  databases: readonly Database[],
): Promise<Proposal> {
  const today = String(ctx.request.context['current_date'])
  const period = task.facts.period === undefined ? {} : { period: task.facts.period }
  const asked = withoutIntroduction(task.text)
  const readings: (ReadBy & { database: Database })[] = []
  for (const database of databases) {
    const { source, schema, terms } = database
    if (!isSchema(schema)) continue
    const lookup = valueLookup(ctx, tools, source.name, schema.dialect)
    const linked = await linkInThread(asked, schema, { lookup, today, terms, ...period })
    if (linked === undefined) return { kind: 'refusal', reason: needsModel() }
    readings.push({ database, schema: { ...schema, name: source.name }, terms, linked })
  }
  const best = bestReading(asked, today, readings)
  if (best === undefined) {
    return { kind: 'refusal', reason: 'Without a language model, only databases that tell their schema can be asked.' }
  }
  const { linked, also } = best
  const { database } = best.reading
  if (linked.kind === 'refusal') return linked
  if (linked.kind === 'schema') return { ...linked, database: database.source.name }
  const { sql, explanation, confidence } = linked
  const assumptions = [...linked.assumptions, ...unheeded(ctx.request.question)]
  return {
    kind: 'query',
    database,
    sql,
    explanation,
    confidence,
    linked: { ...linked, assumptions },
    also,
  }
}

/** What somebody told of themself and is not kept: “I am in charge of Germany” may be meant for a filter. */
function unheeded(question: string): string[] {
  const things = toldBeside(question).filter((thing) => Object.keys(extractByPatterns(thing)).length === 0)
  return things.map((thing) => `“${thing}” limits nothing`)
}
