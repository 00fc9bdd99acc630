import { defineRole, type Role, type RoleContext } from '../domain/actor.ts'
import { profileFieldLabel, PROFILE_FIELDS, type ProfileStore, type ProfileValues } from '../domain/profile.ts'
import type { Outcome } from '../domain/result.ts'
import { rememberTool } from './tools.ts'
import { hasModel } from '../domain/model.ts'
import { extractMemory } from './prompts.ts'

const NOTHING: Outcome = { answer: 'The user said nothing of themself.' }

/**
 * Stores what users say about themselves in the question, in parallel to planning. Reads only the question, so that
 * documents, pages, mails and earlier answers cannot change the profile.
 */
export function memoryExtractorRole(profiles: ProfileStore): Role {
  const remember = rememberTool(profiles)
  return defineRole({
    name: 'memory-extractor',
    // The run waits for this role before it ends.
    limits: { timeoutMs: 10_000, retries: 0 },
    async run(ctx): Promise<Outcome> {
      const { question } = ctx.request
      const values = (await hasModel(ctx)) ? await extract(ctx, question) : {}
      if (Object.keys(values).length === 0) return NOTHING
      const at = Date.parse(ctx.state.startedAt)
      const changes = await ctx.call(remember, { owner: ctx.owner, runId: ctx.runId, at, values })
      const fields = changes.map((change) => profileFieldLabel(change.field))
      return { answer: fields.length === 0 ? 'Nothing new.' : `Remembered: ${fields.join(', ')}.`, data: { changes } }
    },
  })
}

/** If the model fails, nothing is stored. */
async function extract(ctx: RoleContext, message: string): Promise<ProfileValues> {
  // A budget set by the user is reserved for the answer.
  if (limitsModels(ctx)) return {}
  const { facts, preferences } = ctx.recollection.profile ?? {}
  const known = Object.entries({ ...facts, ...preferences }).map(([field, value]) => `${field}: ${value}`)
  const { value } = await ctx.ask(extractMemory, { message, known })
  if (value?.found !== true) return {}
  const all = { ...value.criticalFacts, ...value.preferences }
  return Object.fromEntries(PROFILE_FIELDS.flatMap((field) => (all[field] == null ? [] : [[field, all[field]]])))
}

/** Whether the request limits the use of models. */
export function limitsModels({ request: { budget } }: RoleContext): boolean {
  return budget.maxCalls !== undefined || budget.maxTokens !== undefined || budget.maxCostUsd !== undefined
}
