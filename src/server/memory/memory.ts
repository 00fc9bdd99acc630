import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { cleanValue, PROFILE_FIELDS, profileOf } from '../../domain/conversation.ts'
import { undoRemembered } from '../../memory/undo.ts'
import type { Resource } from '../context.ts'
import { id, time, itemsSchema } from '../schemas.ts'
import { access } from '../access.ts'

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
export const memory: Resource = async (server, { app: { profiles }, clock }) => {
  const shown = async (owner: string): Promise<z.infer<typeof memorySchema>> => {
    const entries = await profiles.entries(owner)
    const { facts = {}, preferences = {} } = profileOf(entries) ?? {}
    return {
      facts: { ...facts },
      preferences: { ...preferences },
      entries,
    }
  }
  server.get(
    '/memory',
    {
      config: access.read,
      schema: { summary: 'All remembered values with their origin', response: { 200: memorySchema } },
    },
    ({ caller }) => shown(caller.userId),
  )
  server.get(
    '/memory/history',
    {
      config: access.read,
      schema: {
        summary: 'Changes of the memory, oldest first',
        response: {
          200: itemsSchema(z.object({ field, before: value.optional(), after: value, source })),
        },
      },
    },
    async ({ caller }) => ({ items: await profiles.history(caller.userId) }),
  )
  server.put(
    '/memory/:field',
    {
      config: access.ask,
      schema: { summary: 'Set a field', params, body: z.strictObject({ value }), response: { 200: memorySchema } },
    },
    async ({ caller, params: asked, body }) => {
      const cleaned = cleanValue(asked.field, body.value)
      if (cleaned === undefined)
        throw new TuttiError('InvalidRequest', 'The value is empty; delete the field with DELETE.')
      const by = { by: 'user', at: clock.now() } as const
      await profiles.update(caller.userId, { values: { [asked.field]: cleaned }, source: by, key: randomUUID() })
      return shown(caller.userId)
    },
  )
  server.delete(
    '/memory/:field',
    {
      config: access.manage,
      schema: { summary: 'Delete a field with its history', params, response: { 200: memorySchema } },
    },
    async ({ caller, params: asked }) => {
      await profiles.forget(caller.userId, [asked.field])
      return shown(caller.userId)
    },
  )
  server.delete(
    '/memory/runs/:runId',
    {
      config: access.ask,
      schema: {
        summary: 'Undo what a run remembered',
        params: z.object({ runId: id }),
        response: { 200: memorySchema },
      },
    },
    async ({ caller, params: { runId } }) => {
      await undoRemembered(profiles, caller.userId, runId, clock.now())
      return shown(caller.userId)
    },
  )
  server.delete(
    '/memory',
    { config: access.manage, schema: { summary: 'Delete the whole memory', response: { 200: memorySchema } } },
    async ({ caller }) => {
      await profiles.forget(caller.userId)
      return shown(caller.userId)
    },
  )
}
