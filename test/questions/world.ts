/**
 * Random small databases that hold the same things under other names: what is asked of them has an answer known by
 * construction, since each question comes with the SQL over the names that were drawn.
 */

import { DOMAINS, STYLES, type Domain, type Style, type Thing } from './naming.ts'

/** A source of chance that a seed repeats. */
export interface Dice {
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  chance(share: number): boolean
}

export function dice(seed: number): Dice {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return { below, pick: (items) => items[below(items.length)]!, chance: (share) => next() < share }
}

export interface World {
  readonly seed: number
  readonly domain: Domain
  readonly style: Style
  /** The statements that make and fill it. */
  readonly script: readonly string[]
  /** `table` of a thing, and `column` of a thing, as written in SQL. */
  readonly t: (thing: Thing) => string
  readonly c: (thing: Thing, column: string) => string
  /** A flag's test, for yes or no. */
  readonly is: (thing: Thing, flag: string, yes: boolean) => string
  readonly label: (thing: 'party' | 'staff' | 'item' | 'kind', alias: string) => string
  /** Who works there, by row. */
  readonly staffName: (row: number) => string
  readonly has: (thing: Thing, column: string) => boolean
}

export const PLACES = ['Norway', 'Peru', 'Kenya', 'Japan']
export const CHANNELS = ['phone', 'email', 'counter']
export const KINDS = ['Alpine', 'Marine', 'Desert']
const FIRST = ['Ada', 'Ben', 'Cleo', 'Dev', 'Eva', 'Finn', 'Gus', 'Hana']
const LAST = ['Marsh', 'Olsen', 'Quill', 'Rhodes', 'Stone', 'Tully', 'Vance']
const NAMES = ['Onyx', 'Pearl', 'Topaz', 'Jade', 'Coral', 'Amber', 'Opal']

const firstOf = (row: number): string => FIRST[row % FIRST.length]!
const lastOf = (row: number, shift: number): string => LAST[(row * 3 + shift) % LAST.length]!

type Kind = 'id' | 'text' | 'date' | 'money' | 'int' | 'flag' | 'key'

