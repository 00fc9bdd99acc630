import type { Random } from '../../support/random.ts'

/** The used part of a JSON schema. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
}

/** Values from answers of the server, by the names of their fields. */
export class Pool {
  private readonly values = new Map<string, string[]>()
  private readonly kept: ReadonlySet<string>

  /** @param kept values that no request may name, because later requests need them */
  constructor(kept: readonly string[]) {
    this.kept = new Set(kept)
  }

  /** Adds the values of an answer. */
  learn(value: unknown, name = ''): void {
    if (typeof value === 'string') {
      if (value === '' || value.length > 200 || this.kept.has(value)) return
      const known = this.values.get(name) ?? []
      if (known.length > 100) known.shift()
      this.values.set(name, [...known, value])
    } else if (Array.isArray(value)) for (const one of value) this.learn(one, name)
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) this.learn(one, key)
  }

  /** A value of this name, or of its other names. */
  of(name: string, random: Random): string | undefined {
    const known = [name, ...(ALIASES[name] ?? [])].map((one) => this.values.get(one) ?? [])
    const first = known.find(({ length }) => length > 0)
    return first === undefined ? undefined : random.pick(first)
  }
}

/** Fields with other names in a request than in an answer. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  cursor: ['nextCursor'],
  to: ['documents'],
  a: ['runId'],
  b: ['runId'],
  database: ['name'],
  table: ['name'],
  team: ['name'],
  model: ['id'],
  field: ['name'],
  request_id: ['approvalId'],
}

const QUESTIONS = [
  'How many customers are there?',
  'What is 12 times 12?',
  'List the orders over 50',
  'ask',
  'Wie viele Bestellungen gibt es?',
  'How many customers are there, and what is the total of their orders? Make a chart of it.',
  'build me a team that checks orders',
]

const ODD_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e99',
  'NaN',
  'null',
  'true',
  '../..',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%zz',
  '\u0000',
  'a\u0000b',
  '\uD800',
  '\uDC00x',
  '🎻'.repeat(50),
  '\u202Ecba',
  "'; DROP TABLE runs; --",
  '"\\',
  '{{7*7}}',
  '$where',
  '<script>alert(1)</script>',
  '\r\nx-evil: 1',
  '2026-01-01T00:00:00Z',
  '9999-99-99',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(300),
  'word '.repeat(3_000),
  '('.repeat(2_000),
  'ﷺ'.repeat(200),
  'e\u0301'.repeat(100),
]

const ODD_NUMBERS = [0, -1, 1, 0.5, 1e21, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, Number.MIN_VALUE, 4_294_967_296]

export function oddText(random: Random): string {
  if (random.chance(0.7)) return random.pick(ODD_TEXTS)
  return String.fromCharCode(...Array.from({ length: random.int(1, 40) }, () => random.int(0, 65_535)))
}

/** Inserts a character that no database can store. */
export function spoilt(text: string, random: Random): string {
  const at = random.int(0, text.length)
  return text.slice(0, at) + random.pick(['\u0000', '\uD800', '\uDC00']) + text.slice(at)
}

/** Any JSON value. */
export function oddValue(random: Random, depth = 0): unknown {
  const kind = random.int(0, depth > 3 ? 4 : 6)
  if (kind <= 1) return oddText(random)
  if (kind === 2) return random.pick(ODD_NUMBERS)
  if (kind === 3) return random.pick([null, true, false])
  if (kind === 4) return random.pick([[], {}])
  if (kind === 5) return Array.from({ length: random.int(1, 4) }, () => oddValue(random, depth + 1))
  return Object.fromEntries(
    Array.from({ length: random.int(1, 4) }, () => [
      random.chance(0.5) ? random.pick(ODD_TEXTS) : 'question',
      oddValue(random, depth + 1),
    ]),
  )
}

/** Generates values of schemas, sometimes invalid ones. */
export class Values {
  private readonly random: Random
  private readonly pool: Pool
  private readonly schemas: Readonly<Record<string, Schema>>
  /** Share of invalid values. */
  private readonly wrong: number

  constructor(random: Random, pool: Pool, schemas: Readonly<Record<string, Schema>>, wrong: number) {
    this.random = random
    this.pool = pool
    this.schemas = schemas
    this.wrong = wrong
  }

  /** @param name name of the field or parameter */
  of(schema: Schema, name: string, depth = 0): unknown {
    const { random } = this
    if (random.chance(this.wrong)) return oddValue(random)
    const { $ref, anyOf, oneOf, allOf } = schema
    if ($ref !== undefined) return this.of(this.schemas[$ref.split('/').at(-1)!] ?? {}, name, depth)
    const choices = anyOf ?? oneOf
    if (choices !== undefined) return this.of(random.pick(choices), name, depth + 1)
    if (allOf !== undefined) return Object.assign({}, ...allOf.map((one) => this.of(one, name, depth)))
    if ('const' in schema) return schema.const
    if (schema.enum !== undefined) return random.pick(schema.enum)
    if (schema.type === 'object') return this.object(schema, name, depth)
    if (schema.type === 'array') {
      const length = depth > 6 ? 0 : random.int(0, 3)
      return Array.from({ length }, () => this.of(schema.items ?? {}, name, depth + 1))
    }
    if (schema.type === 'boolean') return random.chance(0.5)
    if (schema.type === 'null') return null
    if (schema.type === 'integer' || schema.type === 'number') return this.number(schema)
    return schema.type === 'string' ? this.text(schema, name) : oddValue(random, 2)
  }

  private object({ properties = {}, required = [], additionalProperties }: Schema, name: string, depth: number) {
    const { random } = this
    const wanted = Object.keys(properties).filter((key) =>
      required.includes(key) ? !random.chance(this.wrong / 2) : random.chance(depth > 4 ? 0 : 0.15),
    )
    const more: [string, unknown][] = random.chance(this.wrong)
      ? [[random.pick(['x', '__proto__', 'constructor', ...Object.keys(properties)]), oddValue(random)]]
      : []
    const named: [string, unknown][] =
      typeof additionalProperties === 'object'
        ? [[random.pick(['a', 'language', 'x-y']), this.of(additionalProperties, name, depth + 1)]]
        : []
    return Object.fromEntries([
      ...named,
      ...wanted.map((key): [string, unknown] => [key, this.of(properties[key]!, key, depth + 1)]),
      ...more,
    ])
  }

  private number({ type, minimum = 0, maximum = 1_000 }: Schema): number {
    const least = Math.ceil(Math.max(minimum, -1e6))
    const whole = this.random.int(least, Math.max(least, Math.min(maximum, 1e6)))
    return type === 'number' && this.random.chance(0.3) ? whole / 7 : whole
  }

  private text({ format, minLength = 0 }: Schema, name: string): string {
    const { random } = this
    if (['question', 'input', 'content', 'text', 'goal'].includes(name)) return random.pick(QUESTIONS)
    const known = random.chance(0.8) ? this.pool.of(name, random) : undefined
    if (known !== undefined) return known
    if (format === 'date-time') return `20${random.int(10, 99)}-0${random.int(1, 9)}-1${random.int(0, 9)}T10:00:00Z`
    if (format === 'email') return `p${random.int(0, 99)}@example.org`
    if (format === 'uri') return `http://127.0.0.1:1/${random.int(0, 99)}`
    return random
      .pick(['a', 'shop', 'customers', 'everyone', 'SELECT name FROM customers', `n${random.int(0, 999)}`])
      .padEnd(minLength, 'x')
  }
}
