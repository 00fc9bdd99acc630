import type { Attribute, Catalogue, Entity } from '../../databases/glossary/catalogue.ts'
import { quoteIdentifier, truncateDate } from '../../databases/glossary/dialect.ts'
import { conditionSql } from './conditions.ts'
import { checkOwners, columnOf, figureOf, joinPath, titled, type Figure } from './figure.ts'
import { From, pathTo } from './from.ts'
import { PARTICIPLE } from './names.ts'
import { isToOne, type Path } from './paths.ts'
import type { Condition, Group, Measure, Reading, Scope } from './reading.ts'
import { amountAttribute, chooseColumn, eventDate, nameOf, nearestEventDate } from './resolve.ts'
import { declineQuestion, type AnswerColumn, type LinkedQuery } from './types.ts'

export interface PlanOptions {
  readonly catalogue: Catalogue
  readonly today: string
  readonly maxRows: number
}

export type BuiltQuery = Pick<LinkedQuery, 'sql' | 'shape' | 'columns' | 'where' | 'noun' | 'limit'>

/** A column of the SELECT clause, and what to group by for it. */
interface Selected {
  readonly sql: string
  readonly column: AnswerColumn
  readonly groupBy: readonly string[]
}

/** Builds figures, groups and lists. */
export class QueryBuilder {
  protected readonly reading: Reading
  protected readonly options: PlanOptions
  protected readonly catalogue: Catalogue
  /** Whether amounts are summed. A value in another table may apply to only a part of an amount. */
  protected isSum = false

  constructor(reading: Reading, options: PlanOptions) {
    this.reading = reading
    this.options = options
    this.catalogue = options.catalogue
  }

  /** A figure, or one for each group. */
  figure(): BuiltQuery {
    const { groups, measures } = this.reading
    const figure = this.figureFor(measures[0]!)
    const zeros = this.withZeros(figure)
    if (zeros !== undefined) return zeros
    const { from } = this.rows(figure)
    if (figure.isMedian === true) return this.median(figure, from)
    const selected = groups.map((group) => this.group(group, from, figure))
    const value = this.valueOf(figure, from)
    const columns = [...selected.map(({ column }) => column), figure.column]
    const list = this.select([...selected.map(({ sql }) => sql), value], columns)
    if (selected.length === 0) return this.built(`${list} ${from.sql()}`, 'figure', columns)
    const grouped = `${from.sql()} GROUP BY ${selected.flatMap(({ groupBy }) => groupBy).join(', ')}`
    if (this.reading.rank !== undefined) return this.ranked(list, value, grouped, columns)
    const order = groups.some(({ kind }) => kind === 'grain') ? '1' : `${columns.length} DESC, 1`
    return this.built(`${list} ${grouped} ORDER BY ${order}`, 'grouped', columns)
  }

  /** Rows of a table, or the first of them by a column or a figure. */
  list(): BuiltQuery {
    const { rank, groups, subject, limit: wanted } = this.reading
    if (groups.length > 0) declineQuestion('I can list rows, or count them by a group. Please ask “how many … by …”.')
    if (subject === undefined) return this.figure()
    if (rank !== undefined && rank.by?.kind !== 'attribute') return this.topByFigure(rank.by!, subject)
    const { entity, conditions } = subject
    const from = new From(entity, this.catalogue, this.reading.assumptions)
    from.where.push(...this.conditions(from, [...conditions, ...this.reading.facts], [], entity))
    const ranked = rank?.by?.kind === 'attribute' ? rank.by.attribute : undefined
    const selected = this.selected(entity, ranked)
    const columns = [titled('label', entity.noun), ...selected.map(columnOf)]
    const valueOf = (one: Attribute): string => from.column(pathTo(entity, one.entity), one)
    const list = this.select([from.label([], entity), ...selected.map(valueOf)], columns)
    if (ranked !== undefined) {
      from.where.push(`${valueOf(ranked)} IS NOT NULL`)
      return this.ranked(list, valueOf(ranked), from.sql(), columns)
    }
    const limit = Math.min(wanted ?? Infinity, this.options.maxRows)
    const built = this.built(`${list} ${from.sql()} ORDER BY 1 LIMIT ${limit}`, 'rows', columns)
    const noun = { one: entity.noun, many: entity.nouns }
    return { ...built, noun, ...(wanted === undefined ? { limit } : {}) }
  }

  protected conditions(from: From, conditions: readonly Condition[], path: Path, entity: Entity): string[] {
    const { options, isSum } = this
    const place = { from, path, entity, today: options.today, assumptions: this.reading.assumptions, isSum }
    return conditions.map((one) => conditionSql(one, place))
  }

