import { defineRole, type Role, type RoleContext } from '../../core/actor.ts'
import {
  FACT_FIELDS,
  fieldName,
  PROFILE_FIELDS,
  type ProfileStore,
  type ProfileValue,
  type ProfileValues,
} from '../../core/memory.ts'
import type { Outcome } from '../../core/result.ts'
import { isOwnStatement, mayTellOfAnswers, mayTellOfUser, ownWords } from '../../memory/own-words.ts'
import { rememberTool } from '../../memory/tools.ts'
import { runRule } from '../rules/run-rule.ts'
import { extractMemory } from './memory-extractor-prompt.ts'
import { profileFacts } from './recall-prompt.ts'

const NOTHING: Outcome = { answer: 'The user said nothing of themself.' }

/**
 * Keeps what the user says of themself in the question (SPEC R8), beside the planning. Reads nothing but the question:
 * documents, pages, mails and earlier answers cannot put anything into the profile.
 */
export function memoryExtractorRole(profiles: ProfileStore): Role {
  const remember = rememberTool(profiles)
  return defineRole({
    name: 'memory-extractor',
    limits: { timeoutMs: 20_000, retries: 1 },
    async run(ctx): Promise<Outcome> {
      const { question } = ctx.request
      if (!mayTellOfUser(question)) return NOTHING
      const values = statedIn(question, await extract(ctx))
      if (Object.keys(values).length === 0) return NOTHING
      const at = Date.parse(ctx.state.startedAt)
      const changes = await ctx.call(remember, { owner: ctx.owner, runId: ctx.runId, at, values })
      const fields = changes.map((change) => fieldName(change.field))
      return { answer: fields.length === 0 ? 'Nothing new.' : `Remembered: ${fields.join(', ')}.`, data: { changes } }
    },
  })
}

async function extract(ctx: RoleContext): Promise<ProfileValues> {
  const words = ownWords(ctx.request.question)
  // A limit is the user's for the answer; it is not spent on anything else.
  if (limitsModels(ctx)) return (await runRule('remember', words)) ?? {}
  const known = profileFacts(ctx.recollection.profile)
  const { value } = await ctx.ask(extractMemory, { words, known })
  if (!value.found) return {}
  const all = { ...value.criticalFacts, ...value.preferences }
  return Object.fromEntries(PROFILE_FIELDS.flatMap((field) => (all[field] == null ? [] : [[field, all[field]]])))
}

/** Whether the request limits what models may use. */
export function limitsModels({ request: { budget } }: RoleContext): boolean {
  return budget.maxCalls !== undefined || budget.maxTokens !== undefined || budget.maxCostUsd !== undefined
}

/** Facts in the user's own words alone, preferences where they wish for something, whoever found them: a model that makes something up is not believed. */
function statedIn(question: string, values: ProfileValues): ProfileValues {
  const isStated = (value: string): boolean => isOwnStatement(question, value)
  const entries = Object.entries(values).flatMap(([field, value]): [string, ProfileValue][] => {
    if (!FACT_FIELDS.some((fact) => fact === field)) return mayTellOfAnswers(question) ? [[field, value]] : []
    if (typeof value === 'string') return isStated(value) ? [[field, value]] : []
    const stated = value.filter(isStated)
    return stated.length === 0 ? [] : [[field, stated]]
  })
  return Object.fromEntries(entries)
}
