import { z } from 'zod'
import { ANSWER_FORMATS } from '../../domain/answer-status.ts'
import type { ConversationMessage } from '../../domain/conversation.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Share } from '../../accounts/shares.ts'
import { assertNotKey } from '../access.ts'
import { answerSources } from '../conversations/answer-sources.ts'
import type { Resource } from '../context.ts'
import { chartSchema, replySchema, tableSchema } from '../runs/schema.ts'
import { id, time, itemsSchema } from '../schemas.ts'
import { AttemptLimit } from '../session/attempts.ts'
import type { App } from '../../app/user-app.ts'
import type { Owner } from '../../domain/events.ts'
import type { Source } from '../../domain/result.ts'
import { isSourceName, MAILBOX } from '../../shared/source-name.ts'
import { usableSources } from '../sources.ts'

const DAY_MS = 86_400_000
const SOURCE_REVOKED =
  'This link is closed: its owner may no longer use one of its sources. It opens again when they may.'
const params = z.object({ conversationId: id })

const shareSchema = z
  .object({
    shareId: z.string(),
    turns: z.number().int().describe('Number of turns shown; later turns are not shown'),
    createdAt: time,
    expiresAt: time.optional(),
  })
  .meta({ id: 'Share' })

const sharedSchema = z.object({
  title: z.string(),
  sharedAt: time,
  expiresAt: time.optional(),
  messages: z.array(
    z.object({
      turn: z.number().int(),
      role: z.enum(['user', 'assistant', 'system']),
      text: z.string(),
      format: z.enum(ANSWER_FORMATS).describe('Format of the text; `text` must be shown literally'),
      at: time,
      author: z
        .enum(['user', 'own', 'outside'])
        .describe('Trust level of the least trusted source of the text; `outside`: strangers may have written it'),
      data: tableSchema.strip().optional(),
      charts: z.array(chartSchema.strip()).readonly().optional(),
      replies: z.array(replySchema).readonly().optional(),
      sources: z.array(
        z.object({
          n: z
            .number()
            .int()
            .optional()
            .describe('Number of the citation mark [n] in the text; absent if the source is not cited'),
          kind: z
            .enum(['database', 'api', 'computation', 'document', 'mail', 'web', 'mcp'])
            .describe('`document`, `mail`, `web` and `mcp` may have been written by strangers'),
          title: z.string(),
        }),
      ),
    }),
  ),
})

