import { z } from 'zod'
import { SKILL_LIFE_MS } from '../../domain/skill.ts'
import { SESSION_MS } from '../../accounts/sessions.ts'
import { RESET_LIFETIME_MS } from '../../accounts/account-tokens.ts'
import type { Resource } from '../context.ts'

const DAY_MS = 86_400_000

/** Retention periods that cannot be configured; undefined for data that is not deleted by age. */
const FIXED = {
  sessions: SESSION_MS,
  resets: RESET_LIFETIME_MS,
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

/** Reports the retention periods. They are set in the configuration only. */
export const retention: Resource = async (routes, { app }) => {
  routes.get(
    '/retention',
    { access: 'admin', summary: 'Retention periods', response: z.object({ kept: z.array(retentionDaysSchema) }) },
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
      return { kept: [...set, ...fixed] }
    },
  )
}
