import { z } from 'zod'
import { MAX_PER_SWEEP } from '../../app/retention.ts'
import { SKILL_LIFE_MS } from '../../domain/skill.ts'
import { RETENTION_MS as ANSWER_MS } from '../../accounts/idempotency-store.ts'
import { SESSION_MS } from '../../accounts/sessions.ts'
import { TOKEN_LIFETIME_MS } from '../../accounts/account-tokens.ts'
import { UPLOAD_RETENTION_MS as UPLOAD_MS } from '../../accounts/uploads.ts'
import type { Resource } from '../context.ts'
import { time } from '../schemas.ts'

const DAY_MS = 86_400_000

/** Retention periods that cannot be configured; undefined for data that is not deleted by age. */
const FIXED = {
  sessions: SESSION_MS,
  invitations: TOKEN_LIFETIME_MS.invitation,
  resets: TOKEN_LIFETIME_MS.reset,
  unfinished: UPLOAD_MS,
  repeats: ANSWER_MS,
  skills: SKILL_LIFE_MS,
  memory: undefined,
  usage: undefined,
  audit: undefined,
} as const

const SET = { runs: 'runDays', conversations: 'conversationDays', uploads: 'uploadDays' } as const
const KINDS = [...Object.keys(SET), ...Object.keys(FIXED)] as (keyof typeof SET | keyof typeof FIXED)[]

const retentionDaysSchema = z.object({
  kind: z.enum(KINDS),
  days: z.number().int().optional().describe('Absent if kept for ever'),
  setting: z.string().optional().describe('The configuration field that sets it; absent for fixed periods'),
})
const deletedSchema = z.object({
  runs: z.number().int(),
  conversations: z.number().int(),
  uploads: z.number().int(),
  waiting: z.number().int().describe('Old enough, but not deleted: running or waiting for approval'),
})
const retentionSchema = z.object({
  kept: z.array(retentionDaysSchema),
  swept: z
    .array(deletedSchema.extend({ at: time }))
    .describe('The last sweep, and those of the last 90 days that deleted something; latest first'),
  nextAt: time.optional().describe('Absent if nothing is deleted by age, and before the first sweep'),
})
const days = z.coerce.number().int().min(1).max(36_500).optional()

/** Reports retention periods and past sweeps. The periods are set in the configuration only. */
export const retention: Resource = async (routes, { app }) => {
  routes.get(
    '/retention',
    { access: 'admin', summary: 'Retention periods, and what recent sweeps deleted', response: retentionSchema },
    async () => {
      const set = Object.entries(SET).map(([kind, field]) => ({
        kind: kind as keyof typeof SET,
        setting: `retention.${field}`,
        days: app.retention.days[field],
      }))
      const fixed = Object.entries<number | undefined>(FIXED).map(([kind, ms]) => ({
        kind: kind as keyof typeof FIXED,
        days: ms === undefined ? undefined : ms / DAY_MS,
      }))
      return {
        kept: [...set, ...fixed],
        swept: [...(await app.retention.swept())],
        nextAt: await app.retention.nextAt(),
      }
    },
  )
  routes.get(
    '/retention/due',
    {
      access: 'admin',
      summary: 'Preview how much a sweep with these periods would delete; deletes nothing',
      query: z.object({ runDays: days, conversationDays: days, uploadDays: days }),
      response: deletedSchema.extend({ isCut: z.boolean().describe(`Runs are counted up to about ${MAX_PER_SWEEP}`) }),
    },
    async ({ query }) => {
      const due = await app.retention.wouldSweep(query)
      return { ...due, isCut: due.runs >= MAX_PER_SWEEP }
    },
  )
}
