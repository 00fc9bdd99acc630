import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import type { App } from '../../app/user-app.ts'
import type { RunId } from '../../domain/events.ts'
import type { Owner } from '../../domain/owner.ts'
import type { OwnedRuns } from '../../engine/owned-runs.ts'
import type { StreamOptions } from '../../engine/readers/stream.ts'
import { conversationTitle } from '../../memory/recall.ts'
import { EVENT_STREAM, inForms } from '../forms.ts'
import type { Resource } from '../context.ts'
import { runEvents } from '../runs/events.ts'
import { askSchema, responseSchema } from '../runs/schema.ts'
import { startOnce } from '../runs/start.ts'
import { runEventSchema } from '../runs/stream-schema.ts'
import { checked } from '../schemas.ts'
import { sendEvents, type ServerSentEvent } from '../sse.ts'

/** Another protocol that a run can be streamed in, and asked for. */
export interface StreamFormat<B = unknown> {
  readonly headers?: Readonly<Record<string, string>>
  /** What its own clients send; a request as all others send it is taken, too. */
  readonly body?: z.ZodType<B>
  /** What such a body asks; its thread is a conversation of that id. @throws TuttiError `InvalidRequest` */
  asked?(body: B): { readonly request: Readonly<Record<string, unknown>>; readonly threadId: string }
  /** What each event is. */
  readonly event: z.ZodType
  /** @param body what a client of the protocol sent */
  events(runs: OwnedRuns, runId: RunId, options: StreamOptions, body?: B): AsyncIterable<ServerSentEvent>
}

const access = { role: 'member', scope: 'ask' } as const

/** `POST /query`, which waits for the answer, and `POST /query/stream`, which shows how it comes about. */
export function query(formats: Readonly<Record<string, StreamFormat>> = {}): Resource {
  return async (server, parts) => {
    const { app, clock, closing } = parts
    const all: Readonly<Record<string, StreamFormat>> = {
      tutti: { event: runEventSchema, events: runEvents },
      ...formats,
    }
    server.post(
      '/query',
      {
        config: { access, repeated: 'itself' },
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
        // Whoever was shut out while it was worked on is told nothing of it.
        await request.admit()
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
        config: { access, repeated: 'itself' },
        schema: {
          tags: ['query'],
          summary: 'Ask, and see what happens as server-sent events; come back by GET /runs/{runId}/events',
          body: z.union([askSchema, ...Object.values(formats).flatMap(({ body }) => body ?? [])]),
          querystring: z.object({ format: z.enum(Object.keys(all) as [string, ...string[]]).default('tutti') }),
          response: {
            200: inForms('Events of the format until the run is over', {
              [EVENT_STREAM]: z.union(Object.values(all).map(({ event }) => event)),
            }),
          },
        },
      },
      async (request, reply) => {
        const mine = app.as(request.caller.userId)
        const { events, headers, ...format } = all[request.query.format]!
        const body = format.body?.safeParse(request.body).data
        const told = format.asked !== undefined && body !== undefined ? format.asked(body) : undefined
        const asked = checked(
          askSchema,
          told === undefined ? request.body : { ...told.request, conversationId: told.threadId },
        )
        const { owner } = mine.runs
        const from = clock.now()
        const isOpened = told !== undefined && (await openThread(app, owner, told.threadId, asked.question, from))
        const runId = await startOnce(mine, asked, request, reply).catch(async (thrown: unknown) => {
          // Another question may have gone to it meanwhile.
          const isUnused = isOpened && (await mine.runs.runs({ from })).length === 0
          if (isUnused) await app.conversations.remove(owner, told.threadId)
          throw thrown
        })
        await sendEvents(reply, (signal) => events(mine.runs, runId, { signal }, body), parts, headers)
      },
    )
  }
}

/** A conversation that a client has begun under an id of its own. @returns whether it is new */
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
