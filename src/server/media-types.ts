import { z } from 'zod'

type Forms = Readonly<Record<string, z.ZodType>>

/** A response that is not JSON, or has several formats, by media type; for `response` of a route. */
export function withMediaTypes<F extends Forms>(description: string, forms: F) {
  const content = Object.fromEntries(Object.entries(forms).map(([type, schema]) => [type, { schema }]))
  return { description, content: content as { readonly [T in keyof F]: { readonly schema: F[T] } } }
}

/** Binary data. */
export const bytes = z.any().meta({ description: 'The bytes of the file' })

export const EVENT_STREAM = 'text/event-stream'

/** Position from which a stream of server-sent events can be resumed. */
const position = { id: z.string().describe('For Last-Event-ID') }

/** An event of a stream as an object. Each field is a line of the event; values other than strings are JSON. */
export function eventOf<T extends z.ZodType>(data: T, event?: string | readonly string[], hasId = false) {
  const names = event === undefined ? undefined : z.enum([event].flat() as [string, ...string[]])
  return z.object({ ...(hasId ? position : {}), ...(names === undefined ? {} : { event: names }), data })
}

/** End marker of streams in protocols without an event for it. */
export const DONE = z.literal('[DONE]')
