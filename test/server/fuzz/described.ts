import { z } from 'zod'
import type { Document, Operation } from './requests.ts'
import type { Answer } from './send.ts'

type Forms = Readonly<Record<string, { readonly schema?: object }>>

/**
 * Returns the parts of an answer that the document does not describe: its status, media type or fields. Each event of a stream
 * is checked as an object of its lines.
 */
export function undescribed(document: Document, operation: Operation, { status, headers, text }: Answer): string[] {
  const { responses = {} } = operation
  const described = responses[status] ?? (status >= 400 ? responses['default'] : undefined)
  if (described === undefined) return [`the status ${status} is not described`]
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  const forms: Forms = described.content ?? {}
  if (Object.keys(forms).length === 0) return text === '' ? [] : ['a body is not described']
  const schema = forms[type]?.schema
  if (schema === undefined) return [`the media type "${type}" of status ${status} is not described`]
  return valuesIn(type, text).flatMap((value) => wrongWith(document, schema, value))
}

function valuesIn(type: string, text: string): unknown[] {
  if (type.endsWith('json')) return [JSON.parse(text)]
  if (type !== 'text/event-stream') return [text]
  // Text after the last empty line is an incomplete event.
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 1)
  return whole.split('\n\n').flatMap((event) => {
    const lines = event.split('\n').flatMap((line) => /^(id|event|data): ?(.*)$/.exec(line) ?? [])
    const named = lines.flatMap((_, i) => (i % 3 === 0 ? [[lines[i + 1]!, lines[i + 2]!] as const] : []))
    const { data, ...rest } = Object.fromEntries(named)
    return data === undefined || data === '' ? [] : [{ ...rest, data: data.startsWith('{') ? JSON.parse(data) : data }]
  })
}

const readers = new WeakMap<object, z.ZodType>()

function wrongWith({ components }: Document, schema: object, value: unknown): string[] {
  const reader = readers.get(schema) ?? readerOf(components.schemas, schema)
  readers.set(schema, reader)
  const { error } = reader.safeParse(value)
  return error === undefined ? [] : [`is not as described: ${z.prettifyError(error).slice(0, 400)}`]
}

function readerOf(schemas: object, schema: object): z.ZodType {
  const whole = JSON.stringify({ ...schema, $defs: schemas }).replaceAll('#/components/schemas/', '#/$defs/')
  return z.fromJSONSchema(JSON.parse(whole) as never) as z.ZodType
}
