/** What can go wrong, with the status that each is answered with. */
export const PROBLEM_STATUS = {
  invalid_parameter: 400,
  invalid_body: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  wrong_host: 421,
  idempotency_key_reused: 422,
  internal: 500,
} as const

export type ProblemCode = keyof typeof PROBLEM_STATUS

export interface ProblemOptions {
  /** The parameter, header or field of the body that is wrong. */
  readonly parameter?: string
  /** Sent along with the answer. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that is answered with an error. The message is for the caller and says what to do. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly parameter: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, message: string, { parameter, headers = {} }: ProblemOptions = {}) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.parameter = parameter
    this.headers = headers
  }

  get status(): number {
    return PROBLEM_STATUS[this.code]
  }

  /** The body of the answer. */
  toJSON(): { error: { code: ProblemCode; message: string; parameter?: string } } {
    const { code, message, parameter } = this
    return { error: { code, message, ...(parameter === undefined ? {} : { parameter }) } }
  }
}
