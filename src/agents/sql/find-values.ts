import { z } from 'zod'
import { ownData } from '../../domain/provenance.ts'
import type { Source } from '../../domain/result.ts'
import { TuttiError } from '../../domain/errors.ts'
import { defineTool, loopTool, type LoopTool } from '../../domain/tool.ts'
import type { DatabaseSchema, Dialect } from '../../databases/schema.ts'
import { equalsAny } from '../../databases/glossary/case-folding.ts'
import { quoteIdentifier, quoteLiteral, tableName } from '../../databases/glossary/dialect.ts'
import { fullName } from '../../databases/glossary/tables.ts'
import type { Terms } from '../../databases/glossary/terms.ts'
import { databaseLabels, type Databases } from './databases.ts'
import { tableNamed } from './describe-table.ts'
import type { Database } from './open.ts'
import { isTextColumn } from './profile.ts'
import { foldName, MIN_SIMILARITY, similarity } from './similar-names.ts'

interface ValuesOutput {
  readonly database: string
  readonly text: string
  readonly sources: readonly Source[]
}

interface Place {
  /** `table.column` */
  readonly name: string
  readonly from: string
  /** The column as SQL of type text. */
  readonly value: string
}

interface Match {
  readonly kind: 'exact' | 'folded' | 'term' | 'nearest'
  readonly place: string
  readonly value: string
  readonly score: number
}

const MAX_PLACES = 60
const MAX_MATCHES = 12
/** Columns of one UNION ALL. */
const MAX_PARTS = 12
const EXACT_VALUES = 3
/** Rows of one query. */
const MAX_CANDIDATES = 1_000
const TIMEOUT_MS = 10_000

/** The tool that finds how a value is stored: exact, without case and accents, by business terms, or the most similar ones. */
export function findValuesTool(databases: Databases): LoopTool {
  return loopTool(
    defineTool({
      name: 'find_values',
      description:
        'Finds how a name or value is stored: in which text columns, in which spelling, or what is most similar.',
      effect: 'read',
      reach: 'inside', // queries pass the SQL guard and are sent to a server that the operator configured for them
      input: databases.input({
        text: z.string().min(1).max(200),
        table: z.string().optional(),
        column: z.string().optional(),
      }),
      provenance: ({ database }: ValuesOutput) => databaseLabels(databases.named(database).source),
      errorProvenance: ownData(),
      run: async ({ database: name, text, table, column }, { signal }): Promise<ValuesOutput> => {
        const database = databases.named(name)
        const { source, schema, terms } = database
        const all = placesIn(schema, table, column)
        const places = all.slice(0, MAX_PLACES)
        const withTimeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
        const matches = await findMatches(text, places, terms, reader(database, withTimeout), schema.dialect)
        const limits =
          all.length > places.length ? ` Only ${places.length} of ${all.length} columns were searched.` : ''
        const sources = [{ kind: 'database' as const, name: source.name, detail: `values like '${text}'` }]
        return { database: source.name, text: `${matchesText(text, matches)}${limits}`, sources }
      },
    }),
    { kind: 'database', name: databases.title },
  )
}

function placesIn(schema: DatabaseSchema, table: string | undefined, column: string | undefined): readonly Place[] {
  const { dialect } = schema
  const tables =
    table === undefined ? schema.tables.filter(({ kind }) => kind === 'table') : [tableNamed(schema, table)]
  const isAsked = (name: string): boolean => column === undefined || name.toLowerCase() === column.toLowerCase()
  const places = tables.flatMap((one) =>
    one.columns.flatMap((each): Place[] => {
      if (!isTextColumn(each) || !isAsked(each.name)) return []
      const name = quoteIdentifier(each.name, dialect)
      // An enum, an array or a uuid cannot be compared with a text.
      const value = dialect === 'postgres' ? `CAST(${name} AS text)` : name
      return [{ name: `${fullName(one)}.${each.name}`, from: tableName(one, dialect), value }]
    }),
  )
  if (places.length === 0)
    throw new TuttiError('ToolError', 'There is no such text column. Leave out table and column, or use query.')
  return places
}

type Ask = (sql: string) => Promise<readonly (readonly unknown[])[]>

function reader({ source }: Database, signal: AbortSignal): Ask {
  return async (sql) => {
    const { success, data } = await source.query(sql, signal)
    return success ? data : []
  }
}

