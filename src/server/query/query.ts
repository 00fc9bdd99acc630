import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import type { App } from '../../app/user-app.ts'
import type { RunId, Owner } from '../../domain/events.ts'
import type { OwnedRuns } from '../../engine/owned-runs.ts'
import type { StreamOptions } from '../../engine/readers/stream.ts'
import { conversationTitle } from '../../memory/recall.ts'
import { EVENT_STREAM, withMediaTypes } from '../media-types.ts'
import type { Resource } from '../context.ts'
import { runEvents, runEventSchema } from '../runs/events.ts'
import { askSchema, responseSchema } from '../runs/schema.ts'
import { startOnce } from '../runs/start.ts'
import { checked } from '../schemas.ts'
import { sendEvents, type ServerSentEvent } from '../sse.ts'

/** Another protocol in which a run can be requested and streamed. */
export interface StreamFormat<B = unknown> {
  readonly headers?: Readonly<Record<string, string>>
  /** Body of the protocol's own clients. The usual request body is accepted as well. */
  readonly body?: z.ZodType<B>
  /** Converts such a body. The thread ID becomes the conversation ID. @throws TuttiError `InvalidRequest` */
  parse?(body: B): { readonly request: Readonly<Record<string, unknown>>; readonly threadId: string }
  /** Schema of an event. */
  readonly event: z.ZodType
  /** @param body as sent by a client of the protocol */
  events(runs: OwnedRuns, runId: RunId, options: StreamOptions, body?: B): AsyncIterable<ServerSentEvent>
}

/** `POST /query`, which waits for the answer, and `POST /query/stream`, which streams the run. */
export function query(formats: Readonly<Record<string, StreamFormat>> = {}): Resource {
  return async (routes, parts) => {
    const { app, clock, closing } = parts
    const all: Readonly<Record<string, StreamFormat>> = {
      tutti: { event: runEventSchema, events: runEvents },
      ...formats,
    }
    routes.post(
      '/query',
      {
        access: 'ask',
        summary: 'Ask, and wait for the answer. Calls that need approval are skipped',
        body: askSchema,
        response: responseSchema,
      },
      async (request, reply) => {
        const mine = app.as(request.caller.userId)
        const runId = await startOnce(mine, { ...request.body, interactive: false }, request, reply)
        const { status, error } = await mine.runs.outcome(runId, closing)
        // The caller may have lost the permission while the run was working.
        await request.admit()
        if (status === 'running' || status === 'waiting') {
          throw new TuttiError(
            'Timeout',
            `The server is stopping. Run ${runId} continues; its answer will be at /runs/${runId}.`,
          )
        }
        if (error !== undefined) throw TuttiError.fromInfo(error)
        return mine.response(runId)
      },
    )
    routes.post(
      '/query/stream',
      {
        access: 'ask',
        summary: 'Ask, and stream the run as server-sent events; to resume use GET /runs/{runId}/events',
        body: z.union([askSchema, ...Object.values(formats).flatMap(({ body }) => body ?? [])]),
        query: z.object({ format: z.enum(Object.keys(all) as [string, ...string[]]).default('tutti') }),
        response: {
          200: withMediaTypes('Events in this format until the run ends', {
            [EVENT_STREAM]: z.union(Object.values(all).map(({ event }) => event)),
          }),
        },
      },
      async (request, reply) => {
        const mine = app.as(request.caller.userId)
        const { events, headers, ...format } = all[request.query.format]!
        const body = format.body?.safeParse(request.body).data
        const parsed = format.parse !== undefined && body !== undefined ? format.parse(body) : undefined
        const asked = checked(
          askSchema,
          parsed === undefined ? request.body : { ...parsed.request, conversationId: parsed.threadId },
        )
        const { owner } = mine.runs
        const from = clock.now()
        const isOpened = parsed !== undefined && (await openThread(app, owner, parsed.threadId, asked.question, from))
        const runId = await startOnce(mine, asked, request, reply).catch(async (thrown: unknown) => {
          // Another question may have used the conversation meanwhile.
          const isUnused = isOpened && (await mine.runs.runs({ from })).length === 0
          if (isUnused) await app.conversations.remove(owner, parsed.threadId)
          throw thrown
        })
        await sendEvents(reply, (signal) => events(mine.runs, runId, { signal }, body), parts, headers)
      },
    )
  }
}

/** Creates the conversation of a client's thread ID. @returns whether it is new */
async function openThread(
  { conversations }: App,
  owner: Owner,
  conversationId: string,
  question: string,
  createdAt: number,
): Promise<boolean> {
  if ((await conversations.get(owner, conversationId)) !== undefined) return false
  await conversations.open(owner, { conversationId, title: conversationTitle(question), createdAt })
  return true
}
