import { z } from 'zod'
import { openConversationRuns } from '../conversations/conversation-runs.ts'
import { EVENT_STREAM, withMediaTypes } from '../media-types.ts'
import type { Resource } from '../context.ts'
import { sendEvents } from '../sse.ts'
import { ui } from './formats.ts'

/** The address with which the transport of `useChat` resumes a chat. It is derived from the address of the request. */
export const resume: Resource = async (routes, parts) => {
  routes.get(
    '/query/stream/:conversationId/stream',
    {
      access: 'follow',
      summary: 'Stream the running answer of a conversation from its beginning; 204 if there is none',
      query: z.object({ format: z.literal('ui').default('ui') }),
      response: {
        200: withMediaTypes('The UI message stream of the AI SDK', { [EVENT_STREAM]: ui.event }),
        204: z.null(),
      },
      exposeHeadRoute: false,
    },
    async ({ caller, params: { conversationId } }, reply) => {
      const mine = parts.app.as(caller.userId).runs
      const [latest] = await openConversationRuns(mine, conversationId)
      if (latest === undefined) return reply.code(204).send(null)
      return sendEvents(reply, (signal) => ui.events(mine, latest.runId, { signal }), parts, ui.headers)
    },
  )
}