  protected figureFor(measure: Measure): Figure {
    const { subject, assumptions } = this.reading
    const figure = figureOf(measure, subject?.entity, this.catalogue)
    this.isSum = measure.kind !== 'count'
    for (const one of figure.assumptions) assumptions.add(one)
    return figure
  }

  /** FROM and WHERE clause of a figure's rows, and the path to the subject. */
  protected rows(figure: Figure): { readonly from: From; readonly way: Path } {
    const { facts, subject } = this.reading
    const from = new From(figure.entity, this.catalogue, this.reading.assumptions)
    const way =
      subject === undefined ? [] : joinPath(figure, pathTo(figure.entity, subject.entity), subject.entity.nouns)
    from.where.push(...this.conditions(from, facts, [], figure.entity))
    if (subject !== undefined) {
      if (way.length > 0) checkOwners(figure, subject, this.catalogue)
      from.where.push(...this.conditions(from, subject.conditions, way, subject.entity))
    }
    return { from, way }
  }

  protected group(group: Group, from: From, figure: Figure): Selected {
    switch (group.kind) {
      case 'entity': {
        const { entity, via } = group
        const way = joinPath(figure, pathTo(figure.entity, entity, via), entity.nouns)
        if (way.length === 0)
          return declineQuestion(`Each of ${entity.nouns} is one row. Please name what to group them by.`)
        return {
          sql: from.label(way, entity),
          column: titled('label', entity.noun),
          groupBy: rowKeys(from, way, entity),
        }
      }
      case 'column': {
        const attribute = chooseColumn(group.names, this.reading.subject?.entity ?? figure.entity, group.text)
        const sql = from.column(joinPath(figure, pathTo(figure.entity, attribute.entity), group.text), attribute)
        return { sql, column: titled('label', group.text.toLowerCase()), groupBy: [sql] }
      }
      case 'grain': {
        const date = this.dateOf(figure)
        const column = from.column(pathTo(figure.entity, date.entity), date)
        const sql = truncateDate(column, group.grain, this.catalogue.dialect)
        return { sql, column: titled('label', group.grain), groupBy: [sql] }
      }
    }
  }

  /** The date column of a figure's rows: that of the question's period, else the table's own. */
  protected dateOf(figure: Figure): Attribute {
    const { facts, subject } = this.reading
    const all = [...facts, ...(subject?.entity === figure.entity ? subject.conditions : [])]
    const [periodDate] = all.flatMap(({ test }) => (test.kind === 'period' ? (test.date ?? []) : []))
    return (
      periodDate ??
      nearestEventDate(figure.entity) ??
      declineQuestion(`I do not know which date of ${figure.entity.nouns} to use.`)
    )
  }

  protected built(sql: string, shape: BuiltQuery['shape'], columns: readonly AnswerColumn[]): BuiltQuery {
    const { facts, subject } = this.reading
    return { sql, shape, columns, where: whereText([...(subject?.conditions ?? []), ...facts]) }
  }

  /** `SELECT a AS x, b AS y` */
  protected select(values: readonly string[], columns: readonly AnswerColumn[]): string {
    return `SELECT ${values.map((value, i) => `${value} AS ${this.name(columns[i]!)}`).join(', ')}`
  }

  protected name({ name }: AnswerColumn): string {
    return quoteIdentifier(name, this.catalogue.dialect)
  }

  protected valueOf(figure: Figure, from: From): string {
    const value = figure.sql(from)
    return from.isMultiplied && !figure.isSafe
      ? declineQuestion(`The ${figure.column.title} cannot be computed: rows would count twice.`)
      : value
  }

  protected median({ column, attribute }: Figure, from: From): BuiltQuery {
    if (this.reading.groups.length > 0 || from.isMultiplied)
      declineQuestion('I can tell the median only of all rows together.')
    const value = from.column([], attribute!)
    from.where.push(`${value} IS NOT NULL`)
    const inner = `SELECT ${value} AS v, ROW_NUMBER() OVER (ORDER BY ${value}) AS n, COUNT(*) OVER () AS c ${from.sql()}`
    const sql = `${this.select(['ROUND(AVG(v), 2)'], [column])} FROM (${inner}) AS m`
    return this.built(`${sql} WHERE n >= c / 2.0 AND n <= c / 2.0 + 1`, 'figure', [column])
  }

