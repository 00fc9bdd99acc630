import {
  entityName,
  type Attribute,
  type Catalogue,
  type Edge,
  type Entity,
} from '../../databases/glossary/catalogue.ts'
import { concatNames, quoteIdentifier, quoteLiteral, tableName } from '../../databases/glossary/dialect.ts'
import { isToOne, shortestPaths, type Path } from './paths.ts'
import { declineQuestion } from './types.ts'

interface Joined {
  readonly alias: string
  readonly isOuter: boolean
}

/** A FROM clause that adds joins for the columns requested from it. */
export class From {
  readonly entity: Entity
  readonly catalogue: Catalogue
  readonly where: string[] = []
  readonly root: string
  readonly #assumptions: Set<string>
  readonly #names: Set<string>
  readonly #joined = new Map<string, Joined>()
  readonly #joins: string[] = []
  /** Whether joins may repeat rows of the table. */
  isMultiplied = false

  /**
   * @param assumptions of the query; the filters of the business terms are added
   * @param names aliases that the outer query uses
   */
  constructor(entity: Entity, catalogue: Catalogue, assumptions: Set<string>, names = new Set<string>()) {
    this.entity = entity
    this.catalogue = catalogue
    this.#assumptions = assumptions
    this.#names = names
    this.root = this.#newAlias(entity)
    this.#joined.set('', { alias: this.root, isOuter: false })
    this.#keepTerms(entity, this.root)
  }

  /** A subquery over another table, with distinct aliases. */
  inner(entity: Entity): From {
    return new From(entity, this.catalogue, this.#assumptions, this.#names)
  }

  column(path: Path, attribute: Attribute): string {
    return `${this.alias(path)}.${this.#quoted(attribute.column.name)}`
  }

  /** The alias of the table at the end of a path; joins it if needed. */
  alias(path: Path): string {
    return this.#join(path).alias
  }

  #join(path: Path): Joined {
    const id = path.map(({ kind, keyColumn, to }) => `${kind} ${keyColumn} ${entityName(to)}`).join('|')
    const known = this.#joined.get(id)
    if (known !== undefined) return known
    const edge = path.at(-1)!
    const near = this.#join(path.slice(0, -1))
    const isNullable = edge.fromColumns.some((name) => {
      const column = edge.from.table.columns.find((one) => one.name.toLowerCase() === name.toLowerCase())
      return column?.nullable !== false
    })
    const isOuter = edge.kind === 'one' && (isNullable || near.isOuter)
    if (edge.kind === 'many') this.isMultiplied = true
    const joined = { alias: this.#newAlias(edge.to), isOuter }
    const { alias } = joined
    this.#joined.set(id, joined)
    const join = `${isOuter ? 'LEFT ' : ''}JOIN ${this.#declared(edge.to, alias)}`
    this.#joins.push(` ${join} ON ${this.link(edge, near.alias, alias)}`)
    if (!isOuter) this.#keepTerms(edge.to, alias)
    return joined
  }

  link(edge: Edge, near: string, far: string): string {
    return edge.fromColumns
      .map((name, i) => `${far}.${this.#quoted(edge.toColumns[i] ?? '')} = ${near}.${this.#quoted(name)}`)
      .join(' AND ')
  }

  /** What names a row to a person: its name, or its key. */
  label(path: Path, entity: Entity): string {
    const parts = entity.label.map((one) => ({ sql: this.column(path, one), nullable: one.column.nullable }))
    if (parts.length > 1) return concatNames(parts, this.catalogue.dialect)
    return parts[0]?.sql ?? this.key(path, entity)
  }

  key(path: Path, entity: Entity): string {
    const [key, other] = entity.keys
    if (key === undefined || other !== undefined)
      declineQuestion(`The rows of ${entity.table.name} have no key of one column.`)
    return this.column(path, key)
  }

  /** SQL of an expression of the business terms over columns of a table and of tables it references. */
  expression(sql: string, entity: Entity, alias: string, canJoin: boolean): string {
    const columns = new Set(entity.table.columns.map(({ name }) => name.toLowerCase()))
    const replaced = (whole: string, first: string, second?: string): string => {
      if (second === undefined) return columns.has(first.toLowerCase()) ? `${alias}.${this.#quoted(first)}` : whole
      const other = this.catalogue.entities.find((one) => entityName(one).toLowerCase() === first.toLowerCase())
      if (other === entity) return `${alias}.${second}`
      const [path, rival] = other === undefined || !canJoin ? [] : shortestPaths(entity, other)
      if (path === undefined || rival !== undefined || !isToOne(path))
        return declineQuestion(`The terms speak of ${whole}, which ${entity.nouns} do not lead to.`)
      return `${this.alias(path)}.${second}`
    }
    const names = /(?<![\w."`])([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?(?![\w."`]|\s*\()/g
    return sql
      .split(/('(?:[^']|'')*')/)
      .map((part) => (part.startsWith("'") ? part : part.replaceAll(names, replaced)))
      .join('')
  }

  text(value: string): string {
    return quoteLiteral(value, this.catalogue.dialect)
  }

  /** FROM with its joins, and WHERE. */
  sql(): string {
    const where = this.where.length === 0 ? '' : ` WHERE ${this.where.join(' AND ')}`
    return `FROM ${this.#declared(this.entity, this.root)}${this.#joins.join('')}${where}`
  }

  #quoted(name: string): string {
    return quoteIdentifier(name, this.catalogue.dialect)
  }

  #newAlias({ table }: Entity): string {
    const own = this.#quoted(table.name)
    const alias = this.#names.has(own) ? `t${this.#names.size}` : own
    this.#names.add(alias)
    return alias
  }

  #declared({ table }: Entity, alias: string): string {
    const name = tableName(table, this.catalogue.dialect)
    return name === alias ? name : `${name} AS ${alias}`
  }

  /** Rows excluded by the business terms are excluded wherever their table is read. */
  #keepTerms(entity: Entity, alias: string): void {
    const { where } = this.catalogue.terms.tables[entityName(entity)] ?? {}
    if (where === undefined) return
    this.where.push(`(${this.expression(where, entity, alias, false)})`)
    this.#assumptions.add(`only ${entity.nouns} where ${where}`)
  }
}

/** The one shortest path; where two are equally short, which is meant is not known. */
export function pathTo(from: Entity, to: Entity, via?: Edge): Path {
  if (via !== undefined) return [...pathTo(from, via.from), via]
  const [path, other] = shortestPaths(from, to)
  if (path === undefined) return declineQuestion(`I find no link from ${from.nouns} to ${to.nouns}.`)
  if (other !== undefined) return declineQuestion(`${from.nouns} and ${to.nouns} are linked in more than one way.`)
  return path
}
