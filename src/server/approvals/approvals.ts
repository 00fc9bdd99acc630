import { z } from 'zod'
import { APPROVAL_SCOPES } from '../../domain/approvals.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { approvalView } from '../../domain/run-view.ts'
import type { Resource } from '../context.ts'
import { id, moment, itemsSchema } from '../schemas.ts'

const status = z.enum(['pending', 'approved', 'denied', 'timed_out', 'expired'])

const scope = z.enum(APPROVAL_SCOPES)

const approvalSchema = z
  .object({
    approvalId: z.string(),
    runId: z.string(),
    key: z.string().describe('Key of the waiting job'),
    step: z.string().optional().describe('The same for all calls that one model reply requested; unique within a run'),
    tool: z.string(),
    payload: z.unknown().describe('Exact input of the call'),
    reason: z.string(),
    provenance: z
      .object({ author: z.string(), private: z.boolean(), sources: z.array(z.string()).readonly() })
      .optional()
      .describe('Origin of the data in the input'),
    status,
    requestedAt: moment,
    expiresAt: moment,
    decidedBy: z.string().optional(),
    decidedAt: moment.optional(),
    instructions: z.string().optional(),
    destination: z.string().optional().describe('Destination of the call, if more than this call can be approved'),
    scopes: z
      .array(scope)
      .readonly()
      .optional()
      .describe('Scopes that can be approved, the default first; `once` if absent'),
    scope: scope.optional().describe('Approved scope; `once` if absent'),
    conversationId: z.string().optional(),
    editedPayload: z.unknown().optional().describe('The input that was used instead, if a person edited it'),
    revokedAt: moment.optional(),
    revokedBy: z.string().optional(),
  })
  .meta({ id: 'Approval' })

const instructions = z.string().max(10_000).optional()

/** Pending approvals and questions to the user. */
export const approvals: Resource = async (routes, { app }) => {
  routes.get(
    '/approvals',
    {
      access: 'readApprovals',
      summary: 'Pending and decided approvals, oldest first',
      query: z.object({ status: status.default('pending'), runId: id.optional() }),
      response: itemsSchema(approvalSchema),
    },
    async ({ caller, query: { status: asked, runId } }) => {
      const list = await app.as(caller.userId).runs.approvals({ status: asked, ...omitUndefined({ runId }) })
      return { items: list.map(approvalView) as never }
    },
  )
  routes.get(
    '/approvals/standing',
    { access: 'readApprovals', summary: 'Approvals that cover later calls', response: itemsSchema(approvalSchema) },
    async ({ caller }) => {
      const list = await app.as(caller.userId).runs.approvals({ isStanding: true })
      return { items: list.map(approvalView) as never }
    },
  )
  routes.delete(
    '/approvals/standing/:approvalId',
    { access: 'decide', summary: 'Revoke a standing approval' },
    async ({ caller, params: { approvalId } }) => app.as(caller.userId).runs.revokeApproval(approvalId, caller.userId),
  )
  routes.get(
    '/approvals/:approvalId',
    { access: 'readApprovals', summary: 'An approval', response: approvalSchema },
    async ({ caller, params: { approvalId } }) => {
      const [found] = await app.as(caller.userId).runs.approvals({ approvalId })
      if (found === undefined) throw new TuttiError('NotFound', `There is no approval ${approvalId}.`)
      return approvalView(found) as never
    },
  )
  routes.post(
    '/approvals/:approvalId/decide',
    {
      access: 'decide',
      summary:
        'Approve, optionally for later calls, with edited input or with instructions; or deny. 409 if already decided or expired',
      body: z.strictObject({
        decision: z.enum(['approved', 'denied']),
        instructions,
        scope: scope.optional().describe('One of `scopes` of the approval'),
        payload: z.unknown().optional().describe('Input for the call, instead of the one that was shown'),
      }),
      response: approvalSchema,
    },
    async ({ caller, params: { approvalId }, body }) => {
      const mine = app.as(caller.userId).runs
      const { decision, instructions: said, ...details } = body
      await mine.decide(approvalId, decision, caller.userId, said, omitUndefined(details))
      const [decided] = await mine.approvals({ approvalId })
      return approvalView(decided!) as never
    },
  )
  routes.post(
    '/hitl/respond',
    {
      access: 'decide',
      summary: 'Same, with the field names of the events hitl_required and hitl_approved',
      body: z.strictObject({
        request_id: id,
        decision: z.enum(['approved', 'denied']),
        instructions: instructions.nullable(),
      }),
      response: z.object({ request_id: z.string(), status: z.enum(['approved', 'denied']) }),
    },
    async ({ caller, body: { request_id, decision, instructions: said } }) => {
      await app.as(caller.userId).runs.decide(request_id, decision, caller.userId, said ?? undefined)
      return { request_id, status: decision }
    },
  )
}
