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

/** A FROM clause that adds joins for the columns requested from it. */
export class From {
  readonly entity: Entity
  readonly catalogue: Catalogue
  readonly where: string[] = []
  readonly #assumptions: Set<string>
  readonly #names: Set<string>
  readonly #aliases = new Map<string, { readonly alias: string; readonly isOuter: boolean }>()
  readonly #joins: string[] = []
  readonly #root: string
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
    this.#root = this.#nameFor(entity)
    this.#aliases.set('', { alias: this.#root, isOuter: false })
    this.#keepTerms(entity, this.#root)
  }

  /** A subquery over another table, with distinct aliases. */
  inner(entity: Entity): From {
    return new From(entity, this.catalogue, this.#assumptions, this.#names)
  }

  column(path: Path, attribute: Attribute): string {
    return `${this.alias(path)}.${quoteIdentifier(attribute.column.name, this.catalogue.dialect)}`
  }

  /** The alias of the table at the end of a path; joins it if needed. */
  alias(path: Path): string {
    const id = path.map(({ kind, keyColumn, to }) => `${kind} ${keyColumn} ${entityName(to)}`).join('|')
    const joined = this.#aliases.get(id)
    if (joined !== undefined) return joined.alias
    const before = path.slice(0, -1)
    const edge = path.at(-1)!
    const near = this.alias(before)
    const beforeId = before.map(({ kind, keyColumn, to }) => `${kind} ${keyColumn} ${entityName(to)}`).join('|')
    const isNullable = edge.fromColumns.some(
      (name) =>
        edge.from.table.columns.find((one) => one.name.toLowerCase() === name.toLowerCase())?.nullable !== false,
    )
    const isOuter = edge.kind === 'one' && (isNullable || this.#aliases.get(beforeId)!.isOuter)
    if (edge.kind === 'many') this.isMultiplied = true
    const alias = this.#nameFor(edge.to)
    this.#aliases.set(id, { alias, isOuter })
    this.#joins.push(
      `${isOuter ? 'LEFT JOIN' : 'JOIN'} ${this.#declared(edge.to, alias)} ON ${this.link(edge, near, alias)}`,
    )
    if (!isOuter) this.#keepTerms(edge.to, alias)
    return alias
  }

  link(edge: Edge, near: string, far: string): string {
    const { dialect } = this.catalogue
    return edge.fromColumns
      .map(
        (name, i) =>
          `${far}.${quoteIdentifier(edge.toColumns[i] ?? '', dialect)} = ${near}.${quoteIdentifier(name, dialect)}`,
      )
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
    const { entities } = this.catalogue
    const parts = sql.split(/('(?:[^']|'')*')/)
    return parts
      .map((part, i) =>
        i % 2 === 1
          ? part
          : part.replaceAll(
              /(?<![\w."`])([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?(?![\w."`]|\s*\()/g,
              (whole, first: string, second?: string) => {
                if (second === undefined)
                  return columns.has(first.toLowerCase())
                    ? `${alias}.${quoteIdentifier(first, this.catalogue.dialect)}`
                    : whole
                const other = entities.find((one) => entityName(one).toLowerCase() === first.toLowerCase())
                if (other === entity) return `${alias}.${second}`
                const [path, rival] = other === undefined || !canJoin ? [] : shortestPaths(entity, other)
                if (path === undefined || rival !== undefined || !isToOne(path))
                  return declineQuestion(`The terms speak of ${whole}, which ${entity.nouns} do not lead to.`)
                return `${this.alias(path)}.${second}`
              },
            ),
      )
      .join('')
  }

  text(value: string): string {
    return quoteLiteral(value, this.catalogue.dialect)
  }

  /** FROM with its joins, and WHERE. */
  sql(): string {
    const joins = this.#joins.map((join) => ` ${join}`).join('')
    const where = this.where.length === 0 ? '' : ` WHERE ${this.where.join(' AND ')}`
    return `FROM ${this.#declared(this.entity, this.#root)}${joins}${where}`
  }

  get root(): string {
    return this.#root
  }

  #nameFor({ table }: Entity): string {
    const own = quoteIdentifier(table.name, this.catalogue.dialect)
    if (!this.#names.has(own)) {
      this.#names.add(own)
      return own
    }
    const alias = `t${this.#names.size}`
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
