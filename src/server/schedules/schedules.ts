import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import { HOOK_KINDS, type Timing } from '../../schedules/timing.ts'
import type { Firing, NewSchedule, Schedule } from '../../schedules/types.ts'
import { newId } from '../idempotency.ts'
import type { Resource } from '../context.ts'
import { askSchema } from '../runs/schema.ts'
import { id, iso, moment } from '../schemas.ts'

const when = {
  cron: z.string().max(200).optional().describe('Minute, hour, day of the month, month, day of the week'),
  zone: z.string().max(100).optional().describe('Of the cron line, such as Europe/Berlin; UTC when absent'),
  at: moment.optional().describe('Once, then'),
  hook: z.enum(HOOK_KINDS).optional().describe('Whenever a program calls, with the secret or a signature made with it'),
}

const scheduleSchema = z
  .object({
    scheduleId: z.string(),
    ...when,
    request: z.looseObject({ question: z.string() }),
    mail: z.string().optional(),
    webhook: z.string().optional(),
    isPaused: z.boolean(),
    nextAt: moment.optional(),
    createdAt: moment,
  })
  .meta({ id: 'Schedule' })

const timeSchema = z.object({
  runId: z.string(),
  dueAt: moment,
  status: z.enum(['due', 'running', 'sending', 'done', 'unanswered', 'refused', 'undelivered']),
  note: z.string().optional(),
  failure: z.string().optional().describe('Why the last try to send the answer was in vain; another one is due'),
  nextTryAt: moment.optional().describe('Where a try was in vain: when the next one is due'),
})

/** An answer is kept in a conversation that begins with it, so these have no place here. */
const NOT_TAKEN = ['conversationId', 'memory', 'trace'] as const

/** What is asked, when, and where the answer goes besides the inbox. */
export const newScheduleSchema = z.strictObject({
  ...when,
  request: askSchema,
  mail: z.email().max(320).optional().describe('The answer is mailed there, after an approval as always'),
  webhook: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .describe('The answer is sent there, signed'),
})

/** What may be changed of one; whether it is a hook, and its webhook, may not. */
const changeSchema = newScheduleSchema
  .pick({ cron: true, zone: true, at: true, request: true })
  .partial()
  .extend({
    paused: z.boolean().optional(),
    mail: z.email().max(320).nullable().optional().describe('null: the answer is mailed no more'),
  })

const read = { access: { role: 'viewer', scope: 'read' } } as const
/** A schedule continues when the key that made it is revoked. */
const write = { access: { role: 'member', scope: 'admin' } } as const
const params = z.object({ scheduleId: id })
const tags = ['schedules']

