import type { Random } from '../../../demo/random.ts'
import { CALLS, CONSTANTS, DANGEROUS, NAMES, quote, TABLES } from './vocabulary.fixture.ts'

/** A relation as the generator believes it to be; it is sometimes wrong on purpose. */
interface Seen {
  readonly name: string | undefined
  readonly columns: readonly string[]
  /** A table under its own name. */
  readonly isTable?: boolean
}

interface Query {
  readonly sql: string
  readonly columns: readonly string[]
}

/** Writes SELECTs about the tables of the oracle's database; most of them are right, and some are wrong on purpose. */
export class QueryGenerator {
  readonly #random: Random
  #ctes: Seen[] = []
  /** Names that the FROM being written has already. */
  #taken = new Set<string>()

  constructor(random: Random) {
    this.#random = random
  }

  query(): string {
    this.#ctes = []
    return this.#select(3, [], this.#random.int(1, 3)).sql
  }

  #select(depth: number, outer: readonly Seen[], width: number): Query {
    const random = this.#random
    const ctes = this.#ctes
    const withClause = depth > 0 && random.chance(0.2) ? this.#with(depth - 1, outer) : ''
    const query =
      depth > 0 && random.chance(0.15) ? this.#union(depth - 1, outer, width) : this.#plain(depth, outer, width)
    this.#ctes = ctes
    return { ...query, sql: withClause + query.sql }
  }

  #union(depth: number, outer: readonly Seen[], width: number): Query {
    const left = this.#plain(depth, outer, width)
    const right = this.#plain(depth, outer, width)
    const operator = this.#random.pick(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT'])
    const order = this.#random.chance(0.3)
      ? ` ORDER BY ${this.#random.chance(0.5) ? '1' : quote(left.columns[0] ?? 'x')}`
      : ''
    return { ...left, sql: `(${left.sql}) ${operator} (${right.sql})${order}` }
  }

  #plain(depth: number, outer: readonly Seen[], width: number): Query {
    const random = this.#random
    const from: string[] = []
    const seen: Seen[] = []
    const taken = this.#taken
    this.#taken = new Set()
    for (let items = random.weighted([0, 1, 2, 3], (n) => [1, 6, 4, 1][n] ?? 1); items > 0; items -= 1) {
      const item = this.#from(depth, seen, outer)
      from.push(item.sql)
      seen.push(...item.seen)
    }
    this.#taken = taken
    const visible = [...seen, ...outer]
    const columns: string[] = []
    const targets = Array.from({ length: width }, () => {
      const expression = this.#expression(depth, visible)
      const alias = random.chance(0.6) ? random.pick(NAMES) : undefined
      columns.push(alias ?? expression.name)
      return `${expression.sql}${alias === undefined ? '' : ` AS ${quote(alias)}`}`
    })
    if (from.length > 0 && width > 1 && random.chance(0.15)) {
      targets.splice(0, width, random.chance(0.5) ? '*' : `${quote(random.pick(seen).name ?? 'x')}.*`)
      columns.splice(0, width, ...seen.flatMap((one) => one.columns))
    }
    const where = random.chance(0.3) ? ` WHERE ${this.#expression(depth, visible).sql} IS NOT NULL` : ''
    const order = random.chance(0.15) ? ` ORDER BY ${this.#expression(0, visible).sql}` : ''
    const limit = random.chance(0.2) ? ' LIMIT 3' : ''
    const source = from.length === 0 ? '' : ` FROM ${from.join(', ')}`
    return { columns, sql: `SELECT ${targets.join(', ')}${source}${where}${order}${limit}` }
  }

  #with(depth: number, outer: readonly Seen[]): string {
    const random = this.#random
    const recursive = random.chance(0.3)
    const parts = Array.from({ length: random.int(1, 2) }, () => {
      const name = random.pick(NAMES)
      const query = this.#select(depth, outer, random.int(1, 3))
      const renamed = this.#columnList(query.columns, 0.3)
      let body = query.sql
      let extra = ''
      if (recursive) {
        const self = { name, columns: renamed.columns }
        const targets = query.columns.map((_, index) => `${this.#reference(self)}::text${index === 0 ? " || 'x'" : ''}`)
        body = `(SELECT * FROM (${query.sql}) s) UNION ALL (SELECT ${targets.join(', ')} FROM ${quote(name)} WHERE length(${quote(name)}::text) < 9)`
        if (random.chance(0.3)) {
          const added = random.pick(NAMES)
          extra = ` SEARCH DEPTH FIRST BY ${quote(renamed.columns[0] ?? 'x')} SET ${quote(added)}`
          renamed.columns.push(added)
        }
      }
      this.#ctes = [{ name, columns: renamed.columns }, ...this.#ctes]
      return `${quote(name)}${renamed.sql} AS (${body})${extra}`
    })
    return `WITH ${recursive ? 'RECURSIVE ' : ''}${parts.join(', ')} `
  }

  #from(depth: number, before: readonly Seen[], outer: readonly Seen[]): { sql: string; seen: readonly Seen[] } {
    const random = this.#random
    const kind = random.weighted(['table', 'select', 'function', 'join', 'values', 'cte'], (one) =>
      one === 'table' ? 5 : one === 'function' ? 4 : depth > 0 ? 3 : 0,
    )
    switch (kind) {
      case 'table': {
        const table = random.pick(Object.keys(TABLES))
        const schema = random.chance(0.2) ? 'public.' : ''
        return this.#named(`${schema}${table}`, table, TABLES[table] ?? [], true)
      }
      case 'cte': {
        if (this.#ctes.length === 0) return this.#function([...before, ...outer])
        const cte = random.pick(this.#ctes)
        return this.#named(quote(cte.name ?? ''), cte.name, cte.columns)
      }
      case 'select': {
        const lateral = random.chance(0.4)
        const query = this.#select(
          depth - 1,
          lateral || random.chance(0.04) ? [...before, ...outer] : outer,
          random.int(1, 3),
        )
        return this.#named(`${lateral ? 'LATERAL ' : ''}(${query.sql})`, undefined, query.columns)
      }
      case 'values': {
        const width = random.int(1, 3)
        const row = `(${Array.from({ length: width }, (_, i) => (random.chance(0.5) ? `'v${i}'` : `${i}`)).join(', ')})`
        return this.#named(
          `(VALUES ${row})`,
          undefined,
          Array.from({ length: width }, (_, i) => `column${i + 1}`),
        )
      }
      case 'join':
        return this.#join(depth - 1, before, outer)
      default:
        return this.#function([...before, ...outer])
    }
  }

  #join(depth: number, before: readonly Seen[], outer: readonly Seen[]): { sql: string; seen: readonly Seen[] } {
    const random = this.#random
    const left = this.#from(depth, before, outer)
    const right = this.#from(depth, random.chance(0.8) ? [...before, ...left.seen] : before, outer)
    const inside = [...left.seen, ...right.seen]
    const shared = left.seen
      .flatMap((one) => one.columns)
      .filter((name) => right.seen.some((one) => one.columns.includes(name)))
    const columns = inside.flatMap((one) => one.columns)
    const kind = random.pick(['JOIN', 'LEFT JOIN', 'JOIN', 'FULL JOIN', 'RIGHT JOIN'])
    let seen: readonly Seen[] = inside
    let sql: string
    if (shared.length > 0 && random.chance(0.5)) {
      const name = random.pick(shared)
      const using = random.chance(0.4) ? random.pick(NAMES) : undefined
      sql = `${left.sql} ${kind} ${right.sql} USING (${quote(name)})${using === undefined ? '' : ` AS ${quote(using)}`}`
      if (using !== undefined) seen = [...seen, { name: using, columns: [name] }]
    } else if (random.chance(0.2)) sql = `${left.sql} CROSS JOIN ${right.sql}`
    else if (random.chance(0.15)) sql = `${left.sql} NATURAL ${kind} ${right.sql}`
    else sql = `${left.sql} ${kind} ${right.sql} ON ${this.#expression(0, [...inside, ...outer]).sql} IS NOT NULL`
    if (!random.chance(0.5)) return { sql: `(${sql})`, seen }
    const named = this.#named(`(${sql})`, undefined, columns)
    return random.chance(0.8) ? named : { ...named, seen: [...named.seen, ...inside] } // wrong on purpose: hidden
  }

  #function(visible: readonly Seen[]): { sql: string; seen: readonly Seen[] } {
    const random = this.#random
    const [text, columns, name] = random.pick(CALLS)
    const given = visible.length > 0 && random.chance(0.5) ? `${this.#reference(random.pick(visible))}::text` : "'a'"
    const call = text.replace('GIVEN', () => given)
    if (!this.#taken.has('r') && random.chance(0.1)) {
      this.#taken.add('r')
      return { sql: `jsonb_to_recordset('[{}]') AS r(a int, b text)`, seen: [{ name: 'r', columns: ['a', 'b'] }] }
    }
    const ordinality = random.chance(0.15)
    const alias = random.chance(0.8) || this.#taken.has(name) ? this.#alias() : undefined
    const own = [
      ...columns.map((column) => (column === '' ? (alias ?? name) : column)),
      ...(ordinality ? ['ordinality'] : []),
    ]
    const list = alias === undefined ? { sql: '', columns: own } : this.#columnList(own, 0.4)
    const as = alias === undefined ? '' : ` AS ${quote(alias)}${list.sql}`
    return {
      sql: `${call}${ordinality ? ' WITH ORDINALITY' : ''}${as}`,
      seen: [{ name: alias ?? name, columns: list.columns }],
    }
  }

  /** With or without an alias, which may rename the first columns. */
  #named(
    sql: string,
    name: string | undefined,
    columns: readonly string[],
    isTable = false,
  ): { sql: string; seen: readonly Seen[] } {
    const random = this.#random
    if (name !== undefined && !this.#taken.has(name) && random.chance(0.4)) {
      this.#taken.add(name)
      return { sql, seen: [{ name, columns, isTable }] }
    }
    const alias = this.#alias()
    const list = this.#columnList(columns, 0.3)
    // The old names stay in the generator's mind now and then, so that it tries them.
    const seen = { name: alias, columns: random.chance(0.85) ? list.columns : [...list.columns, ...columns] }
    return { sql: `${sql} AS ${quote(alias)}${list.sql}`, seen: [seen] }
  }

  /** Most often one that is free. */
  #alias(): string {
    const free = NAMES.filter((name) => !this.#taken.has(name))
    const alias = this.#random.pick(this.#random.chance(0.97) ? free : NAMES)
    this.#taken.add(alias)
    return alias
  }

  #columnList(columns: readonly string[], probability: number): { sql: string; columns: string[] } {
    const random = this.#random
    if (!random.chance(probability) || columns.length === 0) return { sql: '', columns: [...columns] }
    const names = Array.from({ length: random.int(1, columns.length) }, () => random.pick(NAMES))
    return { sql: `(${names.map(quote).join(', ')})`, columns: [...names, ...columns.slice(names.length)] }
  }

  /** A column, most often one that is there. */
  #reference(seen: Seen): string {
    const random = this.#random
    const right = seen.columns.length > 0 ? random.pick(seen.columns) : random.pick(NAMES)
    const column = quote(random.chance(0.97) ? right : random.pick([...DANGEROUS, seen.name ?? 'x', ...NAMES]))
    const name = seen.name === undefined ? undefined : quote(seen.name)
    if (name === undefined || random.chance(0.15)) return column
    if (random.chance(0.1)) return `(${name}).${column}`
    if (random.chance(0.04)) return `(${name}.*).${column}`
    if (random.chance(seen.isTable === true ? 0.2 : 0.01)) return `public.${name}.${column}`
    return `${name}.${column}`
  }

  #expression(depth: number, visible: readonly Seen[]): { sql: string; name: string } {
    const random = this.#random
    const kind = random.weighted(['column', 'text', 'call', 'field', 'row', 'select', 'case'], (one) =>
      one === 'column' ? 8 : one === 'select' ? (depth > 0 ? 1.5 : 0) : 1,
    )
    const seen = visible.length > 0 ? random.pick(visible.slice(0, random.chance(0.7) ? 3 : undefined)) : undefined
    if (seen === undefined || kind === 'text') {
      return random.pick(CONSTANTS)
    }
    const column = this.#reference(seen)
    const last = column.replace(/^.*\./, '').replaceAll('"', '')
    switch (kind) {
      case 'column':
        return random.chance(0.7) ? { sql: `${column}::text`, name: last } : { sql: `(${column})::text`, name: last }
      case 'call':
        return random.pick([
          { sql: `upper(${column}::text)`, name: 'upper' },
          { sql: `md5(${column}::text)`, name: 'md5' },
          { sql: `max(${column}::text) OVER ()`, name: 'max' },
          { sql: `(${column}::text || 'x')`, name: '?column?' },
          { sql: `to_jsonb(${quote(seen.name ?? 'x')})::text`, name: 'to_jsonb' },
          { sql: `substring(${column}::text from 1 for 2)`, name: 'substring' },
          { sql: `CASE ${column}::text WHEN 'a' THEN 'b' ELSE ${column}::text END`, name: 'case' },
        ])
      case 'field': {
        const field = random.chance(0.8) && seen.columns.length > 0 ? random.pick(seen.columns) : random.pick(DANGEROUS)
        return random.pick([
          { sql: `(SELECT ${quote(seen.name ?? 'x')} LIMIT 1).${quote(field)}::text`, name: field },
          { sql: `(ARRAY(SELECT ${quote(seen.name ?? 'x')}))[1].${quote(field)}::text`, name: field },
          { sql: `(${column}).${quote(field)}::text`, name: field },
          { sql: `(jsonb_each_text('{"a":1}')).${random.pick(['key', 'value', quote(field)])}`, name: 'key' },
          { sql: `(home).${random.pick(['city', 'zip', 'lower', quote(field)])}::text`, name: 'city' },
        ])
      }
      case 'row':
        return random.pick([
          { sql: `${quote(seen.name ?? 'x')}::text`, name: seen.name ?? 'x' },
          { sql: `row_to_json(${quote(seen.name ?? 'x')}.*)::text`, name: 'row_to_json' },
          { sql: `${quote(random.pick(DANGEROUS))}(${quote(seen.name ?? 'x')})`, name: 'x' },
          { sql: `${quote(seen.name ?? 'x')}.${quote(seen.name ?? 'x')}::text`, name: seen.name ?? 'x' },
        ])
      case 'select': {
        const query = this.#select(depth - 1, visible, 1)
        return random.chance(0.3)
          ? { sql: `EXISTS (${query.sql})::text`, name: 'exists' }
          : { sql: `(SELECT * FROM (${query.sql}) q LIMIT 1)::text`, name: query.columns[0] ?? 'x' }
      }
      default:
        return { sql: `CASE WHEN ${column} IS NULL THEN 'a' ELSE 'b' END`, name: 'case' }
    }
  }
}
