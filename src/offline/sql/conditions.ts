import {
  type Attribute,
  type Entity,
  isDate,
  isNumericAttribute,
  isYearAttribute,
} from '../../databases/glossary/catalogue.ts'
import { booleanLiteral, concatNames, quoteIdentifier } from '../../databases/glossary/dialect.ts'
import type { Period } from '../language/periods.ts'
import { type From, pathTo } from './from.ts'
import { isToMany, isToOne, type Path } from './paths.ts'
import type { Bound, Condition, Scope, Test } from './reading.ts'
import { amountAttribute, chooseColumn, chooseHit, entityOf, nameOf, nearestEventDate } from './resolve.ts'
import { declineQuestion, type ValueHit } from './types.ts'

interface Place {
  readonly from: From
  /** Where the rows are that the condition is about, seen from the query's own table. */
  readonly path: Path
  readonly entity: Entity
  readonly today: string
  readonly assumptions: Set<string>
  readonly isSum: boolean
}

/** A condition as SQL. */
export function conditionSql(condition: Condition, place: Place): string {
  const { test, isNegated, text } = condition
  const { from, path, entity, assumptions } = place
  switch (test.kind) {
    case 'value':
      return valueSql(test, isNegated, text, place)
    case 'compare': {
      const attribute = test.names === undefined ? amountAttribute(entity) : chooseColumn(test.names, entity, text)
      if (attribute === undefined) return declineQuestion(`I do not know what is “${text}”.`)
      if (test.names === undefined) assumptions.add(`“${text}” is about ${nameOf(attribute)}`)
      const sql = boundSql(parentColumn(attribute, place), test.bound)
      return isNegated ? `NOT (${sql})` : sql
    }
    case 'null':
      return emptySql(test.attribute, isNegated, place)
    case 'flag':
      return flagSql(test.attribute, !isNegated, place)
    case 'period': {
      const date = test.date ?? nearestEventDate(entity)
      if (date === undefined) return declineQuestion(`I do not know which date of ${entity.nouns} “${text}” is about.`)
      if (test.period.assumption !== undefined) assumptions.add(test.period.assumption)
      if (date !== nearestEventDate(date.entity)) assumptions.add(`the date is ${nameOf(date)}`)
      return periodSql(parentColumn(date, place), date, test.period)
    }
    case 'related':
      return relatedSql(test.scope, test.bound, isNegated, text, place)
    case 'hierarchy': {
      const { edge, hits } = test
      const [hit, other] = hits
      if (hit === undefined || other !== undefined) return declineQuestion(`“${text}” may mean more than one column.`)
      const inner = from.inner(entity)
      inner.where.push(hitSql(hit, inner.root, from), from.link(edge, from.alias(path), inner.root))
      return `${isNegated ? 'NOT ' : ''}EXISTS (SELECT 1 ${inner.sql()})`
    }
    case 'late':
    case 'overdue': {
      const found = test.kind === 'late' ? latenessOf(entity) : overdueOf(entity)
      if (found === undefined) return declineQuestion(`I do not know when ${entity.nouns} are ${test.kind}.`)
      if (test.kind === 'late' && !test.isDone)
        return declineQuestion(
          '“late” may mean done too late, or still to be done. Please say “were late” or “overdue”.',
        )
      const [sql, assumption] = found.sql(from, path, place.today)
      assumptions.add(assumption)
      return isNegated ? `NOT (${sql})` : sql
    }
  }
}

/** Nothing is in a column: no value, no text or 0. */
function emptySql(attribute: Attribute, isNegated: boolean, place: Place): string {
  const column = parentColumn(attribute, place)
  const zero = isNumericAttribute(attribute)
    ? '0'
    : /char|text|string/i.test(attribute.column.type) && !isDate(attribute)
      ? `''`
      : undefined
  if (zero === undefined) return `${column} IS ${isNegated ? 'NOT ' : ''}NULL`
  if (zero === '0') place.assumptions.add(`${nameOf(attribute)} counts as none where it is 0 or empty`)
  return isNegated ? `${column} <> ${zero}` : `(${column} IS NULL OR ${column} = ${zero})`
}

function parentColumn(attribute: Attribute, { from, path, entity }: Place): string {
  const rest = pathTo(entity, attribute.entity)
  if (!isToOne(rest)) return declineQuestion(`${entity.nouns} have more than one ${attribute.words.join(' ')}.`)
  return from.column([...path, ...rest], attribute)
}

