import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import { leftOut } from '../../core/clean-sentence.ts'
import { toTuttiError, TuttiError } from '../../core/errors.ts'
import type { Outcome } from '../../core/result.ts'
import { tryQuery } from './attempt.ts'
import type { Attempt, Database, ProposedQuery } from './proposal.ts'
import { proposeByRules, proposeQuery } from './propose.ts'
import { failure, schemaAnswer, success } from './outcomes.ts'
import { onDay, verifiedFor } from '../../terms/apply.ts'
import { NO_TERMS, strangersIn } from '../../terms/terms.ts'
import type { SqlSource } from './source.ts'
import { isSchema } from '../../terms/tables.ts'
import { createSqlTools, type SqlTools } from './tools.ts'
import { alsoIn, meantIn } from './which-database.ts'

/** The first and three more (SPEC P5). */
const MAX_ATTEMPTS = 4
/** Of a reading by rules that takes no more than one thing for granted. */
const CERTAIN = 0.85
const BY_RULES = 'The model wrote no query for this that could be used; the question was read by its words alone.'

/**
 * Answers questions from relational databases: schema, query, safety check, review, execution, table; a failed query goes
 * back to the model with its error. Without a model the question is linked to the schema by rules.
 * @param howToSetUp a sentence for whoever has no database
 * @param lack what is said before it
 */
export function sqlAgent(
  sources: readonly SqlSource[],
  howToSetUp = 'Name one with the option databases, or in the configuration.',
  lack = 'No database is configured.',
): Agent {
  const tools = createSqlTools(sources)
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
    run: async (task, ctx) => answer(task, ctx, tools, await readSchemas(ctx, tools, sources)),
  })
}

/** Whether somebody has written down the query for this question. A file that cannot be read is told of when the agent works. */
async function isVerified(sources: readonly SqlSource[], question: string): Promise<boolean> {
  const all = await Promise.all(sources.map(({ terms }) => terms?.().catch(() => undefined)))
  return all.some((found) => found !== undefined && verifiedFor(found.terms, question) !== undefined)
}

interface Reached {
  readonly databases: readonly Database[]
  /** What is said of the others. */
  readonly remarks: readonly string[]
}

/** Databases that cannot be reached are left out, which the answer says; unless none is left. */
async function readSchemas(ctx: ActorContext, tools: SqlTools, sources: readonly SqlSource[]): Promise<Reached> {
  const read = await Promise.allSettled(
    sources.map(async (source) => {
      const { schema } = await ctx.call(tools.schema, { database: source.name })
      const { terms: written, path, unused } = (await source.terms?.()) ?? { terms: NO_TERMS }
      const terms = onDay(written, String(ctx.request.context['current_date']))
      if (unused !== undefined) ctx.note('ERROR', unused)
      if (isSchema(schema)) refuseStrangers(path ?? source.name, strangersIn(terms, schema))
      return { source, schema, terms, ...(path === undefined ? {} : { termsPath: path }) }
    }),
  )
  const databases = read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const failed = read.flatMap((result, i) =>
    result.status === 'rejected' ? [{ name: sources[i]!.name, error: toTuttiError(result.reason) }] : [],
  )
  if (databases.length === 0) throw failed[0]!.error
  return { databases, remarks: failed.map(({ name, error }) => leftOut(`The database “${name}”`, error)) }
}

/** An entry that means nothing here would silently not count. */
function refuseStrangers(path: string, strangers: readonly string[]): void {
  if (strangers.length === 0) return
  throw new TuttiError(
    'ConfigurationError',
    `The terms in ${path} name what the database does not have: ${strangers.join('; ')}. Correct or remove it.`,
  )
}

async function answer(
  planned: AgentTask,
  ctx: ActorContext,
  tools: SqlTools,
  { databases: reached, remarks }: Reached,
): Promise<Outcome> {
  const { databases, question } = meantIn(planned.text, reached)
  const task = { ...planned, text: question }
  const attempts: Attempt[] = []
  const told = (outcome: Outcome): Outcome => {
    const all = [...remarks, ...(outcome.remarks ?? [])]
    const { remarks: _, ...rest } = outcome
    return all.length === 0 ? rest : { ...rest, remarks: all }
  }
  const outcomeOf = async (proposal: ProposedQuery): Promise<Outcome | undefined> => {
    const { table, ...tried } = await tryQuery(task, ctx, tools, proposal, attempts.length + 1)
    attempts.push(tried.attempt)
    if (table === undefined) return undefined
    const outcome = success(planned.text, proposal, { ...tried, table }, attempts, ctx.request.locale)
    const also = alsoIn(proposal, tried.attempt.query, databases)
    return told({ ...outcome, remarks: [...(outcome.remarks ?? []), ...also] })
  }
  let refused: string | undefined
  while (attempts.length < MAX_ATTEMPTS) {
    const proposal = await proposeQuery(task, ctx, tools, databases, attempts)
    if (proposal.kind === 'schema') return told(schemaAnswer(proposal))
    if (proposal.kind === 'refusal') {
      refused = proposal.reason
      break
    }
    const outcome = await outcomeOf(proposal)
    if (outcome !== undefined) return outcome
    if (proposal.by === 'rules' || attempts.at(-1)!.final) return told(failure(attempts))
  }
  // What no model found a query for may be read by rules, where they are certain.
  const ruled = await proposeByRules(task, ctx, tools, databases)
  const isCertain = ruled.kind === 'query' && (ruled.confidence ?? 0) >= CERTAIN
  const outcome = isCertain ? await outcomeOf({ ...ruled, remark: BY_RULES }) : undefined
  if (outcome !== undefined) return outcome
  // Said rather than guessed: the question does not fit the data.
  return refused !== undefined && attempts.length === 0 ? ctx.decline(refused, { remarks }) : told(failure(attempts))
}
