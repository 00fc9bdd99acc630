import type { ActorContext, Agent, AgentTask } from '../../core/actor.ts'
import { defineAgent } from '../../core/actor.ts'
import { given } from '../../core/given.ts'
import { isObject } from '../../core/outside.ts'
import type { Outcome } from '../../core/result.ts'
import { tableFromArrays, type Table } from '../../core/table.ts'
import type { TeamMember } from '../../core/team.ts'
import type { Tool } from '../../core/tool.ts'
import type { QueryReply } from '../../databases/query-reply.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import { placesOf } from '../../language/figures/parts.ts'
import { deniedDeviations } from '../../language/figures/deviations.ts'
import { sentencesOf } from '../../language/figures/sentences.ts'
import { stem, wordsOf } from '../../language/tokens.ts'
import { tableName } from '../../terms/dialect.ts'
import { isSchema, tablesIn } from '../../terms/tables.ts'
import { compareTables, type Comparison } from '../reckoning/deviations.ts'
import { byRules } from '../reckoning/wording.ts'
import { givenTables, type GivenTable } from '../python/given-data.ts'
import type { KnownTool } from '../tool-agent/tools.ts'

/** What a program found in the two tables that a member compares, and how far the member found the same. */
export interface Compared {
  /** What the program says. */
  readonly said: string
  /** What an answer has to name: the rows that deviate, by their first column, or how many they are. */
  readonly due: readonly string[]
  /** Of those the ones that the member did not find. */
  readonly missing: readonly string[]
  /** What it found and the program did not, or otherwise. */
  readonly extra: readonly string[]
  /** Why the program could not tell what is missing. */
  readonly unsure?: string
}