function valueSql(
  { hits, others, isBoth, isNamed }: Extract<Test, { kind: 'value' }>,
  isNegated: boolean,
  text: string,
  place: Place,
): string {
  const values = [hits, ...others]
  const { from, path, entity } = place
  const first = chooseHit({ hits, isNamed }, entity, from.catalogue, text)
  const chosen = values.map(
    (hits) =>
      hits.find((one) => one.table === first.table && one.column === first.column) ??
      declineQuestion(`I do not understand “${text}”.`),
  )
  const owner = entityOf(from.catalogue, first.table)
  const rest = pathTo(entity, owner)
  const isTree = owner.edges.some(({ from: own, to, role }) => own === to && role[0] === 'parent')
  if (isTree && rest.length > 0) return declineQuestion(`“${text}” may have others of ${owner.nouns} below it.`)
  if (isToOne(rest)) {
    const alias = from.alias([...path, ...rest])
    const sql = hitsSql(chosen, alias, from)
    if (!isNegated) return sql
    return rest.length > 0 || isNullable(owner, first.column) ? `(${sql}) IS NOT TRUE` : `NOT (${sql})`
  }
  if (isBoth === true)
    return declineQuestion(`I cannot tell whether “${text}” means one of them or all. Please use “or”.`)
  if (place.isSum) return declineQuestion(`A figure of ${entity.nouns} may be about “${text}” only in part.`)
  const exists = existsSql(place, rest, (inner, at) => [hitsSql(chosen, inner.alias(at), inner)])
  return isNegated ? `NOT ${exists}` : exists
}

function isNullable({ table }: Entity, column: string): boolean {
  return table.columns.find(({ name }) => name === column)?.nullable !== false
}

function hitsSql(hits: readonly ValueHit[], alias: string, from: From): string {
  const [hit, ...more] = hits
  if (more.length === 0) return hitSql(hit!, alias, from)
  return `${valueOf(hit!, alias, from)} IN (${hits.map(({ value }) => from.text(value)).join(', ')})`
}

function hitSql(hit: ValueHit, alias: string, from: From): string {
  return `${valueOf(hit, alias, from)} = ${from.text(hit.value)}`
}

function valueOf({ column, second }: ValueHit, alias: string, { catalogue: { dialect } }: From): string {
  const names = [column, ...(second === undefined ? [] : [second])].map((name) => quoteIdentifier(name, dialect))
  return concatNames(
    names.map((name) => ({ sql: `${alias}.${name}`, nullable: false })),
    dialect,
  )
}

/** A subquery along a path from parents to children, tied to the rows at the place. */
function existsSql(
  { from, path }: Place,
  steps: Path,
  conditions: (inner: From, at: Path) => readonly string[],
  what: (inner: From, at: Path) => string = () => 'EXISTS (SELECT 1 ',
): string {
  const [first, ...rest] = steps
  const inner = from.inner(first!.to)
  inner.where.push(from.link(first!, from.alias(path), inner.root), ...conditions(inner, rest))
  inner.alias(rest)
  return `${what(inner, rest)}${inner.sql()})`
}

function relatedSql(scope: Scope, bound: Bound | undefined, isNegated: boolean, text: string, place: Place): string {
  const { from, path, entity } = place
  const steps = pathTo(entity, scope.entity, scope.via)
  const inside = (inner: From, at: Path): string[] =>
    scope.conditions.map((one) => conditionSql(one, { ...place, from: inner, path: at, entity: scope.entity }))
  if (isToOne(steps)) {
    if (bound !== undefined) return declineQuestion(`There is at most one of “${text}” for each of ${entity.nouns}.`)
    const all = [...path, ...steps]
    const present = from.key(all, scope.entity)
    const sql = [`${present} IS NOT NULL`, ...inside(from, all)].join(' AND ')
    return isNegated ? `(${sql}) IS NOT TRUE` : sql
  }
  // A row that leads to no row of the far table has none.
  const present = (inner: From, at: Path): string[] =>
    steps.at(-1)!.kind === 'many' || scope.conditions.length > 0 ? [] : [`${inner.key(at, scope.entity)} IS NOT NULL`]
  const all = (inner: From, at: Path): string[] => [...present(inner, at), ...inside(inner, at)]
  if (bound === undefined) return `${isNegated ? 'NOT ' : ''}${existsSql(place, steps, all)}`
  if (isNegated) return declineQuestion(`I do not understand “${text}” with a negation.`)
  const isPlain = steps.every(isToMany)
  const count = existsSql(
    place,
    steps,
    inside,
    (inner, at) => `(SELECT COUNT(${isPlain ? '*' : `DISTINCT ${inner.key(at, scope.entity)}`}) `,
  )
  return boundSql(count, bound)
}

