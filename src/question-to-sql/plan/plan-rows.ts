import { given } from '../../core/given.ts'
import { isYear, qualifiedName, type Attribute, type Entity } from '../../terms/catalogue.ts'
import { quoteName } from '../../terms/dialect.ts'
import { describeConditions } from './explain.ts'
import { headingOf, roleOf } from './figure.ts'
import { columnOf } from './figures.ts'
import { choosePath } from './choose-path.ts'
import { yesOf } from '../../terms/flags.ts'
import { isToOne } from '../../terms/joins.ts'
import type { AttributeMatch } from '../../terms/names.ts'
import type { Planned } from './planned.ts'
import { isNameOnly, predicates } from './predicates.ts'
import type { Reading } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { resolveAttribute } from './resolve.ts'
import { aliasOf, attributeRef, fromOf, labelRef, nameOf, openScope, type PlanContext, type Scope } from './scope.ts'
import { printSelect } from './select.ts'
import type { AnswerColumn, AnswerList } from '../types.ts'
import { plural, singular } from '../../terms/words.ts'

/** Further columns that a plain list shows beside the name. */
const DETAIL_COLUMNS = 7

/** A list of rows, or of the different values of a column. */
export function planRows(context: PlanContext, reading: Reading): Planned {
  const entity = listedEntity(context, reading)
  if (entity === undefined) return planValues(context, reading)
  const scope = openScope(context, entity)
  const where = predicates(scope, reading.conditions)
  const columns = rowColumns(scope, reading)
  const sorted = sortColumn(scope, reading)
  const tie = entity.keys.map((k) => attributeRef(scope, scope.base, k))
  const label = columns[0]
  const orderBy = [...sorted, ...(label === undefined ? [] : [label.alias]), ...tie]
  const limit = reading.limit ?? context.maxRows
  const sql = printSelect({ columns, ...fromOf(scope), where, orderBy, limit })
  const texts = reading.selected.map((s) => s.text)
  const shown = texts.length > 0 ? ` with their ${listed(texts, 'and')}` : ''
  return {
    sql,
    shape: 'rows',
    list: listOf(entity.noun, entity.nouns, reading, reading.limit === undefined ? limit : undefined),
    explanation: `Lists ${entity.nouns}${shown}${describeConditions(reading.conditions)}, at most ${limit}.`,
    columns: columns.map((c) => c.answer),
  }
}

export interface RowColumn {
  readonly sql: string
  readonly alias: string
  readonly answer: AnswerColumn
}

/** How a list is spoken of; where the question gave no number, it may have been cut. */
export function listOf(noun: string, nouns: string, { conditions }: Reading, cutAt: number | undefined): AnswerList {
  return { noun, nouns, where: describeConditions(conditions).replace(/^,/, ''), ...given({ limit: cutAt }) }
}

/** The table whose rows are listed: the subject, or the one that the conditions and columns agree on. */
function listedEntity(context: PlanContext, reading: Reading): Entity | undefined {
  if (reading.subject?.kind === 'entity') return reading.subject.entity
  if (reading.subject !== undefined) return undefined
  if (reading.selected.length === 0)
    return refuse('I do not see what the question asks for. Please name a table, a column or a figure.')
  return entityOfCondition(context, reading)
}

function hasOwn(reading: Reading, entity: Entity): boolean {
  return reading.selected.every((s) => s.candidates.some((c) => c.attribute.entity === entity))
}

/** `the email of Luis Goncalves`: the value says whose. */
function entityOfCondition(context: PlanContext, reading: Reading): Entity | undefined {
  for (const condition of reading.conditions) {
    if (condition.kind === 'person') return condition.entity
    if (condition.anchor !== undefined) return condition.anchor
    if (condition.kind !== 'value') continue
    const hits = condition.alternatives.flat()
    const owners = context.catalogue.entities.filter(
      (e) =>
        hasOwn(reading, e) &&
        hits.some((h) => h.table === qualifiedName(e) && e.label.some((l) => l.column.name === h.column)),
    )
    if (owners.length === 1) return owners[0]
    if (owners.length > 1)
      return refuse(`“${condition.text}” could be one of the ${listed(owners.map((o) => o.nouns))}. Please say which.`)
  }
  if (reading.conditions.length > 0)
    return refuse(`I do not see whose “${reading.selected[0]?.text}” is asked for. Please name the table.`)
  return undefined
}

