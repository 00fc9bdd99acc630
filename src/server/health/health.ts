import { z } from 'zod'
import type { Resource } from '../parts.ts'

/** What the server says of itself. */
export interface ServerStatus {
  readonly version: string
  /** `provider:model`, for whoever is signed in; absent when answers are made without a model. */
  readonly model?: string
}

const healthSchema = z.object({
  status: z.enum(['ok', 'unavailable']),
  version: z.string(),
  model: z.string().nullable().optional(),
})

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

/** Where there is no web app: plain HTML without scripts or anything from elsewhere, and without a word of what is here. */
function pageOf({ version }: ServerStatus): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tutti</title></head>
<body><main><h1>Tutti</h1><p>Version ${version}</p></main></body>
</html>
`
}

/**
 * `/healthz`, `/health` and `/ready` (503 when runs cannot be kept at the moment; `/ready` also once the server is about to stop), and
 * a page at `/`.
 */
export function health(status: ServerStatus): Resource {
  return async (server, { app, isLeaving }) => {
    server.get('/', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
      reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(pageOf(status)),
    )
    for (const url of ['/healthz', '/health', '/ready']) {
      server.get(
        url,
        {
          config: { access: 'public' },
          schema: {
            tags: ['health'],
            summary: url === '/ready' ? 'Whether requests are to be led here' : 'Whether runs can be kept',
            response: { 200: healthSchema, 503: healthSchema },
          },
        },
        async ({ signedIn }, reply) => {
          const { version, model } = status
          const unavailable = () => reply.code(503).send({ status: 'unavailable' as const, version })
          if (url === '/ready' && isLeaving()) return unavailable()
          try {
            await app.store.runs({ limit: 1 })
            return { status: 'ok' as const, version, ...(signedIn !== undefined && { model: model ?? null }) }
          } catch {
            // The reason may name hosts and paths; it is for the operator's log, not for whoever asks.
            return unavailable()
          }
        },
      )
    }
  }
}