async function findMatches(text: string, places: readonly Place[], terms: Terms, ask: Ask, dialect: Dialect) {
  const named = termMatches(text, places, terms)
  const equal = await equalMatches(text, places, ask, dialect)
  if (named.length + equal.length > 0) return [...equal, ...named]
  const near: Match[] = []
  for (const place of places) near.push(...(await nearMatches(text, place, ask, dialect)))
  const folded = near.filter(({ kind }) => kind === 'folded')
  return (folded.length > 0 ? folded : near).toSorted((a, b) => b.score - a.score).slice(0, MAX_MATCHES)
}

/** Values that business terms give this word for. */
function termMatches(text: string, places: readonly Place[], { columns }: Terms): readonly Match[] {
  return places.flatMap(({ name }) =>
    Object.entries(columns[name]?.values ?? {}).flatMap(([value, words]): Match[] =>
      words.some((word) => foldName(word) === foldName(text)) ? [{ kind: 'term', place: name, value, score: 1 }] : [],
    ),
  )
}

/** The same but for the case of letters. A backslash in a literal means different things to different servers. */
async function equalMatches(
  text: string,
  places: readonly Place[],
  ask: Ask,
  dialect: Dialect,
): Promise<readonly Match[]> {
  if (text.includes('\\')) return []
  const found: Match[] = []
  for (let at = 0; at < places.length; at += MAX_PARTS) {
    const part = places.slice(at, at + MAX_PARTS)
    const queries = part.map(({ from, value }, n) => {
      const valuesQuery = `SELECT DISTINCT ${value} AS v FROM ${from} WHERE ${equalsAny(value, [text], dialect)}`
      return `SELECT ${n} AS n, v FROM (${valuesQuery} LIMIT ${EXACT_VALUES}) AS t${n}`
    })
    for (const [n, value] of await ask(queries.join('\nUNION ALL\n'))) {
      const kind = String(value) === text ? 'exact' : 'folded'
      found.push({ kind, place: part[Number(n)]!.name, value: String(value), score: 1 })
    }
  }
  return found
}

async function nearMatches(
  text: string,
  { name, from, value }: Place,
  ask: Ask,
  dialect: Dialect,
): Promise<readonly Match[]> {
  const valuesQuery = `SELECT DISTINCT ${value} AS v FROM ${from} WHERE ${value} IS NOT NULL`
  const first = await ask(`${valuesQuery} LIMIT ${MAX_CANDIDATES}`)
  const parts = likeParts(text)
  const like = dialect === 'postgres' ? 'ILIKE' : 'LIKE'
  const tests = parts.map((part) => `${value} ${like} ${quoteLiteral(`%${part}%`, dialect)}`)
  const isCut = first.length === MAX_CANDIDATES && tests.length > 0
  const more = isCut ? await ask(`${valuesQuery} AND (${tests.join(' OR ')}) LIMIT ${MAX_CANDIDATES}`) : []
  const sought = foldName(text)
  const values = new Set([...first, ...more].map(([cell]) => String(cell)))
  return [...values].flatMap((one): Match[] => {
    const folded = foldName(one)
    if (folded === sought) return [{ kind: 'folded', place: name, value: one, score: 1 }]
    const score = Math.max(similarity(one, text), sought.length > 2 && folded.includes(sought) ? 0.5 : 0)
    return score < MIN_SIMILARITY ? [] : [{ kind: 'nearest', place: name, value: one, score }]
  })
}

const MAX_LIKES = 12

/** Parts of a text that a similar one has, too, without characters that mean something to LIKE. */
function likeParts(text: string): readonly string[] {
  const parts = Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3))
  return [...new Set(parts)].filter((part) => part.trim() === part && !/[%_\\]/.test(part)).slice(0, MAX_LIKES)
}

const MAX_SHOWN_CHARS = 200

function matchesText(text: string, matches: readonly Match[]): string {
  if (matches.length === 0) return `No value is like '${text}'.`
  const lines = matches.map(
    ({ kind, place, value }) => `${kind}: ${place} = ${quoteLiteral(value.slice(0, MAX_SHOWN_CHARS), 'sqlite')}`,
  )
  const isStored = matches.some(({ kind }) => kind !== 'nearest')
  return [...(isStored ? [] : [`'${text}' is not stored. The nearest:`]), ...lines].join('\n')
}