  /** “How many orders does each customer have”: each row of a table with its number of related rows, including 0. */
  protected withZeros(figure: Figure): BuiltQuery | undefined {
    const { groups, facts, measures, subject } = this.reading
    const [only, more] = groups
    const isEach = only?.kind === 'entity' && only.isEach && only.via === undefined && more === undefined
    const conditions = subject?.conditions ?? []
    const isPlain = facts.length === 0 && conditions.every(({ test }) => test.kind === 'period')
    if (!isEach || !isPlain || measures[0]!.kind !== 'count') return undefined
    const { entity } = only
    const way = pathTo(figure.entity, entity)
    if (!isToOne(way)) return undefined
    const from = new From(entity, this.catalogue, this.reading.assumptions)
    const inner = from.inner(figure.entity)
    inner.where.push(...this.conditions(inner, conditions, [], figure.entity))
    inner.where.push(`${inner.key(way, entity)} = ${from.key([], entity)}`)
    const columns = [titled('label', entity.noun), figure.column]
    const list = this.select([from.label([], entity), `(SELECT ${figure.sql(inner)} ${inner.sql()})`], columns)
    return this.built(`${list} ${from.sql()} ORDER BY 2 DESC, 1`, 'grouped', columns)
  }

  /** The top rows by a figure, including ties for the last place. */
  protected ranked(list: string, by: string, rest: string, columns: readonly AnswerColumn[]): BuiltQuery {
    const { rank, limit: last = 1 } = this.reading
    const { direction, place } = rank!
    const order = `ORDER BY ${by} ${direction.toUpperCase()}`
    const names = columns.map((one) => this.name(one)).join(', ')
    const inner = `${list}, RANK() OVER (${order}) AS place ${rest}`
    const test = place === undefined ? `place <= ${last}` : `place = ${place}`
    const limit = this.options.maxRows
    const sql = `SELECT ${names} FROM (${inner}) AS ranked WHERE ${test} ORDER BY place, 1 LIMIT ${limit}`
    return { ...this.built(sql, 'top', columns), limit }
  }

  /** Columns beside a row's name: those requested, the ranking column, or the amount of a row without a name. */
  protected selected(entity: Entity, ranked: Attribute | undefined): Attribute[] {
    const requested = this.reading.selected.map((names) =>
      chooseColumn(names, entity, names[0]!.attribute.words.join(' ')),
    )
    const far = requested.find((one) => !isToOne(pathTo(entity, one.entity)))
    if (far !== undefined) declineQuestion(`Each of ${entity.nouns} may have several ${nameOf(far)}.`)
    const own = entity.label.length > 0 ? [] : [eventDate(entity), amountAttribute(entity)].flatMap((one) => one ?? [])
    const all = requested.length > 0 ? requested : ranked === undefined ? own : [ranked]
    return [...new Set(all)].filter((one) => !entity.label.includes(one) || entity.label.length > 1)
  }

  protected topByFigure(measure: Measure, { entity }: Scope): BuiltQuery {
    const figure = this.figureFor(measure)
    if (figure.entity === entity) declineQuestion(`Each of ${entity.nouns} is one row, so there is nothing to rank by.`)
    if (this.reading.rank!.direction === 'asc')
      declineQuestion(`I cannot tell which of ${entity.nouns} have the least: some may have none.`)
    if (this.reading.selected.length > 0) declineQuestion('I can list columns, or rank by a figure.')
    const { from, way } = this.rows(figure)
    const label = from.label(way, entity)
    const keys = rowKeys(from, way, entity)
    from.where.push(`${keys[0]} IS NOT NULL`)
    const value = this.valueOf(figure, from)
    const columns = [titled('label', entity.noun), figure.column]
    const list = this.select([label, value], columns)
    return this.ranked(list, value, `${from.sql()} GROUP BY ${keys.join(', ')}`, columns)
  }
}

/** What tells the rows of a table apart, and names them. */
function rowKeys(from: From, way: Path, entity: Entity): readonly string[] {
  return [...new Set([from.key(way, entity), ...entity.label.map((one) => from.column(way, one))])]
}

/** The conditions in the words of the question. */
function whereText(conditions: readonly Condition[]): string {
  const withRelated = (all: readonly Condition[]): Condition[] =>
    all.flatMap((one) => [one, ...(one.test.kind === 'related' ? withRelated(one.test.scope.conditions) : [])])
  const all = withRelated(conditions)
  const texts = all.filter(({ test }) => test.kind !== 'period').map(quoted)
  const times = all.flatMap(({ test }) => (test.kind === 'period' ? [` ${test.period.text}`] : []))
  return `${texts.length === 0 ? '' : ` for ${texts.join(', ')}`}${times.join('')}`
}

function quoted({ test, text, isNegated }: Condition): string {
  const isNot = isNegated && !text.startsWith('with ') && test.kind !== 'null'
  const word = test.kind === 'related' && !PARTICIPLE.test(text) ? 'no ' : 'not '
  return `“${isNot ? word : ''}${text}”`
}
