import type { FastifySchemaCompiler } from 'fastify'
import { z } from 'zod'
import { TuttiError } from '../core/errors.ts'
import { problemsIn } from '../core/schema-problems.ts'

/** Checks the parts of a request by their schemas, in the words that all of Tutti has for it. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = 'body' }) => {
  return (data: unknown) => {
    const parsed = schema.safeParse(data, { reportInput: true })
    if (parsed.success) return { value: parsed.data }
    const issues = problemsIn(parsed.error, schema).map(
      ({ path, message }) => `${path.join('.') || NAMES[httpPart] || httpPart}: ${message}`,
    )
    const message = `The request is not valid: ${issues.join('; ')}.`
    return { error: new TuttiError('InvalidRequest', message, { details: { issues } }) }
  }
}

const NAMES: Readonly<Record<string, string>> = { querystring: 'query', params: 'path' }

/** A moment as all of the API writes it. */
export const moment = z.iso.datetime().describe('ISO 8601 in UTC')

/** Milliseconds since the epoch as the API writes them. */
export function iso(at: number): string {
  return new Date(at).toISOString()
}

/** An id as it may stand in a path. */
export const id = z.string().min(1).max(200)

/** What is looked for: words, without what no text that is kept can hold. */
export function wordsOf(text: string | undefined): readonly string[] {
  return (text ?? '').split(/[\s\p{Cc}]+/u).filter((word) => word !== '')
}
