import { tableFromArrays, type Table } from '../../core/table.ts'
import type { Catalogue, Entity } from '../../terms/catalogue.ts'
import type { Names } from '../../terms/names.ts'
import { refuse } from '../refusal.ts'
import type { Token } from '../words/tokens.ts'
import type { LinkedSchemaAnswer } from '../types.ts'

const ALL_TABLES =
  /^(please )?((list|show|display|give|get|name) (me )?)?(all )?(of )?(the |our )?(available |existing )?tables( names)?( (are there|are available|do (we|you) have|exist))?( (in|of) (the|this|our) (database|schema))?$|^(please )?(show|describe|list) (me )?(the )?(database )?schema$|^(what|which) (are the )?(tables|data|kinds? of data)( are there| are available| do (we|you) have| exist| is there| is available| can i query)?( (in|of) (the|this|our) (database|schema))?$|^(show|list) tables$|^(describe|what is in) (the|this|our) (database|schema)$/

const COUNT_TABLES = /^how many tables (are there|are in|do we have|does|exist)?/

/** Questions about the schema itself: which tables there are, what columns one has. Undefined for any other question. */
export function answerSchemaQuestion(
  catalogue: Catalogue,
  tokens: readonly Token[],
  names: Names,
): LinkedSchemaAnswer | undefined {
  const text = tokens.map((t) => t.lower).join(' ')
  if (ALL_TABLES.test(text)) return listTables(catalogue)
  if (COUNT_TABLES.test(text) && !names.entitiesAt(2).length) {
    const table = tableFromArrays(['tables'], [[catalogue.entities.length]])
    return certain('table-list', table, `${catalogue.database} has ${catalogue.entities.length} tables and views.`)
  }
  const at = describedAt(text)
  if (at === undefined) return undefined
  const words = text.slice(0, at).split(' ').filter(Boolean).length
  const [match, ...others] = names.entitiesAt(words)
  if (match === undefined) {
    if (/\b(columns|fields|table|structure)\b/.test(text))
      return refuse(
        `I do not know the table “${tokens[words]?.text ?? ''}”. There is: ${catalogue.entities.map((e) => e.table.name).join(', ')}.`,
      )
    return undefined
  }
  const rest = tokens
    .slice(words + match.length)
    .map((t) => t.lower)
    .join(' ')
  if (!/^(table|view)?( )?(have|has|contain|contains|include|includes|there|table have|look like)?$/.test(rest))
    return undefined
  if (others.length > 0)
    return refuse(
      `Several tables fit: ${[match, ...others].map((m) => m.entity.table.name).join(', ')}. Please say which.`,
    )
  return describeEntity(match.entity)
}

/** Where the table's name begins, if the question asks for its columns. */
function describedAt(text: string): number | undefined {
  const openings = [
    /^(please )?(describe|explain) (the )?(structure of |schema of |columns of )?(the )?(table )?/,
    /^(what|which) (columns|fields|attributes) (does|do|are in|are there in|are on|has|have|are part of) (the )?(table )?/,
    /^(what|which) (are the )?(columns|fields|attributes) (of|in) (the )?(table )?/,
    /^(please )?(list|show|give me|show me|tell me) (all )?(the )?(columns|fields|structure|schema) (of|in|for) (the )?(table )?/,
  ]
  return openings.flatMap((opening) => opening.exec(text)?.[0].length ?? [])[0]
}

function listTables(catalogue: Catalogue): LinkedSchemaAnswer {
  const rows = catalogue.entities.map(({ table: { name, kind, approximateRows }, attributes }) => {
    return [name, kind, attributes.length, approximateRows ?? null]
  })
  const table = tableFromArrays(['table', 'kind', 'columns', 'approximate_rows'], rows)
  return certain('table-list', table, `${catalogue.database} has ${rows.length} tables and views: ${namesOf(rows)}.`)
}

const namesOf = (rows: readonly (readonly unknown[])[]): string => rows.map(([name]) => name).join(', ')

function certain(shape: LinkedSchemaAnswer['shape'], table: Table, explanation: string): LinkedSchemaAnswer {
  return { kind: 'schema', shape, table, explanation, confidence: 1, assumptions: [] }
}

function describeEntity(entity: Entity): LinkedSchemaAnswer {
  const links = new Map(
    entity.edges
      .filter((e) => e.kind === 'one')
      .map((e) => [e.fromColumns[0], `${e.to.table.name}.${e.toColumns[0]}${e.declared ? '' : ' (by its name)'}`]),
  )
  const rows = entity.attributes.map((a) => [
    a.column.name,
    a.column.type,
    a.column.nullable ? 'yes' : 'no',
    a.column.primaryKey ? 'primary' : '',
    links.get(a.column.name) ?? '',
  ])
  const table = tableFromArrays(['column', 'type', 'nullable', 'key', 'references'], rows)
  return certain('describe', table, `${entity.table.name} has ${rows.length} columns: ${namesOf(rows)}.`)
}