export function boundSql(sql: string, { op, value }: Bound): string {
  return `${sql} ${op} ${value}`
}

function flagSql(attribute: Attribute, isYes: boolean, place: Place): string {
  const { from } = place
  const { dialect, flags } = from.catalogue
  const column = parentColumn(attribute, place)
  const values = flags.get(attribute)
  if (values === undefined) return `${column} = ${booleanLiteral(isYes, true, dialect)}`
  const stored = (isYes ? values.yes : values.no).map((value) =>
    attribute.column.kind === 'number' ? value : from.text(value),
  )
  return stored.length === 1 ? `${column} = ${stored[0]}` : `${column} IN (${stored.join(', ')})`
}

export function periodSql(column: string, attribute: Attribute, { from, before }: Period): string {
  const isNumber = !isDate(attribute) && isYearAttribute(attribute)
  if (isNumber && [from, before].some((day) => day !== undefined && !day.endsWith('-01-01'))) {
    return declineQuestion(`${nameOf(attribute)} knows years only.`)
  }
  const day = (iso: string): string => (isNumber ? iso.slice(0, 4) : `'${iso}'`)
  return [
    ...(from === undefined ? [] : [`${column} >= ${day(from)}`]),
    ...(before === undefined ? [] : [`${column} < ${day(before)}`]),
  ].join(' AND ')
}

const DUE = /^(?:due|required|expected|promised)$/
const DONE = /^(?:delivered|delivery|return|returned|received|arrived)$/

interface Lateness {
  /** The condition and its assumptions. */
  sql(from: From, path: Path, today: string): readonly [sql: string, assumption: string]
}

interface Dated {
  readonly attribute: Attribute
  readonly path: Path
}

/** Date columns of a table, of its parent tables and of its child tables. */
function datesNear(entity: Entity, name: RegExp): readonly Dated[] {
  const near: readonly Path[] = [[], ...entity.edges.filter(({ to }) => to !== entity).map((edge) => [edge])]
  return near.flatMap((path) =>
    (path.at(-1)?.to ?? entity).attributes
      .filter((one) => isDate(one) && name.test(one.words[0] ?? ''))
      .map((attribute) => ({ attribute, path })),
  )
}

/** Late: done after it was due. Undefined unless there is one date for each. */
function latenessOf(entity: Entity): Lateness | undefined {
  const [due, done] = [datesNear(entity, DUE), datesNear(entity, DONE)].map((dates) => {
    const own = dates.filter(({ path }) => path.length === 0)
    return own.length > 0 ? own : dates
  })
  const [one, other] = [due?.[0], done?.[0]]
  if (one === undefined || other === undefined || due!.length > 1 || done!.length > 1) return undefined
  if (one.path.length > 0 && (other.path.length > 0 || !isToOne(one.path))) return undefined
  return {
    sql(from, path) {
      const assumption = `late is ${nameOf(other.attribute)} after ${nameOf(one.attribute)}`
      const due = from.column([...path, ...one.path], one.attribute)
      const [edge] = other.path
      if (edge === undefined || edge.kind === 'one')
        return [`${from.column([...path, ...other.path], other.attribute)} > ${due}`, assumption]
      const inner = from.inner(edge.to)
      inner.where.push(from.link(edge, from.alias(path), inner.root), `${inner.column([], other.attribute)} > ${due}`)
      return [`EXISTS (SELECT 1 ${inner.sql()})`, assumption]
    },
  }
}

/** Overdue: due before today, and not paid or done. */
function overdueOf(entity: Entity): Lateness | undefined {
  const own = (name: RegExp): Attribute[] =>
    entity.attributes.filter((one) => isDate(one) && name.test(one.words[0] ?? ''))
  const [due, ...others] = own(DUE)
  const status = entity.attributes.find(
    (one) => one.column.kind === 'text' && /^(?:status|state)$/.test(one.words.at(-1) ?? ''),
  )
  const [done, ...more] = own(DONE)
  if (due === undefined || others.length > 0 || more.length > 0) return undefined
  if (done === undefined && (status === undefined || !entity.words.some((word) => /^(?:invoice|bill)s?$/.test(word))))
    return undefined
  return {
    sql(from, path, today) {
      const open = done === undefined ? `${from.column(path, status!)} <> 'paid'` : `${from.column(path, done)} IS NULL`
      const rest = done === undefined ? `${nameOf(status!)} is not “paid”` : `${nameOf(done)} is empty`
      return [
        `${from.column(path, due)} < '${today}' AND ${open}`,
        `overdue is ${nameOf(due)} before ${today} where ${rest}`,
      ]
    },
  }
}
