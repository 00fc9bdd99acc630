import type { ActorContext, AgentTask } from '../../../core/actor.ts'
import type { Table } from '../../../core/table.ts'
import { unsaidIn } from './unsaid.ts'
import { hasWordOf, partsAsked } from '../../answers/silent-parts.ts'
import { splitClauses } from '../../../language/clauses.ts'
import { asksToAct } from '../../../language/clause-starts.ts'
import { withoutIntroduction } from '../../../language/introduction.ts'
import { unaskedFigures } from './asked-figures.ts'
import type { ProposedQuery } from '../proposal.ts'
import { isSchema } from '../../../terms/tables.ts'
import type { SqlTools } from '../tools.ts'
import { valueLookup } from '../value-lookup.ts'

/** What of a question a model's query leaves out. */
export interface Lacks {
  /** Conditions, in the words of the question. */
  readonly unsaid: readonly string[]
  /** Values that the query has in place of names that the data do not have. */
  readonly assumed: readonly string[]
  /** Why its rows are others than those asked for, as sentences without their end. */
  readonly flaws: readonly string[]
  /** Parts of the question that ask for a figure which the query does not compute. */
  readonly unanswered: readonly string[]
  /** Rows at which the query stops, though nobody asked for so many. */
  readonly limit?: number
  /** The result is of another question than was asked. */
  readonly isOther: boolean
}

export const NOTHING: Lacks = { unsaid: [], assumed: [], flaws: [], unanswered: [], isOther: false }
/** How the answer is to be worded, which is for no query. */
const OF_WORDING = /^(?:please\s+)?(?:answer|reply|respond)\b/i

/** Holds a model's query against the question; the rules refuse what they do not understand. */
export async function lacksIn(
  task: AgentTask,
  ctx: ActorContext,
  tools: SqlTools,
  { database, by }: ProposedQuery,
  sql: string,
): Promise<Lacks> {
  if (by === 'rules') return NOTHING
  const { source, schema, terms } = database
  const clauses = splitClauses(withoutIntroduction(task.text)).map(({ text }) => text)
  // What is to be done with the result is said by others.
  const meant = clauses.filter((clause) => !OF_WORDING.test(clause) && (task.isOnly || !asksToAct(clause)))
  const foreign = foreignParts(withoutIntroduction(task.text), sql)
  const own = meant.filter((clause) => !foreign.some((part) => clause.startsWith(part)))
  const { parts: unasked, isAll } = unaskedFigures(own, sql)
  // Where others are asked as well, such a part may be theirs.
  const unanswered = [
    ...unasked,
    ...(task.isOnly ? foreign.filter((part) => !unasked.some((one) => part.includes(one))) : []),
  ]
  const left = own.filter((clause) => isAll || !unasked.some((part) => clause.includes(part)))
  const known = isSchema(schema) ? schema : { name: source.name, dialect: 'sqlite' as const, tables: [] }
  const verdict = await source.check(sql, ctx.signal)
  const { missing, assumed, flaws } = await unsaidIn(left.join('. '), sql, known, {
    lookup: valueLookup(ctx, tools, source.name, known.dialect),
    today: String(ctx.request.context['current_date']),
    terms,
    effects: verdict.allowed ? verdict.effects : undefined,
    ...(task.facts.period === undefined ? {} : { period: task.facts.period }),
  })
  const limit = verdict.allowed ? verdict.effects?.limit : undefined
  return {
    unsaid: missing,
    assumed,
    flaws,
    unanswered,
    ...(limit === undefined || FEW.test(task.text) || task.text.match(/\d+/g)?.includes(String(limit))
      ? {}
      : { limit }),
    isOther: isAll || missing.length + flaws.length > 0,
  }
}

const FEW =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|few|some|any|an?|example|sample|first|last|latest|newest|oldest|next|top|bottom|\w+est|most|least|best|worst|more|less|maximum|minimum)\b/i

/** The same of a result that ends where the query stops. */
export function cutIn(lacks: Lacks, { rowCount }: Pick<Table, 'rowCount'>): Lacks {
  const cut = `only the first ${rowCount === 1 ? 'row is' : `${rowCount} rows are`} taken`
  return lacks.limit === rowCount ? { ...lacks, assumed: [...lacks.assumed, cut] } : lacks
}

/** Parts of which a query has no word, where it has one of another. */
function foreignParts(question: string, sql: string): readonly string[] {
  const names = sql.replace(/(?<=\p{Ll})(?=\p{Lu})|_/gu, ' ')
  const parts = partsAsked(question)
  const foreign = parts.filter((part) => !hasWordOf(names, part))
  return foreign.length === parts.length ? [] : foreign
}

/** For a second look at the query. */
export function doubtOfLacks({ unsaid, assumed, flaws, unanswered }: Lacks): string | undefined {
  const doubts = [
    ...(unsaid.length === 0 ? [] : [`The question says ${quoted(unsaid)}, and the query does not.`]),
    ...assumed.map((one) => `${one}; is that meant?`),
    ...flaws.map((one) => `${one}.`),
    ...unanswered.map((part) => `No column of it answers “${part}”.`),
  ]
  return doubts.length === 0 ? undefined : doubts.join(' ')
}

/** For whoever reads the answer: before it. */
export function remarkOn({ unsaid, flaws }: Lacks): string | undefined {
  const [first, ...others] = [...(unsaid.length === 0 ? [] : [`the query does not say ${quoted(unsaid)}`]), ...flaws]
  if (first === undefined) return undefined
  return `${[first.replace('the', 'The'), ...others].join(', and ')}, so this is not what was asked.`
}

/** The same, behind it. */
export function remarksOn({ unanswered }: Lacks): string[] {
  return unanswered.map((part) => `Not answered: “${part}”: the query does not ask for it.`)
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(' or ')
}
