import type { FastifyError } from 'fastify'

/** An error response. The message is for the caller and contains the fix. */
export class Problem extends Error {
  readonly statusCode: number
  readonly code: string
  /** The parameter, header or field of the body that is wrong. */
  readonly parameter: string | undefined

  constructor(statusCode: number, code: string, message: string, parameter?: string) {
    super(message)
    this.statusCode = statusCode
    this.code = code
    this.parameter = parameter
  }

  /** The body of the response. */
  toJSON(): object {
    const { code, message, parameter } = this
    return { error: { code, message, parameter } }
  }
}

const CODES: Readonly<Record<number, string>> = { 413: 'body_too_large', 415: 'unsupported_media_type' }

/** Converts an error of a handler, of Fastify or of its validation. */
export function toApiProblem(error: FastifyError | Problem): Problem {
  if (error instanceof Problem) return error
  const { statusCode = 500, validation, validationContext, message } = error
  const [fault] = validation ?? []
  if (fault === undefined) {
    if (statusCode >= 500) return new Problem(500, 'internal', `The demo API failed: ${message}`)
    return new Problem(statusCode, CODES[statusCode] ?? 'invalid_body', message)
  }
  const { additionalProperty, missingProperty, allowedValues } = fault.params as {
    readonly additionalProperty?: string
    readonly missingProperty?: string
    readonly allowedValues?: readonly string[]
  }
  const name = additionalProperty ?? missingProperty ?? fault.instancePath.slice(1)
  const text = allowedValues === undefined ? fault.message : `must be one of ${allowedValues.join(', ')}`
  const code = validationContext === 'body' ? 'invalid_body' : 'invalid_parameter'
  return new Problem(400, code, `${name === '' ? 'The body' : name}: ${text}.`, name === '' ? undefined : name)
}
