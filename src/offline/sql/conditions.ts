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
import { amountAttribute, chooseColumn, chooseHit, entityOf, nameOf, nearestEventDate, only } from './resolve.ts'
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
  const unlessNegated = (sql: string): string => (isNegated ? `NOT (${sql})` : sql)
  switch (test.kind) {
    case 'value':
      return valueSql(test, isNegated, text, place)
    case 'compare': {
      const attribute = test.names === undefined ? amountAttribute(entity) : chooseColumn(test.names, entity, text)
      if (attribute === undefined) return declineQuestion(`I do not know what is “${text}”.`)
      if (test.names === undefined) assumptions.add(`“${text}” is about ${nameOf(attribute)}`)
      return unlessNegated(boundSql(columnAt(attribute, place), test.bound))
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
      return periodSql(columnAt(date, place), date, test.period)
    }
    case 'related':
      return relatedSql(test.scope, test.bound, isNegated, text, place)
    case 'hierarchy': {
      const hit = only(test.hits) ?? declineQuestion(`“${text}” may mean more than one column.`)
      const inner = from.inner(entity)
      inner.where.push(hitsSql([hit], inner.root, from), from.link(test.edge, from.alias(path), inner.root))
      return `${isNegated ? 'NOT ' : ''}EXISTS (SELECT 1 ${inner.sql()})`
    }
    case 'late':
      if (!test.isDone)
        return declineQuestion(
          '“late” may mean done too late, or still to be done. Please say “were late” or “overdue”.',
        )
      return unlessNegated(lateSql(place))
    case 'overdue':
      return unlessNegated(overdueSql(place))
  }
}

/** Nothing is in a column: no value, no text or 0. */
function emptySql(attribute: Attribute, isNegated: boolean, place: Place): string {
  const column = columnAt(attribute, place)
  const isText = /char|text|string/i.test(attribute.column.type) && !isDate(attribute)
  const zero = isNumericAttribute(attribute) ? '0' : isText ? `''` : undefined
  if (zero === undefined) return `${column} IS ${isNegated ? 'NOT ' : ''}NULL`
  if (zero === '0') place.assumptions.add(`${nameOf(attribute)} counts as none where it is 0 or empty`)
  return isNegated ? `${column} <> ${zero}` : `(${column} IS NULL OR ${column} = ${zero})`
}

/** A column of the rows, or of the one row of another table that they belong to. */
function columnAt(attribute: Attribute, { from, path, entity }: Place): string {
  const rest = pathTo(entity, attribute.entity)
  if (!isToOne(rest)) return declineQuestion(`${entity.nouns} have more than one ${attribute.words.join(' ')}.`)
  return from.column([...path, ...rest], attribute)
}

function valueSql(
  { hits, others, isNamed }: Extract<Test, { kind: 'value' }>,
  isNegated: boolean,
  text: string,
  place: Place,
): string {
  const { from, path, entity } = place
  const first = chooseHit({ hits, isNamed }, entity, from.catalogue, text)
  const chosen = [hits, ...others].map(
    (some) =>
      some.find((one) => one.table === first.table && one.column === first.column) ??
      declineQuestion(`I do not understand “${text}”.`),
  )
  const owner = entityOf(from.catalogue, first.table)
  const rest = pathTo(entity, owner)
  const isTree = owner.edges.some(({ from: own, to, role }) => own === to && role[0] === 'parent')
  if (isTree && rest.length > 0) return declineQuestion(`“${text}” may have others of ${owner.nouns} below it.`)
  if (isToOne(rest)) {
    const sql = hitsSql(chosen, from.alias([...path, ...rest]), from)
    return isNegated ? `(${sql}) IS NOT TRUE` : sql
  }
  if (place.isSum) return declineQuestion(`A figure of ${entity.nouns} may be about “${text}” only in part.`)
  const exists = existsSql(place, rest, (inner, at) => [hitsSql(chosen, inner.alias(at), inner)])
  return isNegated ? `NOT ${exists}` : exists
}

