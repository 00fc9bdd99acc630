import { z } from 'zod'
import type { Conversation } from '../../domain/conversation.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { withMediaTypes } from '../media-types.ts'
import { newId } from '../idempotency.ts'
import { toPage, pageSchema, pageQuery, parseCursor } from '../paging.ts'
import type { Resource } from '../context.ts'
import { askSchema, type Asked } from '../runs/schema.ts'
import { startOnce } from '../runs/start.ts'
import { time, searchWords } from '../schemas.ts'
import { answerSources, openConversationRuns, conversationRuns } from './answer-sources.ts'
import { isZone } from '../../schedules/timing.ts'
import { conversationMarkdown, fileNameOf, type Grounded } from './markdown.ts'

const conversationSchema = z
  .object({
    conversationId: z.string(),
    title: z.string(),
    turns: z.number().int(),
    createdAt: time,
    updatedAt: time.describe('When it or one of its branches was last used'),
    latestId: z.string().describe('ID of the conversation or branch that was used last'),
    isPinned: z.boolean(),
    isNew: z.boolean().describe('Created by a schedule or hook, and not marked as seen yet'),
    branchOf: z.string().optional().describe('ID of the conversation that this one branched from at branchTurn'),
    branchTurn: z.number().int().optional(),
  })
  .meta({ id: 'Conversation' })

const messageSchema = z
  .object({
    turn: z.number().int().describe('From 1; a question and its answer have the same number'),
    role: z.enum(['user', 'assistant', 'system']),
    text: z.string(),
    runId: z.string(),
    at: time,
    understood: z
      .string()
      .optional()
      .describe('A follow-up question, rewritten so that it is complete without the previous turns'),
  })
  .meta({ id: 'Message' })

const whole = conversationSchema.extend({
  messages: z.array(messageSchema).readonly(),
  open: z.array(z.string()).readonly().describe('IDs of runs that are running or waiting for approval'),
  ended: z
    .array(z.object({ runId: z.string(), at: time }))
    .readonly()
    .describe('Runs that failed or were stopped, oldest first. They are not turns'),
  branches: z.array(conversationSchema).readonly().describe('Branches, made by editing or repeating a question'),
})

/** A conversation is created at most this long after its first run. */
const SOON_MS = 60_000

