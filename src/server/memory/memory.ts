import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { cleanValue, PROFILE_FIELDS, profileOf } from '../../domain/profile.ts'
import { undoRemembered } from '../../memory/undo.ts'
import type { Resource } from '../context.ts'
import { time } from '../schemas.ts'

const field = z.enum(PROFILE_FIELDS)
const value = z.union([z.string(), z.array(z.string()).readonly()])
const source = z.object({ by: z.enum(['run', 'user']), runId: z.string().optional(), at: time })
const texts = z.record(z.string(), value)
const memorySchema = z.object({
  facts: texts,
  preferences: texts,
  entries: z.array(z.object({ field, value, source })).readonly(),
})
const params = z.object({ field })

/** The memory of the caller: view, correct and delete. */
export const memory: Resource = async (routes, { app: { profiles }, clock }) => {
  const memoryView = async (owner: string): Promise<z.infer<typeof memorySchema>> => {
    const entries = await profiles.entries(owner)
    const { facts = {}, preferences = {} } = profileOf(entries) ?? {}
    return {
      facts: { ...facts },
      preferences: { ...preferences },
      entries,
    }
  }
  routes.get(
    '/memory',
    { access: 'read', summary: 'All remembered values with their origin', response: memorySchema },
    ({ caller }) => memoryView(caller.userId),
  )
  routes.put(
    '/memory/:field',
    { access: 'ask', summary: 'Set a field', params, body: z.strictObject({ value }), response: memorySchema },
    async ({ caller, params: asked, body }) => {
      const cleaned = cleanValue(asked.field, body.value)
      if (cleaned === undefined)
        throw new TuttiError('InvalidRequest', 'The value is empty; delete the field with DELETE.')
      const by = { by: 'user', at: clock.now() } as const
      await profiles.update(caller.userId, { values: { [asked.field]: cleaned }, source: by, key: randomUUID() })
      return memoryView(caller.userId)
    },
  )
  routes.delete(
    '/memory/:field',
    { access: 'manage', summary: 'Delete a field with its history', params, response: memorySchema },
    async ({ caller, params: asked }) => {
      await profiles.forget(caller.userId, [asked.field])
      return memoryView(caller.userId)
    },
  )
  routes.delete(
    '/memory/runs/:runId',
    { access: 'ask', summary: 'Undo what a run remembered', response: memorySchema },
    async ({ caller, params: { runId } }) => {
      await undoRemembered(profiles, caller.userId, runId, clock.now())
      return memoryView(caller.userId)
    },
  )
  routes.delete(
    '/memory',
    { access: 'manage', summary: 'Delete the whole memory', response: memorySchema },
    async ({ caller }) => {
      await profiles.forget(caller.userId)
      return memoryView(caller.userId)
    },
  )
}