/** Public links to conversations. They can be withdrawn at any time. */
export const shares: Resource = async (routes, { app, clock }) => {
  const { conversations } = app
  const { shares: links, loginRateLimit: tries } = app.people
  const attempts = new AttemptLimit(tries, 'shared link')
  const findConversation = async (owner: string, conversationId: string) => {
    const conversation = await conversations.get(owner, conversationId)
    if (conversation === undefined) throw new TuttiError('NotFound', `There is no conversation ${conversationId}.`)
    return conversation
  }
  const messageOf = async (
    { owner }: Share & { readonly owner: string },
    message: ConversationMessage,
  ): Promise<z.infer<typeof sharedSchema>['messages'][number]> => {
    const { turn, role, text, at, provenance } = message
    const author = provenance?.author ?? 'user'
    return { turn, role, text, at, author, ...(await answerSources(app, owner, message, false)) }
  }

  routes.post(
    '/conversations/:conversationId/shares',
    {
      access: 'ask',
      summary: 'Share the conversation so far: creates a link that works without signing in',
      body: z.strictObject({
        days: z.int().min(1).max(3_650).optional().describe('When the link expires; never if absent'),
      }),
      response: { 201: shareSchema.extend({ path: z.string().describe('Path of the link; returned only here') }) },
    },
    async ({ caller, params: { conversationId }, body: { days } }) => {
      const { userId } = caller
      const { turns, title } = await findConversation(userId, conversationId)
      assertNotKey(caller, 'A link')
      const expiry = days === undefined ? {} : { expiresAt: clock.now() + days * DAY_MS }
      const { token, share } = await links.create(userId, { conversationId, title, turns, ...expiry })
      return { ...share, path: `/shared/${token}` }
    },
  )
  routes.get(
    '/conversations/:conversationId/shares',
    { access: 'read', summary: 'The links to a conversation', response: itemsSchema(shareSchema) },
    async ({ caller: { userId }, params: { conversationId } }) => {
      await findConversation(userId, conversationId)
      return { items: await links.list(userId, conversationId) }
    },
  )
  routes.delete(
    '/conversations/:conversationId/shares/:shareId',
    { access: 'ask', summary: 'Withdraw a link, with immediate effect', params: params.extend({ shareId: id }) },
    async ({ caller: { userId }, params: { conversationId, shareId } }) => {
      await findConversation(userId, conversationId)
      await links.revoke(userId, shareId)
    },
  )
  routes.get(
    '/shared/:token',
    {
      access: 'public',
      summary: 'A shared conversation: messages, replies, tables, charts and the titles of the sources',
      response: sharedSchema,
    },
    async ({ ip, params: { token } }, reply) => {
      const share = await links.find(token)
      const conversation = share && (await conversations.get(share.owner, share.conversationId))
      if (share === undefined || conversation === undefined) {
        await attempts.count(ip)
        throw new TuttiError(
          'NotFound',
          'This link does not exist, was withdrawn or has expired. Ask the person who sent it for another.',
        )
      }
      const all = await conversations.messages(share.owner, share.conversationId)
      const visible = all.filter(({ turn }) => turn <= share.turns)
      // The answers may contain data of that source, as may all later messages.
      if (await usesRevokedSources(app, share.owner, visible)) throw new TuttiError('NotFound', SOURCE_REVOKED)
      const messages = await Promise.all(visible.map((message) => messageOf(share, message)))
      reply.header('x-robots-tag', 'noindex')
      return {
        title: share.title ?? conversation.title,
        sharedAt: share.createdAt,
        expiresAt: share.expiresAt,
        messages,
      }
    },
  )
}

/**
 * Whether answers use an existing source that their user may no longer use. Removed sources do not count, nor do
 * deleted runs, whose sources are not known.
 */
async function usesRevokedSources(
  app: App,
  owner: Owner,
  messages: readonly Pick<ConversationMessage, 'role' | 'runId'>[],
): Promise<boolean> {
  const { as, knowledge, sources: all } = app
  const { response, isGiven } = as(owner)
  const answers = messages
    .filter(({ role }) => role === 'assistant')
    .map(({ runId }) => sourcesOfAnswer(response(runId)))
  const places = (await Promise.all(answers)).flat()
  const isMine = await isGiven()
  const names = new Set(places.map(({ kind, name }) => `${kind}:${name}`).filter(isSourceName))
  if (all.some((source) => names.has(source) && !isMine(source))) return true
  const hasMail = places.some(({ kind }) => kind === 'mail')
  if (hasMail && all.includes(MAILBOX) && (await usableSources(app, owner)).mail === undefined) return true
  const documents = places.flatMap(({ passage }) => (passage === undefined ? [] : [passage.documentId]))
  if (documents.length === 0) return false
  const { shared, store } = knowledge
  const corpora = { reader: '', owners: await shared.all() }
  const [given, mine] = await Promise.all([
    store.placesOf(corpora, documents),
    store.placesOf(await shared.readableScope(owner), documents),
  ])
  return [...given.keys()].some((documentId) => !mine.has(documentId))
}

async function sourcesOfAnswer(answer: ReturnType<ReturnType<App['as']>['response']>): Promise<readonly Source[]> {
  const response = await answer.catch((thrown: unknown) => {
    if (!TuttiError.is(thrown, 'RunNotFound')) throw thrown
  })
  const { agentResults = [], citations = [] } = response ?? {}
  return [...agentResults.flatMap(({ sources }) => sources), ...citations.map(({ source }) => source)]
}