/** More are told in a table alone. */
const MOST_DUE = 30
const MOST_NAMED = 5
const COMPARES = /(?<!\p{L})(?:compar|deviat|differ|discrepan|mismatch|reconcil|against(?!\p{L})|audit|verif|match)/iu
/** Columns of two tables that are not the same: what a query compares them by. */
const UNLIKE = /(?:<>|!=)\s*["`[]?[a-z_]|\bis\s+(?:not\s+)?distinct\b|\w\.["`\w]+\s*-\s*["`\w]+\.["`\w]+/i
const CHOOSES = /\b(?:where|having|case|except)\b/i
/** What leaves rows out by a value of its own. */
const NARROWS =
  /["`\]\w]\s*(?:=|<=?|>=?|<>|!=|\blike|\bbetween|\bin\s*\()\s*(?:'|-?\d)|\blimit\s+\d|\w\s*[<>]=?\s*["`[]?[a-z_]\w*["`]?\./i

/** What a member's result was held against, where a program could. */
export function comparedIn(data: unknown): Compared | undefined {
  return isObject(data) && isObject(data['compared']) ? (data['compared'] as unknown as Compared) : undefined
}

/**
 * A member that compares two tables, by code or by a query, does not do so alone: a program compares them as well, and where the
 * two do not agree, what the program found stands, and it is said.
 */
export function heldAgainstProgram(agent: Agent, member: TeamMember, tools: ReadonlyMap<string, KnownTool>): Agent {
  return defineAgent({
    ...agent,
    async run(task, ctx) {
      const queries: Query[] = []
      const outcome = await agent.run(task, watched(ctx, queries))
      if ((outcome.status ?? 'succeeded') !== 'succeeded') return outcome
      const sides = sidesIn(member, task) ?? (await queriedBy(member, queries.at(-1), ctx, tools))
      const compared = sides && comparison(sides.tables, `${member.purpose} ${member.task}`)
      if (compared === undefined) return outcome
      return together(outcome, compared, sides!, member, ctx)
    },
  })
}

interface Query {
  readonly database: string
  readonly sql: string
}

interface Sides {
  readonly tables: readonly [GivenTable, GivenTable]
  /** It looks at a part of the rows alone. */
  readonly isNarrowed: boolean
}

function watched(ctx: ActorContext, queries: Query[]): ActorContext {
  const call: ActorContext['call'] = async (tool, input) => {
    const output = await ctx.call(tool, input)
    if (tool.name === QUERY) queries.push(input as unknown as Query)
    return output
  }
  return Object.create(ctx, { call: { value: call } }) as ActorContext
}

const QUERY = 'mcp_db_query'
const SCHEMA = 'mcp_db_schema'
type Reads = Tool<{ database: string }, { schema: DatabaseSchema | { readonly text: string } }>
type Asks = Tool<Query, { result: QueryReply }>

/** The two tables that it is given, or the two of them that it names. */
function sidesIn({ purpose, task: told }: TeamMember, task: AgentTask): Sides | undefined {
  if (!COMPARES.test(`${purpose} ${told}`)) return undefined
  const tables = givenTables(task)
  const said = `${told} ${purpose}`.toLowerCase()
  const named = tables.filter(({ name }) => said.includes(name.toLowerCase()))
  const [one, other, ...more] = tables.length === 2 ? tables : named
  if (one === undefined || other === undefined || more.length > 0) return undefined
  const place = ({ name }: GivenTable): number => said.indexOf(name.toLowerCase())
  return { tables: place(other) < place(one) ? [other, one] : [one, other], isNarrowed: false }
}

/** The two tables that its query compares, whole. */
async function queriedBy(
  { purpose, task }: TeamMember,
  query: Query | undefined,
  ctx: ActorContext,
  tools: ReadonlyMap<string, KnownTool>,
): Promise<Sides | undefined> {
  if (query === undefined) return undefined
  const { database, sql } = query
  if (!UNLIKE.test(sql) && !(COMPARES.test(`${purpose} ${task}`) && CHOOSES.test(sql))) return undefined
  const [reads, asks] = [SCHEMA, QUERY].map((name) => tools.get(name))
  if (reads === undefined || asks === undefined || !('bound' in reads) || !('bound' in asks)) return undefined
  const { schema } = await ctx.call(reads.bound.tool as unknown as Reads, { database })
  if (!isSchema(schema)) return undefined
  const known = tablesIn(sql, schema)
  if (known.length !== 2) return undefined
  const place = ({ name }: { readonly name: string }): number => sql.toLowerCase().indexOf(name.toLowerCase())
  const read: GivenTable[] = []
  for (const table of known.toSorted((a, b) => place(a) - place(b))) {
    const whole = `SELECT * FROM ${tableName(table, schema.dialect)}`
    const { result } = await ctx.call(asks.bound.tool as unknown as Asks, { database, sql: whole })
    if (!result.success) return undefined
    const rows = result.data.map((row) => [...row])
    read.push({ name: table.name, table: tableFromArrays([...result.columns], rows, result.truncated === true) })
  }
  return { tables: [read[0]!, read[1]!], isNarrowed: NARROWS.test(sql) }
}

interface Found extends Comparison {
  /** Whether it was said which columns to look at. */
  readonly isOfSome: boolean
  /** Each row of the first table by its label. */
  readonly all: ReadonlySet<string>
}

/** In the columns that the member is told to compare by; in all that both have where it is told none. */
function comparison([one, other]: Sides['tables'], told: string): Found | undefined {
  for (const [some, others] of [
    [one, other],
    [other, one],
  ] as const) {
    try {
      const whole = compareTables(some, others)
      const only = whole.columns.filter((column) => isTold(column, told))
      const found = only.length === 0 ? whole : compareTables(some, others, only)
      const all = new Set(some.table.rows.map((row) => String(row[whole.label])))
      return { ...found, isOfSome: only.length > 0, all }
    } catch (thrown) {
      if (!(thrown instanceof Error) || thrown.name !== 'Unclear') throw thrown
    }
  }
  return undefined
}

/** “Invoices whose unit price differs”. */
function isTold(column: string, told: string): boolean {
  const [, said = ''] = /\b(?:whose|in|by|on|wrong|different|differing)\b([\s\S]*)/i.exec(told) ?? []
  const words = new Set(wordsOf(said).map(stem))
  return words.has(stem(wordsOf(column).at(-1) ?? ''))
}

function together(own: Outcome, found: Found, { isNarrowed }: Sides, member: TeamMember, ctx: ActorContext): Outcome {
  const compared = judged(own, found, isNarrowed)
  const data = { ...(isObject(own.data) ? own.data : { found: own.data }), compared }
  const { missing, extra } = compared
  if (missing.length + extra.length === 0) return { ...own, data }
  const differs = [
    ...(missing.length === 0 ? [] : [`it lacked ${shortly(missing)}`]),
    ...(extra.length === 0 ? [] : [`it had ${shortly(extra)} otherwise`]),
  ]
  const remark = `What “${member.name}” found was put aside, since a program that compared the same tables found something else: ${differs.join('; ')}.`
  ctx.note('DECISION', 'What a member found was put aside, since a program found something else', {
    member: member.name,
    answer: own.answer,
    rows: own.tabular?.rows,
    missing,
    extra,
  })
  // Of a part of the rows nobody else can say all that is in it; what is wrong in it is wrong.
  const { answer, tabular, sources = [] } = byRules(found.finding)
  return {
    answer: answer!,
    ...given({ tabular }),
    data,
    sources: [...(own.sources ?? []), ...sources],
    remarks: [...(own.remarks ?? []), remark],
  }
}

export function shortly(names: readonly string[]): string {
  return [...names.slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? ['…'] : [])].join(', ')
}