/** The conversations of the caller. */
export const conversations: Resource = async (routes, { app, clock }) => {
  const store = app.conversations
  const findConversation = async (owner: string, conversationId: string): Promise<Conversation> => {
    const conversation = await store.get(owner, conversationId)
    if (conversation === undefined) throw new TuttiError('NotFound', `There is no conversation ${conversationId}.`)
    return conversation
  }
  const readConversation = async (owner: string, conversationId: string) => {
    const conversation = await findConversation(owner, conversationId)
    const messages = await store.messages(owner, conversationId)
    const branches = await store.list(owner, { branchOf: conversationId, limit: 1_000 })
    const { runs } = app.as(owner)
    const open = await openConversationRuns(runs, conversationId)
    const since = { status: ['failed', 'cancelled'], from: conversation.createdAt - SOON_MS } as const
    const late = await conversationRuns(runs, conversationId, since)
    // The upper limit finds the first run even if many runs failed since.
    const until = conversation.createdAt + SOON_MS
    const first = messages.length > 0 ? [] : await conversationRuns(runs, conversationId, { ...since, until })
    const turnRuns = new Set(messages.map(({ runId }) => runId))
    const ended = [...new Map([...first, ...late].map((run) => [run.runId, run])).values()]
      .filter(({ runId }) => !turnRuns.has(runId))
      .toSorted((a, b) => a.createdAt - b.createdAt)
    return {
      ...conversationView(conversation),
      messages,
      branches: branches.map(conversationView),
      open: open.map(({ runId }) => runId),
      ended: ended.map(({ runId, createdAt }) => ({ runId, at: createdAt })),
    }
  }
  routes.get(
    '/conversations',
    {
      access: 'read',
      summary: 'The conversations of the caller, latest first',
      query: pageQuery.extend({
        search: z.string().max(500).optional().describe('Words that must all occur in the title or the messages'),
        pinned: z.stringbool().optional(),
      }),
      response: pageSchema(conversationSchema),
    },
    async ({ caller, query: { limit, cursor, search, pinned } }) => {
      const place = parseCursor(cursor)
      const list = await store.list(caller.userId, {
        limit: limit + 1,
        words: searchWords(search),
        isFirst: true,
        ...omitUndefined({ isPinned: pinned }),
        ...(place === undefined ? {} : { after: { updatedAt: place.at, conversationId: place.id } }),
      })
      const items = list.map(conversationView)
      return toPage(items, limit, ({ updatedAt, conversationId }) => ({ at: updatedAt, id: conversationId }))
    },
  )
  routes.get(
    '/conversations/:conversationId',
    { access: 'read', summary: 'A conversation with all messages', response: whole },
    ({ caller, params: { conversationId } }) => readConversation(caller.userId, conversationId),
  )
  routes.patch(
    '/conversations/:conversationId',
    {
      access: 'ask',
      summary: 'Rename, pin or mark as seen',
      body: z.strictObject({
        title: z.string().trim().min(1).max(200).optional(),
        pinned: z.boolean().optional(),
        new: z.boolean().optional(),
      }),
      response: conversationSchema,
    },
    async ({ caller, params: { conversationId }, body: { title, pinned, new: isNew } }) => {
      const when = (isSet: boolean | undefined): number | null | undefined =>
        isSet === undefined ? undefined : isSet ? clock.now() : null
      const change = omitUndefined({ title, pinnedAt: when(pinned), newAt: when(isNew) })
      await store.change(caller.userId, conversationId, change)
      return conversationView(await findConversation(caller.userId, conversationId))
    },
  )
  routes.delete(
    '/conversations/:conversationId',
    { access: 'manage', summary: 'Delete a conversation and its branches; the runs are kept' },
    async ({ caller, params: { conversationId } }) => {
      await findConversation(caller.userId, conversationId)
      await store.remove(caller.userId, conversationId)
    },
  )
  routes.get(
    '/conversations/:conversationId/export',
    {
      access: 'read',
      summary: 'Export a conversation as Markdown: messages, tables, and sources with their database queries',
      query: z.object({
        language: z.enum(['en', 'de']).default('en').describe('Language of the headings'),
        zone: z
          .string()
          .max(100)
          .refine(isZone, 'There is no such zone.')
          .default('UTC')
          .describe('Time zone of the timestamps'),
      }),
      response: { 200: withMediaTypes('The file', { 'text/markdown': z.string() }) },
    },
    async ({ caller, params: { conversationId }, query: spoken }, reply) => {
      const conversation = await findConversation(caller.userId, conversationId)
      const name = `${fileNameOf(conversation, spoken)}.md`
      reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
      const history = await store.messages(caller.userId, conversationId)
      const messages: Grounded[] = []
      for (const message of history)
        messages.push({ ...message, ...(await answerSources(app, caller.userId, message, true)) })
      const text = conversationMarkdown(conversation, messages, spoken)
      return reply.type('text/markdown; charset=utf-8').send(text)
    },
  )
  routes.post(
    '/conversations/:conversationId/branches',
    {
      access: 'ask',
      summary: 'Edit or repeat a question in a new branch; the existing turns are kept',
      body: (askSchema as unknown as z.ZodObject).omit({ conversationId: true }).extend({
        turn: z.int().min(1).max(1_000_000),
        question: z.string().trim().min(1).optional().describe('Default: the same question'),
      }) as unknown as z.ZodType<Omit<Partial<Asked>, 'conversationId'> & { readonly turn: number }>,
      response: { 201: z.object({ conversationId: z.string(), runId: z.string() }) },
    },
    async (request, reply) => {
      const { caller, params: asked, body } = request
      const { turn, ...otherwise } = body
      const { userId } = caller
      const [before] = await store.messages(userId, asked.conversationId, turn - 1)
      const conversationId = newId(request)
      const made = { conversationId, createdAt: clock.now() }
      const isBranched = before?.turn === turn && (await store.branch(userId, asked.conversationId, turn, made))
      if (!isBranched)
        throw new TuttiError('NotFound', `There is no turn ${turn} in conversation ${asked.conversationId}.`)
      const repeatedRequest = { question: before.text, ...otherwise, conversationId }
      const mine = app.as(userId)
      const runId = await startOnce(mine, repeatedRequest, request, reply).catch(async (thrown: unknown) => {
        // A run of an earlier request with the same key may already use the branch.
        if ((await mine.runs.run(newId(request))) === undefined) await store.remove(userId, conversationId)
        throw thrown
      })
      return { conversationId, runId }
    },
  )
}

function conversationView({ pinnedAt, newAt, ...about }: Conversation) {
  return { ...about, isPinned: pinnedAt !== undefined, isNew: newAt !== undefined }
}
