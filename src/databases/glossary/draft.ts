import type { DatabaseSchema } from '../schema.ts'
import { buildCatalogue, entityName, type Attribute } from './catalogue.ts'
import { flagValues, NONE } from './flag-values.ts'
import { findSales } from './sales.ts'
import { REVENUE, UNITS_SOLD, type Metric, type Terms } from './terms.ts'

/** The different values of a column, or undefined if there are too many. */
export type Sample = (table: string, column: string) => Promise<readonly string[] | undefined>

const CALLED_OFF = /^cancell?ed$/i

/** First terms of a database, from its names, links and few-valued columns, for a person to correct. */
export async function draftTerms(schema: DatabaseSchema, sample: Sample): Promise<Partial<Terms>> {
  const catalogue = buildCatalogue(schema)
  const tables: Terms['tables'] = {}
  const columns: Terms['columns'] = {}
  for (const entity of catalogue.entities.filter((e) => e.table.kind === 'table')) {
    tables[entityName(entity)] = { called: [entity.noun] }
    for (const attribute of entity.attributes.filter((a) => !a.isKey && !entity.label.includes(a) && isText(a))) {
      const sampleValues = await sample(entityName(entity), attribute.column.name)
      if (sampleValues === undefined || sampleValues.length === 0) continue
      const present = sampleValues.filter((value) => !NONE.includes(value.toLowerCase()))
      const flags = sampleValues.length > 1 ? flagValues(sampleValues) : undefined
      columns[`${entityName(entity)}.${attribute.column.name}`] =
        flags === undefined
          ? { called: [], values: Object.fromEntries(present.map((value) => [value, []])) }
          : { called: [], values: {}, yes: [...flags.yes], no: [...flags.no] }
    }
  }
  const joins = catalogue.entities.flatMap((e) =>
    e.edges.flatMap((edge) =>
      edge.kind === 'one' && !edge.declared
        ? [`${entityName(edge.from)}.${edge.fromColumns[0]} = ${entityName(edge.to)}.${edge.toColumns[0]}`]
        : [],
    ),
  )
  return { tables, columns, metrics: metricsOf(findSales(catalogue), columns), joins, verified: [] }
}

function isText({ column }: Attribute): boolean {
  return column.kind === 'text' || column.kind === 'other'
}

/** The sales metric, if only the order lines have amounts. If there is also a total column, the question decides. */
function metricsOf({ header, line }: ReturnType<typeof findSales>, columns: Terms['columns']): Terms['metrics'] {
  if (line === undefined) return {}
  const name = (attribute: Attribute): string => attribute.column.name
  const lineTable = entityName(line.entity)
  const status = header?.entity.attributes.find((a) => a.words.at(-1) === 'status')
  const place = status === undefined ? undefined : `${status.entity.table.name}.${name(status)}`
  const off = Object.keys(columns[place ?? '']?.values ?? {}).filter((value) => CALLED_OFF.test(value))
  const filter =
    place === undefined || off.length === 0 ? {} : { where: off.map((v) => `${place} <> '${v}'`).join(' AND ') }
  const amount = line.amount === undefined ? undefined : name(line.amount)
  const product = line.price && line.quantity ? `${name(line.price)} * ${name(line.quantity)}` : undefined
  const row = amount ?? product
  const revenue: Metric | undefined =
    row === undefined || header?.total !== undefined || line.discounted
      ? undefined
      : { called: ['sales', 'turnover'], of: lineTable, value: `SUM(${row})`, ...filter, unit: 'money' }
  const units: Metric | undefined =
    line.quantity === undefined
      ? undefined
      : { called: [], of: lineTable, value: `SUM(${name(line.quantity)})`, ...filter }
  return { ...(revenue && { [REVENUE]: revenue }), ...(units && { [UNITS_SOLD]: units }) }
}

const HEADER = `# What the people who use this database mean by their words. Written from the schema: please correct it.
#   tables:   what a row is called, in the singular (the first name is used in answers); \`where\` holds of all rows meant
#   columns:  what a column is called; its values, each with the words that mean it; what it holds for yes and for no
#   metrics:  figures: the table they are computed \`of\`, the SQL \`value\`, a \`where\`, \`unit: money\`
#   joins:    links that no foreign key tells, as table.column = table.column
#   verified: questions with SQL that you have found right; each is used again for the same question;
#             :today in it is the day of the question
`

/** The terms as a file, without empty parts. */
export async function printTerms(terms: Partial<Terms>): Promise<string> {
  const { stringify } = await import('yaml')
  const columns = Object.fromEntries(
    Object.entries(terms.columns ?? {}).map(([name, { called, values, ...flags }]) => [
      name,
      { ...(called.length === 0 ? {} : { called }), ...(Object.keys(values).length === 0 ? {} : { values }), ...flags },
    ]),
  )
  return HEADER + stringify({ ...terms, columns }, { lineWidth: 120 })
}
