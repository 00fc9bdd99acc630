import type { FastifySchemaCompiler } from 'fastify'
import { z } from 'zod'
import { isStorableText, isPlainName } from '../shared/plain-name.ts'
import { TuttiError } from '../domain/errors.ts'
import { problemsIn } from '../domain/schema-problems.ts'
import { ROLES } from '../domain/caller.ts'

/** Validates the parts of a request and reports errors as Tutti does everywhere. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = 'body' }) => {
  return (data: unknown) => {
    try {
      return { value: checked(httpPart === 'querystring' ? withoutOthers(schema) : schema, data, httpPart) }
    } catch (thrown) {
      return { error: thrown as Error }
    }
  }
}

/** Schema of a route without query parameters. */
export const NO_QUERY = z.strictObject({})

/** Rejects unknown query parameters, so that a misspelled filter does not return an unfiltered list. */
function withoutOthers(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject ? schema.strict() : schema
}

/** A query parameter that may be repeated. */
export function repeatable<T extends z.ZodType>(one: T) {
  return z.preprocess((input) => (input === undefined ? input : [input].flat()), z.array(one).readonly())
}

/** A repeated parameter is parsed as a list. @throws TuttiError `InvalidRequest` if that is the problem */
function assertOnce(query: Readonly<Record<string, unknown>>, { issues }: z.ZodError): void {
  const wrong = issues.flatMap(({ path }) => (path.length === 1 ? [String(path[0])] : []))
  const twice = wrong.find((name) => Array.isArray(query[name]))
  if (twice !== undefined) throw new TuttiError('InvalidRequest', `The query parameter ${twice} must not be repeated.`)
}

/** @throws TuttiError `InvalidRequest` with all problems */
export function checked<T>(schema: z.ZodType<T>, data: unknown, part = 'body'): T {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  if (part === 'querystring') assertOnce(data as Readonly<Record<string, unknown>>, parsed.error)
  const issues = problemsIn(parsed.error).map(
    ({ path, message }) => `${path.join('.') || NAMES[part] || part}: ${message}`,
  )
  const message = `The request is not valid: ${issues.join('; ')}.`
  throw new TuttiError('InvalidRequest', message, { details: { issues } })
}

/**
 * Rejects strings that no database can store, including field names. Applies to every request.
 * @throws TuttiError `InvalidRequest`
 */
export function assertStorable(parts: readonly unknown[]): void {
  // Not recursive: the client controls the depth.
  const due = parts.map((value): [place: string, value: unknown] => ['', value])
  for (let next = due.pop(); next !== undefined; next = due.pop()) {
    const [place, value] = next
    if (typeof value === 'string' && !isStorableText(value)) {
      const issue = `${place || 'body'}: must not contain NUL characters or lone surrogates`
      throw new TuttiError('InvalidRequest', `The request is not valid: ${issue}.`, { details: { issues: [issue] } })
    }
    if (typeof value !== 'object' || value === null) continue
    for (const [name, one] of Object.entries(value)) {
      if (!isStorableText(name)) due.push([`a name in ${place || 'it'}`, name])
      // Long paths are cut. A field name that was rejected is not repeated in paths below it.
      else due.push([place.length > 100 ? place : [place, name].filter((part) => part !== '').join('.'), one])
    }
  }
}

const NAMES: Readonly<Record<string, string>> = { querystring: 'query', params: 'path' }

/** Response of a list without pages. */
export function itemsSchema<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item).readonly() })
}

/** A time as text. */
export const moment = z.iso.datetime('must be a time in UTC, such as 2026-01-31T08:00:00Z').describe('ISO 8601 in UTC')

const { type, format, pattern, description } = z.toJSONSchema(moment)
/** A time in milliseconds since the epoch, which is text in the API. */
export const time = z.codec(moment, z.number().meta({ type, format, pattern, description }), {
  decode: (text) => Date.parse(text),
  encode: iso,
})

/** Formats milliseconds since the epoch as the API does. */
export function iso(at: number): string {
  return new Date(at).toISOString()
}

/** An ID in a path. */
export const id = z.string().min(1).max(200)

/** A name of limited length, as given by users or used to find something. */
export function nameUpTo(max: number) {
  return z
    .string()
    .max(max)
    .refine(isPlainName, 'must not contain control characters or bidirectional formatting characters')
}

/** Search terms, without characters that no stored text can contain. */
export function searchWords(text: string | undefined): readonly string[] {
  return (text ?? '').split(/[\s\p{Cc}]+/u).filter((word) => word !== '')
}

export const personSchema = z
  .object({
    userId: z.string(),
    username: z.string(),
    displayName: z.string(),
    role: z.enum(ROLES),
    isDisabled: z.boolean(),
    hasPassword: z.boolean().describe('False for users who sign in with a provider, or have not set a password yet'),
    createdAt: time,
  })
  .meta({ id: 'Person' })
