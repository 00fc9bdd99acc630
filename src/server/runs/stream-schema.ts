import { z } from 'zod'
import { eventOf } from '../media-types.ts'
import { moment } from '../schemas.ts'
import { responseSchema } from './schema.ts'

const piece = z.object({
  text: z.string(),
  part: z.number().int().describe('Incremented when the answer starts over'),
  offset: z.number().int().describe('Offset of the text in its part, in characters'),
})

const approvalSchema = z.object({
  request_id: z.string().describe('ID for POST /hitl/respond'),
  agent_id: z.string(),
  agent_name: z.string(),
  tool_names: z.array(z.string()),
  task_description: z.string(),
  timeout_seconds: z.number().int(),
})

/** A log entry; each type has further fields, which may be extended. */
const entry = z
  .looseObject({ type: z.string(), runId: z.string(), seq: z.number().int(), at: moment })
  .meta({ id: 'RunEvent' })

/** An event of `runEvents`. */
const streamEvent = z.union([
  eventOf(piece, 'token', true),
  eventOf(approvalSchema, 'hitl_required', true),
  eventOf(
    z.object({ request_id: z.string(), agent_id: z.string().optional() }),
    ['hitl_approved', 'hitl_denied', 'hitl_timeout', 'hitl_expired'],
    true,
  ),
  eventOf(responseSchema, 'done', true),
  z.object({ ...eventOf(entry, undefined, true).shape, event: z.string().describe('The type of the entry') }),
])

/** An event of `logEvents`. */
const logged = eventOf(z.union([entry, piece.extend({ type: z.literal('live.text') })]), undefined, true)

export const runEventSchema = streamEvent.meta({ id: 'StreamedEvent' })
export const logEventSchema = logged.meta({ id: 'LoggedEvent' })
