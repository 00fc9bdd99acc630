import { z } from 'zod'

type Forms = Readonly<Record<string, z.ZodType>>

/** An answer that comes otherwise than as JSON, or in several ways: by media type, as `response` of a route has it. */
export function inForms<F extends Forms>(description: string, forms: F) {
  const content = Object.fromEntries(Object.entries(forms).map(([type, schema]) => [type, { schema }]))
  return { description, content: content as { readonly [T in keyof F]: { readonly schema: F[T] } } }
}

/** Bytes that are no text. */
export const bytes = z.any().meta({ description: 'The bytes of the file' })

export const EVENT_STREAM = 'text/event-stream'

/** Where a stream of server-sent events may be gone on from. */
const position = { id: z.string().describe('For Last-Event-ID') }

/** One event of a stream, as an object: each of its fields is a line there, and what is no text stands as JSON in its line. */
export function eventOf<T extends z.ZodType>(data: T, event?: string | readonly string[], hasId = false) {
  const names = event === undefined ? undefined : z.enum([event].flat() as [string, ...string[]])
  return z.object({ ...(hasId ? position : {}), ...(names === undefined ? {} : { event: names }), data })
}

/** What means the end of a stream where a protocol has no other word for it. */
export const DONE = z.literal('[DONE]')