/** That a column, or a first and a last name, has one of the values. */
function hitsSql(hits: readonly ValueHit[], alias: string, from: From): string {
  const [{ column, second }] = hits as readonly [ValueHit]
  const { dialect } = from.catalogue
  const names = second === undefined ? [column] : [column, second]
  const value = concatNames(
    names.map((name) => ({ sql: `${alias}.${quoteIdentifier(name, dialect)}`, nullable: false })),
    dialect,
  )
  const texts = hits.map((hit) => from.text(hit.value))
  return texts.length === 1 ? `${value} = ${texts[0]}` : `${value} IN (${texts.join(', ')})`
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

/** That there are, or are not, or how many rows there are in another table. */
function relatedSql(scope: Scope, bound: Bound | undefined, isNegated: boolean, text: string, place: Place): string {
  const { from, path, entity } = place
  const steps = pathTo(entity, scope.entity, scope.via)
  const inside = (inner: From, at: Path): string[] =>
    scope.conditions.map((one) => conditionSql(one, { ...place, from: inner, path: at, entity: scope.entity }))
  if (isToOne(steps)) {
    if (bound !== undefined) return declineQuestion(`There is at most one of “${text}” for each of ${entity.nouns}.`)
    const all = [...path, ...steps]
    const sql = [`${from.key(all, scope.entity)} IS NOT NULL`, ...inside(from, all)].join(' AND ')
    return isNegated ? `(${sql}) IS NOT TRUE` : sql
  }
  if (bound === undefined) {
    // A row that leads to no row of the far table has none.
    const isSure = steps.at(-1)!.kind === 'many' || scope.conditions.length > 0
    const present = (inner: From, at: Path) => (isSure ? [] : [`${inner.key(at, scope.entity)} IS NOT NULL`])
    const exists = existsSql(place, steps, (inner, at) => [...present(inner, at), ...inside(inner, at)])
    return isNegated ? `NOT ${exists}` : exists
  }
  if (isNegated) return declineQuestion(`I do not understand “${text}” with a negation.`)
  const counted = (inner: From, at: Path): string =>
    steps.every(isToMany) ? '*' : `DISTINCT ${inner.key(at, scope.entity)}`
  return boundSql(
    existsSql(place, steps, inside, (inner, at) => `(SELECT COUNT(${counted(inner, at)}) `),
    bound,
  )
}

function boundSql(sql: string, { op, value }: Bound): string {
  return `${sql} ${op} ${value}`
}

function flagSql(attribute: Attribute, isYes: boolean, place: Place): string {
  const { from } = place
  const { dialect, flags } = from.catalogue
  const column = columnAt(attribute, place)
  const values = flags.get(attribute)
  if (values === undefined) return `${column} = ${booleanLiteral(isYes, true, dialect)}`
  const isNumber = attribute.column.kind === 'number'
  const stored = (isYes ? values.yes : values.no).map((value) => (isNumber ? value : from.text(value)))
  return `${column} IN (${stored.join(', ')})`
}

export function periodSql(column: string, attribute: Attribute, { from, before }: Period): string {
  const isNumber = !isDate(attribute) && isYearAttribute(attribute)
  if (isNumber && [from, before].some((day) => day !== undefined && !day.endsWith('-01-01')))
    return declineQuestion(`${nameOf(attribute)} knows years only.`)
  const day = (iso: string): string => (isNumber ? iso.slice(0, 4) : `'${iso}'`)
  return [
    ...(from === undefined ? [] : [`${column} >= ${day(from)}`]),
    ...(before === undefined ? [] : [`${column} < ${day(before)}`]),
  ].join(' AND ')
}

const DUE = /^(?:due|required|expected|promised)$/
const DONE = /^(?:delivered|delivery|return|returned|received|arrived)$/

const datesOf = ({ attributes }: Entity, name: RegExp): readonly Attribute[] =>
  attributes.filter((one) => isDate(one) && name.test(one.words[0] ?? ''))

/** The date column of a table or of a neighbour. Undefined unless there is one. */
function dateNear(entity: Entity, name: RegExp): { readonly attribute: Attribute; readonly path: Path } | undefined {
  const own = datesOf(entity, name).map((attribute) => ({ attribute, path: [] }))
  const near = entity.edges
    .filter(({ to }) => to !== entity)
    .flatMap((edge) => datesOf(edge.to, name).map((attribute) => ({ attribute, path: [edge] })))
  return only(own.length > 0 ? own : near)
}

/** Done after it was due. */
function lateSql(place: Place): string {
  const { from, path, entity, assumptions } = place
  const [due, done] = [dateNear(entity, DUE), dateNear(entity, DONE)]
  if (due === undefined || done === undefined || (due.path.length > 0 && done.path.length > 0))
    return declineQuestion(`I do not know when ${entity.nouns} are late.`)
  assumptions.add(`late is ${nameOf(done.attribute)} after ${nameOf(due.attribute)}`)
  const dueColumn = columnAt(due.attribute, place)
  if (isToOne(done.path)) return `${from.column([...path, ...done.path], done.attribute)} > ${dueColumn}`
  return existsSql(place, done.path, (inner, at) => [`${inner.column(at, done.attribute)} > ${dueColumn}`])
}

/** Due before today, and not done; an invoice, not paid. */
function overdueSql({ entity, from, path, today, assumptions }: Place): string {
  const due = only(datesOf(entity, DUE))
  const dates = datesOf(entity, DONE)
  const isInvoice = entity.words.some((word) => /^(?:invoice|bill)s?$/.test(word))
  const status = entity.attributes.find(({ words }) => isInvoice && /^(?:status|state)$/.test(words.at(-1) ?? ''))
  const done = dates.length === 0 ? status : only(dates)
  if (due === undefined || done === undefined) return declineQuestion(`I do not know when ${entity.nouns} are overdue.`)
  const [sql, words] = done === status ? ["<> 'paid'", 'not “paid”'] : ['IS NULL', 'empty']
  assumptions.add(`overdue is ${nameOf(due)} before ${today} where ${nameOf(done)} is ${words}`)
  return `${from.column(path, due)} < '${today}' AND ${from.column(path, done)} ${sql}`
}
