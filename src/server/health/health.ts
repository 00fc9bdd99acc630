import { z } from 'zod'
import { TuttiError, toTuttiError } from '../../domain/errors.ts'
import type { Resource } from '../context.ts'

/** Information that the server returns about itself. */
export interface ServerStatus {
  readonly version: string
  /** `provider:model`, for signed-in users; absent if no model is configured. */
  readonly model?: string
}

const healthSchema = z.object({
  status: z.enum(['ok', 'unavailable']),
  version: z.string(),
  model: z.string().nullable().optional(),
  reason: z.string().optional(),
})

/**
 * Anyone can read these, so they name no host or path. Codes are those of SQLite, PostgreSQL and the operating system.
 */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk of the store is full.',
  SQLITE_FULL: 'The disk of the store is full.',
  '53100': 'The disk of the store is full.',
  EROFS: 'The store is read-only.',
  SQLITE_READONLY: 'The store is read-only.',
  '25006': 'The store is read-only.',
}
const UNWRITABLE = 'The store cannot be written. See the log of the server for the reason.'
/** The result of a check is reused for this time, since anyone may request it. */
const WRITE_CHECK_MS = 1_000

function reasonOf(thrown: unknown): string {
  const code = TuttiError.is(thrown, 'StorageError') ? thrown.details?.code : undefined
  return REASONS[code ?? ''] ?? UNWRITABLE
}

/** `/health` (503 if the store cannot be read) and `/ready` (503 also if it cannot be written). */
export function health(status: ServerStatus): Resource {
  return async (routes, { app, clock, onError }) => {
    let check: { readonly at: number; readonly reason: Promise<string | undefined> } | undefined
    const unwritable = (): Promise<string | undefined> => {
      if (check === undefined || clock.now() - check.at >= WRITE_CHECK_MS) {
        const reason = app.assertWritable().then(
          () => undefined,
          (thrown) => {
            onError(toTuttiError(thrown))
            return reasonOf(thrown)
          },
        )
        check = { at: clock.now(), reason }
      }
      return check.reason
    }
    for (const url of ['/health', '/ready']) {
      routes.get(
        url,
        {
          access: 'public',
          summary: url === '/ready' ? 'Whether to send requests here: runs can be stored' : 'Whether runs can be read',
          response: { 200: healthSchema, 503: healthSchema },
        },
        async ({ signedIn }, reply) => {
          const { version, model } = status
          const unavailable = (reason?: string) =>
            reply.code(503).send({ status: 'unavailable' as const, version, reason })
          if (url === '/ready') {
            const reason = await unwritable()
            if (reason !== undefined) return unavailable(reason)
          }
          try {
            await app.store.runs({ limit: 1 })
            return { status: 'ok' as const, version, ...(signedIn !== undefined && { model: model ?? null }) }
          } catch {
            // The reason may name hosts and paths. It goes to the log, not to the client.
            return unavailable()
          }
        },
      )
    }
  }
}
