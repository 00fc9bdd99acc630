import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { HOOK_KINDS, type Timing } from '../../schedules/timing.ts'
import type { Firing, NewSchedule, Schedule } from '../../schedules/types.ts'
import type { Resource } from '../context.ts'
import { askSchema } from '../runs/schema.ts'
import { time, itemsSchema } from '../schemas.ts'

const when = {
  cron: z.string().max(200).optional().describe('Five fields: minute, hour, day of month, month, day of week'),
  zone: z.string().max(100).optional().describe('Time zone of cron, such as Europe/Berlin; default UTC'),
  at: time.optional().describe('Once, at this time'),
  hook: z.enum(HOOK_KINDS).optional().describe('Starts when a program calls it with the secret or a signature'),
}

const scheduleSchema = z
  .object({
    scheduleId: z.string(),
    ...when,
    request: z.looseObject({ question: z.string() }),
    webhook: z.string().optional(),
    isPaused: z.boolean(),
    nextAt: time.optional(),
    createdAt: time,
  })
  .meta({ id: 'Schedule' })

const timeSchema = z.object({
  runId: z.string(),
  dueAt: time,
  status: z.enum(['due', 'running', 'sending', 'done', 'unanswered', 'refused', 'undelivered']),
  note: z.string().optional(),
  failure: z.string().optional().describe('Why the last delivery attempt failed; it is retried'),
  nextTryAt: time.optional().describe('Time of the next delivery attempt, after a failure'),
})

/** Not accepted: each answer starts a conversation of its own. */
const UNSUPPORTED_FIELDS = ['conversationId', 'memory', 'trace'] as const

/** A question, when to ask it, and where to deliver the answer in addition to the inbox. */
const newScheduleSchema = z.strictObject({
  ...when,
  request: askSchema,
  webhook: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .describe('URL to which the answer is sent, signed'),
})

/** Fields that can be changed. The kind of hook and its webhook cannot. */
const changeSchema = newScheduleSchema
  .pick({ cron: true, zone: true, at: true, request: true })
  .partial()
  .extend({ paused: z.boolean().optional() })

/** Schedules and hooks. */
export const schedules: Resource = async (routes, { app }) => {
  const all = app.schedules
  routes.get(
    '/schedules',
    { access: 'read', summary: 'The schedules and hooks of the caller', response: itemsSchema(scheduleSchema) },
    async ({ caller }) => ({ items: (await all.list(caller.userId)).map(scheduleView) }),
  )
  routes.post(
    '/schedules',
    {
      access: 'manage',
      summary: 'Create a schedule or hook; its secrets are returned only here',
      body: newScheduleSchema,
      response: {
        201: z.object({
          schedule: scheduleSchema,
          secrets: z.object({ hook: z.string().optional(), webhook: z.string().optional() }),
        }),
      },
    },
    async ({ caller, body }) => {
      const { schedule, secrets } = await all.add(caller.userId, newSchedule(body))
      return { schedule: scheduleView(schedule), secrets }
    },
  )
  routes.get(
    '/schedules/:scheduleId',
    {
      access: 'read',
      summary: 'A schedule or hook with its latest firings',
      response: scheduleSchema.extend({ times: z.array(timeSchema) }),
    },
    async ({ caller: { userId }, params: { scheduleId } }) => ({
      ...scheduleView(await all.get(userId, scheduleId)),
      times: (await all.listFirings(userId, scheduleId)).map(firingView),
    }),
  )
  routes.patch(
    '/schedules/:scheduleId',
    {
      access: 'manage',
      summary: 'Change, pause or resume it; firings missed while paused are not made up for',
      body: changeSchema,
      response: scheduleSchema,
    },
    async ({ caller: { userId }, params: { scheduleId }, body }) => {
      const { paused, cron, zone, at, request } = body
      const isTimed = cron !== undefined || zone !== undefined || at !== undefined
      const timing = isTimed ? timingOf({ cron, zone, at }) : undefined
      if (request !== undefined) assertSupportedFields(request)
      if (isTimed || request !== undefined) {
        await all.edit(userId, scheduleId, omitUndefined({ timing, request }))
      }
      if (paused !== undefined) await all.pause(userId, scheduleId, paused)
      return scheduleView(await all.get(userId, scheduleId))
    },
  )
  routes.delete(
    '/schedules/:scheduleId',
    { access: 'manage', summary: 'Delete it; its answers are kept' },
    async ({ caller, params: { scheduleId } }) => all.remove(caller.userId, scheduleId),
  )
}

/** Parses a new schedule. @throws TuttiError `InvalidRequest` unless it has exactly one kind of timing */
function newSchedule({ cron, zone, at, hook, request, ...to }: z.output<typeof newScheduleSchema>): NewSchedule {
  assertSupportedFields(request)
  return { timing: timingOf({ cron, zone, at, hook }), request, ...omitUndefined(to) }
}

type When = { readonly [name in keyof typeof when]?: z.output<(typeof when)[name]> }

function timingOf({ cron, zone, at, hook }: When): Timing {
  const ways = [
    ...(cron === undefined ? [] : [{ cron, zone: zone ?? 'UTC' }]),
    ...(at === undefined ? [] : [{ at }]),
    ...(hook === undefined ? [] : [{ hook }]),
  ]
  const [timing, other] = ways
  if (timing === undefined || other !== undefined || (zone !== undefined && cron === undefined)) {
    throw new TuttiError('InvalidRequest', 'Set exactly one of cron (with an optional zone), at and hook.')
  }
  return timing
}

function assertSupportedFields(request: z.output<typeof askSchema>): void {
  const strange = UNSUPPORTED_FIELDS.find((name) => request[name] !== undefined)
  if (strange !== undefined) throw new TuttiError('InvalidRequest', `A schedule does not accept "${strange}".`)
}

function scheduleView({ timing, ...rest }: Schedule) {
  return { ...rest, ...timing }
}

function firingView({ failure, tryAt, ...rest }: Firing) {
  return { ...rest, failure, nextTryAt: failure === undefined ? undefined : tryAt }
}
