import type { FastifySchemaCompiler } from 'fastify'
import { z } from 'zod'
import { isStorableText, isPlainName } from '../shared/plain-name.ts'
import { TuttiError } from '../domain/errors.ts'
import { problemsIn } from '../domain/schema-problems.ts'

/** Checks the parts of a request by their schemas, in the words that all of Tutti has for it. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = 'body' }) => {
  return (data: unknown) => {
    try {
      return { value: checked(httpPart === 'querystring' ? withoutOthers(schema) : schema, data, httpPart) }
    } catch (thrown) {
      return { error: thrown as Error }
    }
  }
}

/** Of a route that takes no parameters behind the `?`. */
export const NO_QUERY = z.strictObject({})

/** Whoever misspells a parameter is told so, and gets no other list than the one that was meant. */
function withoutOthers(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject ? schema.strict() : schema
}

/** A parameter of the query that is said once or several times. */
export function severalOf<T extends z.ZodType>(one: T) {
  return z.preprocess((said) => (said === undefined ? said : [said].flat()), z.array(one).readonly())
}

/** A parameter that is said twice comes as a list. @throws TuttiError `InvalidRequest` when that is what is wrong */
function assertOnce(query: Readonly<Record<string, unknown>>, { issues }: z.ZodError): void {
  const wrong = issues.flatMap(({ path }) => (path.length === 1 ? [String(path[0])] : []))
  const twice = wrong.find((name) => Array.isArray(query[name]))
  if (twice !== undefined)
    throw new TuttiError('InvalidRequest', `Say ${twice} once in the query; it is there several times.`)
}

/** @throws TuttiError `InvalidRequest` with all that is wrong */
export function checked<T>(schema: z.ZodType<T>, data: unknown, part = 'body'): T {
  const parsed = schema.safeParse(data, { reportInput: true })
  if (parsed.success) return parsed.data
  if (part === 'querystring') assertOnce(data as Readonly<Record<string, unknown>>, parsed.error)
  const issues = problemsIn(parsed.error, schema).map(
    ({ path, message }) => `${path.join('.') || NAMES[part] || part}: ${message}`,
  )
  const message = `The request is not valid: ${issues.join('; ')}.`
  throw new TuttiError('InvalidRequest', message, { details: { issues } })
}

/**
 * Every text of a request, names of fields as well: what no database can keep is refused here, for all of the API.
 * @throws TuttiError `InvalidRequest`
 */
export function assertKeepable(parts: readonly unknown[]): void {
  // No recursion: whoever sends it says how deep it is.
  const due = parts.map((value): [place: string, value: unknown] => ['', value])
  for (let next = due.pop(); next !== undefined; next = due.pop()) {
    const [place, value] = next
    if (typeof value === 'string' && !isStorableText(value)) {
      const issue = `${place || 'body'}: must be without NUL characters and halves of characters (lone surrogates)`
      throw new TuttiError('InvalidRequest', `The request is not valid: ${issue}.`, { details: { issues: [issue] } })
    }
    if (typeof value !== 'object' || value === null) continue
    for (const [name, one] of Object.entries(value)) {
      if (!isStorableText(name)) due.push([`a name in ${place || 'it'}`, name])
      // As far as anybody reads; what is under a name that is refused is not said by it.
      else due.push([place.length > 100 ? place : [place, name].filter((part) => part !== '').join('.'), one])
    }
  }
}

const NAMES: Readonly<Record<string, string>> = { querystring: 'query', params: 'path' }

/** A moment as all of the API writes it. */
export const moment = z.iso.datetime('must be a time in UTC, such as 2026-01-31T08:00:00Z').describe('ISO 8601 in UTC')

/** Milliseconds since the epoch as the API writes them. */
export function iso(at: number): string {
  return new Date(at).toISOString()
}

/** An id as it may be in a path. */
export const id = z.string().min(1).max(200)

/** A name that somebody gives, or by which they mean something, of so many characters at most. */
export function nameUpTo(most: number) {
  return z.string().max(most).refine(isPlainName, 'must be without control characters and marks of direction')
}

/** What is looked for: words, without what no text that is kept can hold. */
export function searchWords(text: string | undefined): readonly string[] {
  return (text ?? '').split(/[\s\p{Cc}]+/u).filter((word) => word !== '')
}
