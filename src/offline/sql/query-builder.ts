import { type Attribute, type Catalogue, type Entity } from '../../databases/glossary/catalogue.ts'
import { quoteIdentifier, truncateDate } from '../../databases/glossary/dialect.ts'
import { conditionSql } from './conditions.ts'
import { checkOwners, columnOf, figureOf, titled, joinPath, type Figure } from './figure.ts'
import { From, pathTo } from './from.ts'
import { PARTICIPLE } from './names.ts'
import { isToOne, type Path } from './paths.ts'
import type { Condition, Group, Measure, Reading } from './reading.ts'
import { amountAttribute, chooseColumn, entityOf, eventDate, nearestEventDate, nameOf } from './resolve.ts'
import { declineQuestion, type AnswerColumn, type LinkedQuery } from './types.ts'

export interface PlanOptions {
  readonly catalogue: Catalogue
  readonly today: string
  readonly maxRows: number
}

export type BuiltQuery = Pick<LinkedQuery, 'sql' | 'shape' | 'columns' | 'where' | 'noun' | 'top' | 'limit'>

interface Selected {
  readonly sql: string
  readonly column: AnswerColumn
  readonly groupBy: readonly string[]
}

/** Plans figures, groups and lists. */
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

  protected get subject() {
    return this.reading.subject
  }

  protected conditions(from: From, conditions: readonly Condition[], path: Path, entity: Entity): string[] {
    const { today } = this.options
    return conditions.map((one) =>
      conditionSql(one, { from, path, entity, today, assumptions: this.reading.assumptions, isSum: this.isSum }),
    )
  }

  /** Tables that a sales figure must join. */
  protected places(): Entity[] {
    const { groups, facts } = this.reading
    const groupTables = groups.flatMap((one) => (one.kind === 'entity' ? [one.entity] : []))
    const factTables = facts.flatMap(({ test }) =>
      test.kind === 'value' && test.hits.length === 1 ? [entityOf(this.catalogue, test.hits[0]!.table)] : [],
    )
    return [...groupTables, ...factTables, ...(this.subject === undefined ? [] : [this.subject.entity])]
  }

  protected figureFor(measure: Measure): Figure {
    const figure = figureOf(measure, this.subject?.entity, this.reading.groups, this.places(), this.catalogue)
    this.isSum = measure.kind !== 'count' && measure.kind !== 'distinct'
    for (const one of figure.assumptions) this.reading.assumptions.add(one)
    return figure
  }

  /** FROM and WHERE clause of a figure's rows. */
  protected rows(figure: Figure): { readonly from: From; readonly way: Path } {
    const { facts } = this.reading
    const subject = this.subject
    const from = new From(figure.entity, this.catalogue, this.reading.assumptions)
    const way =
      subject === undefined ? [] : joinPath(figure, pathTo(figure.entity, subject.entity), subject.entity.nouns)
    from.where.push(...this.conditions(from, facts, [], figure.entity))
    if (way.length > 0) checkOwners(figure, subject!, this.catalogue)
    if (subject !== undefined && (way.length === 0 || subject.conditions.length > 0)) {
      from.where.push(...this.conditions(from, subject.conditions, way, subject.entity))
    }
    return { from, way }
  }

  /** The conditions in the words of the question. */
  protected where(): string {
    const withRelated = (conditions: readonly Condition[]): Condition[] =>
      conditions.flatMap((one) => [one, ...(one.test.kind === 'related' ? withRelated(one.test.scope.conditions) : [])])
    const all = withRelated([...(this.subject?.conditions ?? []), ...this.reading.facts])
    const texts = all.filter(({ test }) => test.kind !== 'period').map(quoted)
    const times = all.flatMap(({ test }) => (test.kind === 'period' ? [` ${test.period.text}`] : []))
    return `${texts.length === 0 ? '' : ` for ${texts.join(', ')}`}${times.join('')}`
  }

  protected group(group: Group, from: From, figure: Figure): Selected {
    const { dialect } = this.catalogue
    const labelled = (sql: string, title: string, groupBy: readonly string[]): Selected => ({
      sql,
      column: titled('label', title),
      groupBy,
    })
    switch (group.kind) {
      case 'entity': {
        const { entity, via } = group
        const way = joinPath(figure, pathTo(figure.entity, entity, via), entity.nouns)
        if (way.length === 0)
          return declineQuestion(`Each of ${entity.nouns} is one row. Please name what to group them by.`)
        return labelled(from.label(way, entity), entity.noun, [
          ...new Set([from.key(way, entity), ...entity.label.map((one) => from.column(way, one))]),
        ])
      }
      case 'column': {
        const attribute = chooseColumn(group.names, this.subject?.entity ?? figure.entity, group.text)
        const way = joinPath(figure, pathTo(figure.entity, attribute.entity), group.text)
        const sql = from.column(way, attribute)
        return labelled(sql, group.text.toLowerCase(), [sql])
      }
      case 'grain': {
        const date = this.dateOf(figure)
        const sql = truncateDate(from.column(pathTo(figure.entity, date.entity), date), group.grain, dialect)
        return labelled(sql, group.grain, [sql])
      }
    }
  }

  /** The date column of a figure's rows: that of the question's period, else the table's own. */
  protected dateOf(figure: Figure): Attribute {
    const all = [...this.reading.facts, ...(this.subject?.entity === figure.entity ? this.subject.conditions : [])]
    const periodDate = all.flatMap(({ test }) =>
      test.kind === 'period' && test.date !== undefined ? [test.date] : [],
    )[0]
    return (
      periodDate ??
      nearestEventDate(figure.entity) ??
      declineQuestion(`I do not know by which date ${figure.entity.nouns} are told.`)
    )
  }

  figure(): BuiltQuery {
    const { groups, measures } = this.reading
    const figure = this.figureFor(measures[0]!)
    const [only, more] = groups
    if (
      only?.kind === 'entity' &&
      only.isEach &&
      this.subject?.conditions.every(({ test }) => test.kind === 'period') !== false &&
      more === undefined &&
      this.reading.facts.length === 0 &&
      only.via === undefined &&
      measures[0]!.kind === 'count'
    ) {
      const way = pathTo(figure.entity, only.entity)
      if (isToOne(way)) return this.withZeros(figure, only.entity, way)
    }
    const { from } = this.rows(figure)
    if (figure.isMedian === true) return this.median(figure, from)
    const selected = groups.map((group) => this.group(group, from, figure))
    const value = this.valueOf(figure, from)
    const columns = [...selected.map(({ column }) => column), figure.column]
    const list = this.select([...selected.map(({ sql }) => sql), value], columns)
    if (selected.length === 0) return this.planned(`${list} ${from.sql()}`, 'figure', columns)
    const grouped = `${from.sql()} GROUP BY ${selected.flatMap(({ groupBy }) => groupBy).join(', ')}`
    if (this.reading.rank !== undefined) return this.ranked(list, value, grouped, columns)
    const isTime = groups.some(({ kind }) => kind === 'grain')
    return this.planned(
      `${list} ${grouped} ORDER BY ${isTime ? '1' : `${selected.length + 1} DESC, 1`}`,
      'grouped',
      columns,
    )
  }

  protected planned(sql: string, shape: BuiltQuery['shape'], columns: readonly AnswerColumn[]): BuiltQuery {
    return { sql, shape, columns, where: this.where() }
  }

  /** `SELECT a AS x, b AS y` */
  protected select(values: readonly string[], columns: readonly AnswerColumn[]): string {
    return `SELECT ${values.map((value, i) => `${value} AS ${this.name(columns[i]!)}`).join(', ')}`
  }

  protected valueOf(figure: Figure, from: From): string {
    const value = figure.sql(from)
    return from.isMultiplied && !figure.isSafe
      ? declineQuestion(`The ${figure.column.title} cannot be computed: rows would count twice.`)
      : value
  }

  name({ name }: AnswerColumn): string {
    return quoteIdentifier(name, this.catalogue.dialect)
  }

  protected median({ column, attribute }: Figure, from: From): BuiltQuery {
    if (this.reading.groups.length > 0 || from.isMultiplied)
      declineQuestion('I can tell the median only of all rows together.')
    const value = from.column([], attribute!)
    from.where.push(`${value} IS NOT NULL`)
    const inner = `SELECT ${value} AS v, ROW_NUMBER() OVER (ORDER BY ${value}) AS n, COUNT(*) OVER () AS c ${from.sql()}`
    const sql = `${this.select(['ROUND(AVG(v), 2)'], [column])} FROM (${inner}) AS m`
    return this.planned(`${sql} WHERE n >= c / 2.0 AND n <= c / 2.0 + 1`, 'figure', [column])
  }

  /** Each row of a table with its number of related rows, including 0. */
  protected withZeros(figure: Figure, entity: Entity, way: Path): BuiltQuery {
    const from = new From(entity, this.catalogue, this.reading.assumptions)
    const inner = from.inner(figure.entity)
    const own = this.subject?.entity === figure.entity ? this.subject.conditions : []
    inner.where.push(...this.conditions(inner, [...this.reading.facts, ...own], [], figure.entity))
    inner.where.push(`${inner.key(way, entity)} = ${from.key([], entity)}`)
    const value = `(SELECT ${figure.sql(inner)} ${inner.sql()})`
    const columns = [titled('label', entity.noun), figure.column]
    const list = this.select([from.label([], entity), value], columns)
    return this.planned(`${list} ${from.sql()} ORDER BY 2 DESC, 1`, 'grouped', columns)
  }

  /** The top rows by a figure, including ties for the last place. */
  protected ranked(list: string, by: string, rest: string, columns: readonly AnswerColumn[]): BuiltQuery {
    const { rank, limit: last = 1 } = this.reading
    const direction = rank!.direction === 'desc' ? 'DESC' : 'ASC'
    const names = columns.map((one) => this.name(one)).join(', ')
    const [from, to] = rank!.place === undefined ? [1, last] : [rank!.place, rank!.place]
    const place = from === to && from > 1 ? `place = ${from}` : `place <= ${to}`
    const inner = `${list}, RANK() OVER (ORDER BY ${by} ${direction}) AS place ${rest}`
    const limit = this.options.maxRows
    const sql = `SELECT ${names} FROM (${inner}) AS ranked WHERE ${place} ORDER BY place, 1 LIMIT ${limit}`
    return { ...this.planned(sql, 'top', columns), top: to - from + 1, limit }
  }

  list(): BuiltQuery {
    const { rank, groups } = this.reading
    const subject = this.subject
    if (groups.length > 0) declineQuestion('I can list rows, or count them by a group. Please ask “how many … by …”.')
    if (subject === undefined) return this.figure()
    const { entity } = subject
    if (rank !== undefined && rank.by?.kind !== 'attribute') return this.topByFigure(rank.by!)
    subject.conditions.push(...this.reading.facts.splice(0))
    const from = new From(entity, this.catalogue, this.reading.assumptions)
    from.where.push(...this.conditions(from, subject.conditions, [], entity))
    const selected = this.selected(entity, rank?.by?.kind === 'attribute' ? rank.by.attribute : undefined)
    const columns = [titled('label', entity.noun), ...selected.map(columnOf)]
    const values = [from.label([], entity), ...selected.map((one) => from.column(pathTo(entity, one.entity), one))]
    const list = this.select(values, columns)
    const noun = { one: entity.noun, many: entity.nouns }
    if (rank?.by?.kind === 'attribute') {
      const by = from.column(pathTo(entity, rank.by.attribute.entity), rank.by.attribute)
      from.where.push(`${by} IS NOT NULL`)
      return { ...this.ranked(list, by, from.sql(), columns), noun }
    }
    const limit = Math.min(this.reading.limit ?? Infinity, this.options.maxRows)
    const planned = this.planned(`${list} ${from.sql()} ORDER BY 1 LIMIT ${limit}`, 'rows', columns)
    return { ...planned, noun, ...(this.reading.limit === undefined ? { limit } : {}) }
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

  protected topByFigure(measure: Measure): BuiltQuery {
    const { rank } = this.reading
    const { entity } = this.subject!
    const figure = this.figureFor(measure)
    if (figure.entity === entity) declineQuestion(`Each of ${entity.nouns} is one row, so there is nothing to rank by.`)
    const way = joinPath(figure, pathTo(figure.entity, entity), entity.nouns)
    const extraColumns = this.reading.selected.length === 0 ? [] : this.selected(entity, undefined)
    if (rank!.direction === 'asc') {
      if (measure.kind === 'count')
        declineQuestion(`I cannot tell which of ${entity.nouns} have the fewest ${figure.entity.nouns}.`)
      this.reading.assumptions.add(`${entity.nouns} with none are left out`)
    }
    const { from } = this.rows(figure)
    const column = titled('label', entity.noun)
    const label = from.label(way, entity)
    const shownColumns = extraColumns.map((one) => from.column([...way, ...pathTo(entity, one.entity)], one))
    const groupBy = [
      ...new Set([from.key(way, entity), ...entity.label.map((one) => from.column(way, one)), ...shownColumns]),
    ]
    from.where.push(`${groupBy[0]} IS NOT NULL`)
    const value = this.valueOf(figure, from)
    const columns = [column, ...extraColumns.map(columnOf), figure.column]
    const list = this.select([label, ...shownColumns, value], columns)
    const grouped = `${from.sql()} GROUP BY ${groupBy.join(', ')}`
    return { ...this.ranked(list, value, grouped, columns), noun: { one: entity.noun, many: entity.nouns } }
  }
}

function quoted({ test, text, isNegated }: Condition): string {
  const isNot = isNegated && !text.startsWith('with ') && test.kind !== 'null'
  const word = test.kind === 'related' && !PARTICIPLE.test(text) ? 'no ' : 'not '
  return `“${isNot ? word : ''}${text}”`
}