/** Draws names, columns and rows. */
export function world(seed: number): World {
  const d = dice(seed)
  const domain = DOMAINS[seed % DOMAINS.length]!
  const style = STYLES[Math.floor(seed / DOMAINS.length) % STYLES.length]!
  const columns: Record<Thing, [string, Kind, Thing?][]> = {
    kind: [
      ['id', 'id'],
      ['name', 'text'],
    ],
    party: [
      ['id', 'id'],
      ['first name', 'text'],
      ['last name', 'text'],
      ['country', 'text'],
      ['email', 'text'],
      ['phone', 'text'],
      ['joined date', 'date'],
      // A second way to the people who work there, with a role in its name.
      ...(d.chance(0.5) ? [['account manager id', 'key', 'staff'] as [string, Kind, Thing]] : []),
      ...(d.chance(0.6) ? [['active', 'flag'] as [string, Kind]] : []),
    ],
    staff: [
      ['id', 'id'],
      ['first name', 'text'],
      ['last name', 'text'],
      ['country', 'text'],
      ['salary', 'money'],
      ['hire date', 'date'],
      ...(d.chance(0.5) ? [['manager id', 'key', 'staff'] as [string, Kind, Thing]] : []),
      ...(d.chance(0.3) ? [['active', 'flag'] as [string, Kind]] : []),
    ],
    item: [
      ['id', 'id'],
      ['name', 'text'],
      [`${domain.kind} id`, 'key', 'kind'],
      ['price', 'money'],
      ...(d.chance(0.5) ? [['discontinued', 'flag'] as [string, Kind]] : []),
    ],
    event: [
      ['id', 'id'],
      [`${domain.party} id`, 'key', 'party'],
      [`${domain.staff} id`, 'key', 'staff'],
      [`${domain.event} date`, 'date'],
      ['status', 'text'],
      ['channel', 'text'],
      ...(domain.sells ? [] : [['fee', 'money'] as [string, Kind]]),
      ...(d.chance(0.6) ? [[`${domain.done} date`, 'date'] as [string, Kind]] : []),
    ],
    line: [
      ['id', 'id'],
      [`${domain.event} id`, 'key', 'event'],
      [`${domain.item} id`, 'key', 'item'],
      ['quantity', 'int'],
      ...(domain.sells ? [['unit price', 'money'] as [string, Kind]] : []),
    ],
    back: [
      ['id', 'id'],
      [`${domain.line} id`, 'key', 'line'],
      ['reason', 'text'],
      [`${domain.back} date`, 'date'],
      ...(d.chance(0.7) ? [['quantity', 'int'] as [string, Kind]] : []),
    ],
  }
  const t = (thing: Thing): string => `"${style.table(domain[thing])}"`
  const keyName = (thing: Thing, target: Thing): string => {
    const own = style.column('id', domain[target])
    return own.toLowerCase() === 'id' ? style.column(`${domain[target]} id`, domain[thing]) : own
  }
  const c = (thing: Thing, column: string): string => {
    const found = columns[thing].find(([name]) => name === column)
    if (found?.[2] !== undefined && column === `${domain[found[2]]} id`) return `"${keyName(thing, found[2])}"`
    return `"${style.column(column, domain[thing])}"`
  }
  const is = (thing: Thing, flag: string, yes: boolean): string => {
    const literal = {
      boolean: yes ? 1 : 0,
      integer: yes ? 1 : 0,
      yes: yes ? "'Y'" : "'N'",
      digit: yes ? "'1'" : "'0'",
    }[style.flag]
    return `${c(thing, flag)} = ${literal}`
  }
  const type = (kind: Kind): string =>
    ({
      id: 'INTEGER PRIMARY KEY',
      text: 'TEXT',
      date: 'DATE',
      money: 'NUMERIC(10,2)',
      int: 'INTEGER',
      key: 'INTEGER',
      flag: { boolean: 'BOOLEAN', integer: 'BOOLEAN', yes: 'CHAR(1)', digit: 'CHAR(1)' }[style.flag],
    })[kind]
  const sizes: Record<Thing, number> = { kind: 3, party: 12, staff: 5, item: 7, event: 40, line: 90, back: 14 }
  const date = (): string =>
    `${2023 + d.below(3)}-${String(1 + d.below(12)).padStart(2, '0')}-${String(1 + d.below(28)).padStart(2, '0')}`
  const cell = (thing: Thing, [name, kind, target]: [string, Kind, Thing?], row: number): string => {
    if (kind === 'id') return String(row)
    if (kind === 'key') return String(1 + d.below(sizes[target!] - (target === 'party' || target === 'item' ? 1 : 0)))
    if (kind === 'date') return name === `${domain.done} date` && d.chance(0.4) ? 'NULL' : `'${date()}'`
    if (kind === 'money') return String(name === 'salary' ? 2000 + d.below(40) * 100 : 2 + d.below(60) / 2)
    if (kind === 'int') return String(1 + d.below(6))
    if (kind === 'flag')
      return {
        boolean: () => String(d.below(2)),
        integer: () => String(d.below(2)),
        yes: () => d.pick(["'Y'", "'N'"]),
        digit: () => d.pick(["'0'", "'1'"]),
      }[style.flag]()
    if (name === 'first name') return `'${firstOf(row)}'`
    if (name === 'last name') return `'${lastOf(row, thing === 'staff' ? 1 : 0)}'`
    if (name === 'country') return `'${d.pick(PLACES)}'`
    if (name === 'email') return d.chance(0.3) ? 'NULL' : `'p${row}@mail.example'`
    if (name === 'status') return `'${d.pick(['open', domain.done, 'cancelled'])}'`
    if (name === 'channel') return `'${d.pick(CHANNELS)}'`
    if (name === 'phone') return `'555-${100 + row}'`
    if (name === 'reason') return `'${d.pick(['broken', 'late'])}'`
    return `'${thing === 'kind' ? KINDS[row - 1] : NAMES[row - 1]}'`
  }
  const script = (['kind', 'staff', 'party', 'item', 'event', 'line', 'back'] as const).flatMap((thing) => {
    const written = columns[thing].map((column) => {
      const [name, kind, target] = column
      const link = target !== undefined && style.declared ? ` REFERENCES ${t(target)} (${c(target, 'id')})` : ''
      return `${c(thing, name)} ${type(kind)}${link}`
    })
    const rows = Array.from(
      { length: sizes[thing] },
      (_, i) => `(${columns[thing].map((column) => cell(thing, column, i + 1)).join(', ')})`,
    )
    return [`CREATE TABLE ${t(thing)} (${written.join(', ')})`, `INSERT INTO ${t(thing)} VALUES ${rows.join(', ')}`]
  })
  return {
    seed,
    domain,
    style,
    script,
    t,
    c,
    is,
    staffName: (row) => `${firstOf(row)} ${lastOf(row, 1)}`,
    has: (thing, column) => columns[thing].some(([name]) => name === column),
    label: (thing, alias) =>
      thing === 'party' || thing === 'staff'
        ? `${alias}.${c(thing, 'first name')} || ' ' || ${alias}.${c(thing, 'last name')}`
        : `${alias}.${c(thing, 'name')}`,
  }
}