/** What a list shows of each row: its name, and the columns asked for or else some details. */
export function rowColumns(scope: Scope, reading: Reading): readonly RowColumn[] {
  const { entity } = scope.base
  const { dialect } = scope.context.catalogue
  const taken = new Set<string>()
  const column = (sql: string, title: string, role: AnswerColumn['role'], of?: Attribute): RowColumn => {
    const alias = aliasOf(of === undefined ? title : headingOf(title, of))
    let name = alias
    for (let n = 2; taken.has(name); n++) name = `${alias}_${n}`
    taken.add(name)
    const about = given({ unit: of?.unit, yes: yesOf(scope.context.catalogue, of) })
    return { sql, alias: quoteName(name, dialect), answer: { name, role, title, ...about } }
  }
  const hasName = entity.label.length > 0
  const columns = [
    column(
      labelRef(scope, scope.base),
      hasName
        ? entity.noun
        : `${entity.noun} ${/^(?:no|number|code)$/.exec(entity.keys[0]?.words.at(-1) ?? '')?.[0] ?? 'id'}`,
      'label',
    ),
  ]
  const shown =
    reading.selected.length > 0
      ? selectedColumns(scope, reading.selected)
      : detailsOf(entity, reading).map((attribute) => ({ attribute, sql: attributeRef(scope, scope.base, attribute) }))
  for (const { attribute, sql } of shown) {
    if (entity.label.length === 1 && attribute === entity.label[0]) continue
    columns.push(
      column(
        sql,
        attribute.words.join(' '),
        attribute.column.kind === 'number' && !attribute.isKey && !isYear(attribute) ? roleOf(attribute) : 'label',
        attribute,
      ),
    )
  }
  return columns
}

/** Columns that were compared with each other; else the first few. */
function detailsOf(entity: Entity, reading: Reading): readonly Attribute[] {
  const compared = reading.conditions.flatMap((c) => (c.kind === 'columns' ? [c.left, c.right] : []))
  return compared.length > 0 && compared.every((a) => a.entity === entity) ? compared : details(entity)
}

function details(entity: Entity): readonly Attribute[] {
  return entity.attributes
    .filter(
      (a) =>
        !a.isKey && !entity.label.includes(a) && a.column.kind !== 'json' && !/blob|bytea|binary/.test(a.column.type),
    )
    .slice(0, DETAIL_COLUMNS)
}

function selectedColumns(
  scope: Scope,
  selected: readonly AttributeMatch[],
): readonly { readonly attribute: Attribute; readonly sql: string }[] {
  const { base, context } = scope
  return selected.flatMap((match) => {
    if (isNameOnly(match.text, base.entity)) return []
    const attribute = resolveAttribute(context, match, base.entity)
    return [{ attribute, sql: ofEachRow(scope, attribute) }]
  })
}

/** A column of which each row has one. */
export function ofEachRow(scope: Scope, attribute: Attribute): string {
  const { base, context } = scope
  const path = choosePath(base.entity, attribute.entity, context.hints)
  if (path !== undefined && isToOne(path)) return attributeRef(scope, scope.reach(base, path), attribute)
  return refuse(
    `Each of the ${base.entity.nouns} has many of ${nameOf(attribute)}. Please list ${attribute.entity.nouns} instead.`,
  )
}

function sortColumn(scope: Scope, reading: Reading): readonly string[] {
  const { sort } = reading
  if (sort === undefined) return []
  if (sort.by.kind === 'measure')
    return refuse(
      'I cannot sort a list by a figure. Please ask for the top of it instead, as in “top 10 … by revenue”.',
    )
  if (isNameOnly(sort.by.match.text, scope.base.entity))
    return [`${labelRef(scope, scope.base)} ${sort.direction.toUpperCase()}`]
  const attribute = resolveAttribute(scope.context, sort.by.match, scope.base.entity)
  return [`${ofEachRow(scope, attribute)} ${sort.direction.toUpperCase()}`]
}

/** `which countries do customers come from`: the different values of a column. */
function planValues(context: PlanContext, reading: Reading): Planned {
  const match = reading.subject?.kind === 'attribute' ? reading.subject.match : reading.selected[0]
  if (match === undefined || reading.selected.length > 1)
    return refuse('I do not see which rows the question asks for. Please name a table.')
  const attribute = columnOf(context, match, reading)
  const scope = openScope(context, attribute.entity)
  const where = predicates(scope, reading.conditions)
  const column = attributeRef(scope, scope.base, attribute)
  const title = attribute.words.join(' ')
  const alias = quoteName(aliasOf(title), context.catalogue.dialect)
  const present = attribute.column.nullable ? [`${column} IS NOT NULL`] : []
  const direction = reading.sort?.direction === 'desc' ? ' DESC' : ''
  const sql = printSelect({
    distinct: true,
    columns: [{ sql: column, alias }],
    ...fromOf(scope),
    where: [...where, ...present],
    orderBy: [`${alias}${direction}`],
    limit: reading.limit ?? context.maxRows,
  })
  return {
    sql,
    shape: 'rows',
    list: listOf(
      title,
      pluralName(attribute.words),
      reading,
      reading.limit === undefined ? context.maxRows : undefined,
    ),
    explanation: `Lists the different values of ${nameOf(attribute)}${describeConditions(reading.conditions)}.`,
    columns: [{ name: aliasOf(title), role: 'label', title }],
  }
}

function pluralName(words: readonly string[]): string {
  return [...words.slice(0, -1), plural(singular(words.at(-1) ?? ''))].join(' ')
}