/** Questions that are asked on their own. */
export const schedules: Resource = async (server, { app }) => {
  const all = app.schedules
  server.get(
    '/schedules',
    {
      config: read,
      schema: {
        tags,
        summary: 'The schedules and hooks of the caller',
        response: { 200: z.object({ items: z.array(scheduleSchema) }) },
      },
    },
    async ({ caller }) => ({ items: (await all.list(caller.userId)).map(shownSchedule) }),
  )
  server.post(
    '/schedules',
    {
      config: {
        ...write,
        stands: async ({ caller }, { schedule }: { readonly schedule: { readonly scheduleId: string } }) =>
          (await all.list(caller.userId)).some(({ scheduleId }) => scheduleId === schedule.scheduleId),
      },
      schema: {
        tags,
        summary: 'Have a question asked by itself; its secrets are shown this once',
        body: newScheduleSchema,
        response: {
          201: z.object({
            schedule: scheduleSchema,
            secrets: z.object({ hook: z.string().optional(), webhook: z.string().optional() }),
          }),
        },
      },
    },
    async ({ caller, body }, reply) => {
      const { schedule, secrets } = await all.add(caller.userId, newSchedule(body))
      return reply.code(201).send({ schedule: shownSchedule(schedule), secrets })
    },
  )
  server.get(
    '/schedules/:scheduleId',
    {
      config: read,
      schema: {
        tags,
        summary: 'One, with the latest times that it came due',
        params,
        response: { 200: scheduleSchema.extend({ times: z.array(timeSchema) }) },
      },
    },
    async ({ caller: { userId }, params: { scheduleId } }) => ({
      ...shownSchedule(await all.get(userId, scheduleId)),
      times: (await all.firings(userId, scheduleId)).map(shownTime),
    }),
  )
  server.patch(
    '/schedules/:scheduleId',
    {
      config: write,
      schema: {
        tags,
        summary: 'Change it, pause it or let it go on; what it misses meanwhile is not made up for',
        params,
        body: changeSchema,
        response: { 200: scheduleSchema },
      },
    },
    async ({ caller: { userId }, params: { scheduleId }, body }) => {
      const { paused, cron, zone, at, request, mail } = body
      const isTimed = cron !== undefined || zone !== undefined || at !== undefined
      const timing = isTimed ? timingOf({ cron, zone, at }) : undefined
      if (request !== undefined) assertTaken(request)
      if (isTimed || request !== undefined || mail !== undefined) {
        await all.edit(userId, scheduleId, omitUndefined({ timing, request, mail }))
      }
      if (paused !== undefined) await all.pause(userId, scheduleId, paused)
      return shownSchedule(await all.get(userId, scheduleId))
    },
  )
  server.post(
    '/schedules/:scheduleId/run',
    {
      config: { ...write, repeated: 'itself' },
      schema: { tags, summary: 'Ask it now, too', params, response: { 202: z.object({ runId: z.string() }) } },
    },
    async (request, reply) => {
      const { caller, params: asked } = request
      return reply.code(202).send({ runId: await all.fire(caller.userId, asked.scheduleId, newId(request)) })
    },
  )
  server.delete(
    '/schedules/:scheduleId',
    { config: write, schema: { tags, summary: 'Erase it; its answers stay', params, response: { 204: z.null() } } },
    async ({ caller, params: { scheduleId } }, reply) => {
      await all.remove(caller.userId, scheduleId)
      return reply.code(204).send(null)
    },
  )
}

/**
 * A schedule as it was written down.
 * @throws TuttiError `InvalidRequest` for one that says when in none or several ways
 */
export function newSchedule({ cron, zone, at, hook, request, ...to }: z.output<typeof newScheduleSchema>): NewSchedule {
  assertTaken(request)
  return { timing: timingOf({ cron, zone, at, hook }), request, ...omitUndefined(to) }
}

type When = { readonly [name in keyof typeof when]?: z.output<(typeof when)[name]> }

function timingOf({ cron, zone, at, hook }: When): Timing {
  const ways = [
    ...(cron === undefined ? [] : [{ cron, zone: zone ?? 'UTC' }]),
    ...(at === undefined ? [] : [{ at: Date.parse(at) }]),
    ...(hook === undefined ? [] : [{ hook }]),
  ]
  const [timing, other] = ways
  if (timing === undefined || other !== undefined || (zone !== undefined && cron === undefined)) {
    throw new TuttiError('InvalidRequest', 'Say when with one of cron (and its zone), at and hook.')
  }
  return timing
}

function assertTaken(request: z.output<typeof askSchema>): void {
  const strange = NOT_TAKEN.find((name) => request[name] !== undefined)
  if (strange !== undefined) throw new TuttiError('InvalidRequest', `A schedule takes no "${strange}".`)
}

/** A schedule with its times as all of the API writes them. */
export function shownSchedule(schedule: Schedule): z.output<typeof scheduleSchema> {
  const { timing, createdAt, nextAt, owner: _owner, ...rest } = schedule
  const timed = nextAt === undefined ? {} : { nextAt: iso(nextAt) }
  return { ...rest, ...shownTiming(timing), ...timed, createdAt: iso(createdAt) }
}

function shownTiming(timing: Timing) {
  return 'at' in timing ? { at: iso(timing.at) } : timing
}

/** One time that it came due. */
export function shownTime({ runId, dueAt, status, note, failure, tryAt }: Firing): z.output<typeof timeSchema> {
  const nextTryAt = failure === undefined ? undefined : iso(tryAt)
  return { runId, dueAt: iso(dueAt), status, ...omitUndefined({ note, failure, nextTryAt }) }
}
