import { z } from 'zod'
import { TuttiError } from '../domain/errors.ts'
import { storableText } from '../shared/plain-name.ts'
import { LIMITS } from './limits.ts'
import type { SandboxResult } from './types.ts'

const wireReply = z.strictObject({
  nonce: z.string(),
  report: z.string().optional(),
  crash: z.string().optional(),
  stdout: z.string(),
  stderr: z.string(),
  truncated: z.boolean(),
})

const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/)
const report = z.strictObject({
  status: z.enum(['ok', 'error', 'violation']),
  message: z.string().optional(),
  value: z.unknown().optional(),
  truncated: z.boolean().optional(),
  locals: z.record(z.string(), z.unknown()),
  tables: z
    .array(
      z.strictObject({
        name: z.string(),
        columns: z.array(z.string()),
        rows: z.array(z.record(z.string(), z.unknown())),
        truncated: z.boolean(),
      }),
    )
    .max(8),
  images: z
    .array(
      z.strictObject({
        name: z.string().max(255),
        mime: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml']),
        base64,
      }),
    )
    .max(8),
  error: z.strictObject({ type: z.string(), message: z.string(), traceback: z.string() }).optional(),
})

/**
 * Reads the line that a child answered. Nothing in it is believed that does not carry the job's nonce and fit the form.
 * @throws TuttiError `SandboxViolation`
 */
export function readReply(line: string, nonce: string, elapsedMs: number): SandboxResult {
  const reply = parsed(wireReply, line)
  if (reply.nonce !== nonce) throw forged()
  if (reply.report === undefined) throw violation(crashReason(reply.crash ?? ''))
  const { status, message, value, locals, tables, images, error, truncated = false } = parsed(report, reply.report)
  if (status === 'violation') throw violation(message ?? 'it is not allowed')
  return {
    ok: status === 'ok' && error === undefined,
    stdout: storableText(reply.stdout),
    stderr: storableText(reply.stderr),
    ...(value === undefined || value === null ? {} : { value }),
    locals,
    tables: tables.map((table) => ({ ...table, rowCount: table.rows.length })),
    images,
    ...(error === undefined ? {} : { error }),
    truncated: truncated || reply.truncated || tables.some(({ name, truncated: isCut }) => isCut && name === 'value'),
    elapsedMs,
  }
}

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  let value: unknown
  try {
    value = cleanJson(JSON.parse(text), LIMITS.replyDepth, LIMITS.replyValues)
  } catch {
    throw forged()
  }
  const result = schema.safeParse(value)
  if (!result.success) throw forged()
  return result.data
}

function forged(): TuttiError {
  return violation('its reply does not have the form of a reply')
}

/** Classifies JavaScript's error message of an interpreter crash. */
function crashReason(message: string): string {
  if (/call stack|recursion/i.test(message)) return 'it calls itself too deeply'
  if (/memory|allocation/i.test(message)) return 'it needs too much memory'
  return 'it broke the interpreter'
}

/** The common wording for all forbidden actions of the code. */
export function violation(reason: string): TuttiError {
  return new TuttiError('SandboxViolation', `The code was stopped: ${reason.replace(/\.$/, '')}.`)
}

/** Thrown for a value that is too deep or too large. */
class TooMuch extends Error {
  override readonly name = 'TooMuch'
}

/**
 * A copy of a JSON value that databases can store: no NUL, no lone surrogates, no `__proto__` keys.
 * @throws TooMuch if it is nested deeper than `depth` or contains more than `values` values
 */
export function cleanJson(value: unknown, depth: number, values: number): unknown {
  let remaining = values
  const clean = (inner: unknown, room: number): unknown => {
    if (--remaining < 0) throw new TooMuch(`more than ${values} values`)
    if (typeof inner === 'string') return storableText(inner)
    if (typeof inner !== 'object' || inner === null) return inner
    if (room === 0) throw new TooMuch(`nested deeper than ${depth} levels`)
    if (Array.isArray(inner)) return inner.map((item) => clean(item, room - 1))
    return Object.fromEntries(
      Object.entries(inner).flatMap(([key, item]) =>
        key === '__proto__' ? [] : [[storableText(key), clean(item, room - 1)]],
      ),
    )
  }
  return clean(value, depth)
}
