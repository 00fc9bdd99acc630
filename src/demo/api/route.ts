import type { z } from 'zod'
import type { Books } from './books.ts'
import { invalid } from './invalid.ts'

export type Tag = 'Orders' | 'Customers' | 'Products' | 'Invoices' | 'Shipments' | 'Support'

/** Errors of a request beyond its schema. */
export type Refusal = 404 | 409

/** One operation: what the document says of it, and what the server does. */
interface Described {
  readonly method: 'GET' | 'POST'
  /** With placeholders, such as `/orders/{orderId}`. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tag: Tag
  readonly signIn: 'apiKey' | 'bearer'
  /** Status of a good answer. */
  readonly status: 200 | 201
  readonly refusals: readonly Refusal[]
  readonly reply: z.ZodType
}

interface Definition<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> extends Described {
  readonly params: P
  readonly query: Q
  readonly body: B
  answer(input: { params: z.output<P>; query: z.output<Q>; body: z.output<B> }, books: Books): unknown
}

export interface RawInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Parsed JSON; undefined when there was none. */
  readonly body: unknown
}

export interface Route extends Described {
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  /** `z.undefined()` where no body is taken. */
  readonly body: z.ZodType
  /**
   * Validates the input, handles it, and validates the response.
   * @throws Problem 400 with the errors of the input, or the route's own errors
   */
  handle(input: RawInput, books: Books): unknown
}

/** Makes an operation of its definition. */
export function defineRoute<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  definition: Definition<P, Q, B>,
): Route {
  const { params, query, body, reply, answer } = definition
  return {
    ...definition,
    handle(raw, books) {
      const input = {
        params: checked(params, raw.params, 'invalid_parameter'),
        query: checked(query, raw.query, 'invalid_parameter'),
        body: checked(body, raw.body, 'invalid_body'),
      }
      return reply.parse(answer(input, books))
    },
  }
}

function checked<S extends z.ZodType>(schema: S, value: unknown, code: 'invalid_parameter' | 'invalid_body') {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw invalid(code, schema, parsed.error)
  return parsed.data
}