function judged(own: Outcome, found: Found, isNarrowed: boolean): Compared {
  const { finding, label, key, isOfSome, all } = found
  const rows = finding.table?.rows ?? []
  // Who looks at prices need not say which contract is not there.
  const isAsked = (row: Readonly<Record<string, unknown>>): boolean => !isOfSome || row['column'] !== key
  const known = new Set(rows.map((row) => String(row[label])))
  const deviant = [...new Set(rows.filter(isAsked).map((row) => String(row[label])))]
  const due = isNarrowed ? [] : deviant.length <= MOST_DUE ? deviant : [String(deviant.length)]
  const answer = own.answer ?? ''
  const unsure = isNarrowed ? { unsure: 'its query leaves rows out by values of its own' } : {}
  const about = { said: finding.answer, due, ...unsure }
  const told = own.tabular && labelsIn(own.tabular, all)
  if (told === undefined) {
    // What its code came to counts, too, whoever put it into words.
    const value = isObject(own.data) && typeof own.data['value'] === 'string' ? own.data['value'] : ''
    const isDenied = sentencesOf(`${answer}\n${value}`).some(
      (sentence) => deniedDeviations(sentence, [{ texts: [finding.answer] }]).length > 0,
    )
    const isCounted = isNamed(String(deviant.length), answer)
    const unnamed = due.filter((one) => !isNamed(one, answer))
    const isTold = unnamed.length === 0 || isCounted
    return { ...about, missing: isDenied && isTold ? due : isTold ? [] : unnamed, extra: [] }
  }
  const missing = isNarrowed || own.tabular!.truncated === true ? [] : deviant.filter((one) => !told.labels.has(one))
  const wrong = own.tabular!.rows.filter(
    (row) => !known.has(String(row[told.column])) || isOtherwise(row, told.column, found),
  )
  return { ...about, missing, extra: [...new Set(wrong.map((row) => String(row[told.column])))] }
}

/** The column by which a table says which rows it is about; undefined where it has none, or is about all of them. */
function labelsIn(
  { columns, rows }: Table,
  all: ReadonlySet<string>,
): { readonly column: string; readonly labels: ReadonlySet<string> } | undefined {
  const [best] = columns
    .map((column) => {
      const labels = new Set(rows.map((row) => String(row[column])))
      return { column, labels, n: [...labels].filter((one) => all.has(one)).length }
    })
    .toSorted((a, b) => b.n - a.n)
  return best === undefined || best.n === 0 || best.n === all.size ? undefined : best
}

/** Whether a row has other figures than were found and expected. */
function isOtherwise(row: Readonly<Record<string, unknown>>, column: string, { finding, label }: Found): boolean {
  const same = finding.table!.rows.filter((one) => String(one[label]) === String(row[column]))
  return ['found', 'expected'].some((cell) => {
    const value = row[cell]
    const figures = same.map((one) => Number(one[cell])).filter((one) => !Number.isNaN(one))
    return typeof value === 'number' && figures.length > 0 && !figures.includes(value)
  })
}

/** As a word of its own, a number with or without marks between its thousands. */
export function isNamed(text: string, answer: string): boolean {
  const plain = answer.replace(/(?<=\d)[,.’'\u00a0\u202f](?=\d{3}(?!\d))/gu, '')
  return [answer, plain].some((one) => placesOf(text, one).length > 0)
}
