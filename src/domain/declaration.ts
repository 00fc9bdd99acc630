import { TuttiError } from './errors.ts'
import { nearest } from '../shared/nearest.ts'
import { AUTHORS, type Provenance } from './provenance.ts'

/** The requirement of a field, in words that follow "must be", and its test. */
interface Rule {
  readonly what: string
  readonly fits: (value: unknown) => boolean
}

const text: Rule = { what: 'a text that is not empty', fits: (value) => typeof value === 'string' && value !== '' }
const string: Rule = { what: 'a text', fits: (value) => typeof value === 'string' }
const texts: Rule = {
  what: 'a list of texts',
  fits: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
}
const list: Rule = { what: 'a list', fits: Array.isArray }
const run: Rule = { what: 'a function', fits: (value) => typeof value === 'function' }
const schema: Rule = {
  what: 'a schema of zod',
  fits: (value) => typeof value === 'object' && value !== null && 'safeParse' in value,
}
const number: Rule = { what: 'a number', fits: (value) => typeof value === 'number' && Number.isFinite(value) }
const flag: Rule = { what: 'true or false', fits: (value) => typeof value === 'boolean' }
const object: Rule = { what: 'an object', fits: (value) => typeof value === 'object' && value !== null }

/** The host is fixed; the path and what follows it may have placeholders. */
const addresses: Rule = {
  what: 'a list of addresses that begin with http:// or https:// and a host without places, such as https://host/{id}',
  fits: (value) =>
    texts.fits(value) && (value as string[]).every((one) => /^https?:\/\/[^{}/?#\s@]+(?:[/?#]|$)/.test(one)),
}

export const RULES = { text, string, texts, addresses, list, run, schema, number, flag, object } as const

export function oneOf(...values: readonly string[]): Rule {
  return { what: values.map((value) => `"${value}"`).join(' or '), fits: (value) => values.includes(value as string) }
}

/** Whether it has the shape of `ownData`, `outsideData`, `publicData` or `BY_USER`. */
export function isProvenance(value: unknown): value is Provenance {
  if (typeof value !== 'object' || value === null) return false
  const { author, private: isPrivate, sources, outside = [] } = value as Partial<Provenance>
  return AUTHORS.includes(author!) && flag.fits(isPrivate) && texts.fits(sources) && texts.fits(outside)
}

export const provenanceRule: Rule = {
  what: 'BY_USER, ownData(…), outsideData(…) or publicData(…)',
  fits: isProvenance,
}

/** A rule that is met by a function as well. */
export function orFunction({ what, fits }: Rule): Rule {
  return { what: `${what}, or a function that gives it`, fits: (value) => run.fits(value) || fits(value) }
}

export interface Rules {
  readonly needed: Readonly<Record<string, Rule>>
  readonly optional: Readonly<Record<string, Rule>>
}

/**
 * Validates a declaration. Without it, mistakes in plain JavaScript would surface in the middle of a run.
 * @throws TuttiError `ConfigurationError` naming the first invalid field and its requirement
 */
export function assertDeclared(kind: string, given: object, rules: Rules): void {
  const name = 'name' in given && typeof given.name === 'string' ? ` "${given.name}"` : ''
  const problem = fieldProblem(given, rules)
  if (problem === undefined) return
  throw new TuttiError('ConfigurationError', `The ${kind}${name} is not declared well: ${problem}.`)
}

/** The first invalid field of an object and its requirement, as a clause; undefined if all are valid. */
export function fieldProblem(given: object, { needed, optional }: Rules): string | undefined {
  const known = { ...needed, ...optional }
  for (const field of Object.keys(given)) {
    const near = Object.hasOwn(known, field) ? undefined : nearest(field, Object.keys(known))
    if (near !== undefined && !(near in given)) return `it has no field "${field}"; did you mean "${near}"?`
  }
  const values = given as Readonly<Record<string, unknown>>
  // By its name, since a class may give it.
  for (const [field, rule] of Object.entries(known)) {
    const value = values[field]
    if (value !== undefined && !rule.fits(value)) return `"${field}" must be ${rule.what}`
  }
  for (const [field, { what }] of Object.entries(needed)) {
    if (values[field] === undefined) return `"${field}" is missing; it must be ${what}`
  }
  return undefined
}
