import { z } from 'zod'
import { TuttiError } from '../../core/errors.ts'
import type { RunId } from '../../core/events.ts'
import type { OwnedRuns } from '../../engine/owned-runs.ts'
import type { StreamOptions } from '../../engine/readers/stream.ts'
import type { Resource } from '../parts.ts'
import { runEvents } from '../runs/events.ts'
import { askSchema, responseSchema } from '../runs/schema.ts'
import { startOnce } from '../runs/start.ts'
import { sendEvents, type ServerSentEvent } from '../sse.ts'

/** Another protocol that a run can be streamed in. */
export interface StreamFormat {
  readonly headers?: Readonly<Record<string, string>>
  events(runs: OwnedRuns, runId: RunId, options: StreamOptions): AsyncIterable<ServerSentEvent>
}

const access = { role: 'member', scope: 'ask' } as const

/** `POST /query`, which waits for the answer, and `POST /query/stream`, which shows how it comes about (SPEC P12). */
export function query(formats: Readonly<Record<string, StreamFormat>> = {}): Resource {
  return async (server, parts) => {
    const { app, closing } = parts
    const all: Readonly<Record<string, StreamFormat>> = { tutti: { events: runEvents }, ...formats }
    server.post(
      '/query',
      {
        config: { access },
        schema: {
          tags: ['query'],
          summary: 'Ask, and wait for the answer. Nobody can be asked meanwhile: what needs approval is skipped',
          body: askSchema,
          response: { 200: responseSchema },
        },
      },
      async (request, reply) => {
        const mine = app.as(request.caller.userId)
        const runId = await startOnce(mine, { ...request.body, interactive: false }, request, reply)
        const { status, error } = await mine.runs.outcome(runId, closing)
        if (status === 'running' || status === 'waiting') {
          throw new TuttiError(
            'Timeout',
            `The server stops. Run ${runId} goes on; its answer will be at /runs/${runId}.`,
          )
        }
        if (error !== undefined) throw TuttiError.fromInfo(error)
        return mine.response(runId)
      },
    )
    server.post(
      '/query/stream',
      {
        config: { access },
        schema: {
          tags: ['query'],
          summary: 'Ask, and see what happens as server-sent events; come back by GET /runs/{runId}/events',
          body: askSchema,
          querystring: z.object({ format: z.enum(Object.keys(all) as [string, ...string[]]).default('tutti') }),
        },
      },
      async (request, reply) => {
        const mine = app.as(request.caller.userId)
        const runId = await startOnce(mine, request.body, request, reply)
        const { events, headers } = all[request.query.format]!
        await sendEvents(reply, (signal) => events(mine.runs, runId, { signal }), parts, headers)
      },
    )
  }
}
