import { z } from 'zod'
import { ANSWER_FORMATS } from '../../domain/answer-status.ts'
import { CHART_TYPES } from '../../domain/answer-files.ts'
import { requestSchema, type RequestInput } from '../../domain/request.ts'
import { FIGURE_STATUSES, NOTICE_CODES, NOTICE_SEVERITIES } from '../../domain/answer.ts'
import { ANSWER_BASES, ANSWER_STATUSES, type RunResponse } from '../../domain/response.ts'
import { moment } from '../schemas.ts'
import { OUTCOMES } from './outcomes.ts'

export const statusSchema = z.enum(['running', 'waiting', 'finished', 'failed', 'cancelled'])

export const runSchema = z
  .object({
    runId: z.string(),
    status: statusSchema,
    strategy: z.string(),
    question: z.string(),
    parentId: z.string().optional(),
    createdAt: moment,
    updatedAt: moment,
    outcome: z
      .enum(OUTCOMES)
      .optional()
      .describe('Only in lists, for finished runs: whether all parts of the question were answered'),
    forkOf: z
      .object({ runId: z.string(), key: z.string() })
      .optional()
      .describe('Run and step that it was forked from. In lists, absent while it is running'),
    gist: z.string().optional().describe('Only in lists: first line of the answer, or the reason why there is none'),
    agents: z
      .array(z.string())
      .readonly()
      .optional()
      .describe('Only in lists, absent while running: the agents that took part'),
    workMs: z
      .number()
      .optional()
      .describe('Only in lists, absent while running: duration without waiting for approval'),
    tokens: z.number().int().optional().describe('Only in lists, absent while running'),
    costUsd: z.number().optional().describe('Only in lists, absent while running'),
  })
  .meta({ id: 'Run' })

const errorSchema = z.looseObject({ type: z.string(), message: z.string() })
export const tableSchema = z.looseObject({
  columns: z.array(z.string()).readonly(),
  rows: z.array(z.record(z.string(), z.unknown())).readonly(),
  rowCount: z.number().int(),
  truncated: z.boolean().optional(),
})

export const replySchema = z.object({ question: z.string(), reply: z.string().optional() })

export const chartSchema = z
  .looseObject({
    type: z.enum(CHART_TYPES),
    title: z.string(),
    x: z.string().describe('Column of the categories, times or numbers along the axis'),
    series: z.array(z.string()).readonly().describe('Columns with the values'),
    unit: z.string().optional(),
    rows: z.array(z.record(z.string(), z.union([z.number(), z.string(), z.null()]))).readonly(),
  })
  .meta({ id: 'Chart' })

const fileSchema = z
  .looseObject({
    id: z.string().describe('For /runs/{runId}/files/{fileId}'),
    name: z.string(),
    mediaType: z.string(),
    bytes: z.number().int().describe('Size'),
  })
  .meta({ id: 'RunFile' })

export const noticeSchema = z
  .looseObject({
    code: z.enum(NOTICE_CODES),
    params: z.record(z.string(), z.string()),
    severity: z.enum(NOTICE_SEVERITIES),
    text: z.string(),
  })
  .meta({ id: 'Notice' })

export const checksSchema = z
  .looseObject({
    figures: z
      .array(
        z.looseObject({
          start: z.number().int().describe('Offset in the answer, in characters from 0'),
          end: z.number().int(),
          text: z.string(),
          status: z
            .enum(FIGURE_STATUSES)
            .describe(
              '`found`: stated in a result, a passage, the conversation or the question; `derived`: follows from them',
            ),
          sources: z.array(z.string()).readonly().optional().describe('IDs of sources, as in `citations`'),
        }),
      )
      .readonly(),
  })
  .meta({ id: 'Checks' })

/** The response of a run; docs/http-api.md describes the fields that grow while it is running. */
export const responseSchema = z
  .looseObject({
    answer: z.string(),
    finalAnswer: z.string().optional().describe('Strategy review: the answer again'),
    finalReasoningTrace: z.string().optional().describe('Strategy review: how the answer was found'),
    status: z.enum(ANSWER_STATUSES).describe('Whether the question was answered; `failed`: the run failed'),
    basis: z.enum(ANSWER_BASES).describe('What the answer rests on; `model`: general knowledge'),
    notices: z.array(noticeSchema).describe('Notes about the answer for the reader'),
    checks: checksSchema.describe('Results of the checks; they do not change the text of the answer'),
    data: tableSchema.optional(),
    charts: z.array(chartSchema).optional().describe('Charts of the answer, as data'),
    files: z.array(fileSchema).optional().describe('Files that tools stored, such as pictures'),
    replies: z.array(replySchema).optional().describe('Questions of agents, and the user’s replies'),
    citations: z.array(
      z.looseObject({
        n: z.number().int(),
        agent: z.string(),
        source: z.looseObject({ kind: z.string(), name: z.string() }),
      }),
    ),
    agentResults: z.array(z.looseObject({ agent: z.string(), task: z.string(), status: z.string() })),
    actions: z
      .array(z.looseObject({ tool: z.string(), effect: z.string(), error: z.string().optional() }))
      .describe('Calls that changed something, or may have; empty if nothing was changed'),
    planner: z.looseObject({ chosenAgents: z.array(z.string()), rationale: z.string() }).optional(),
    metadata: z.looseObject({
      runId: z.string(),
      status: statusSchema,
      strategy: z.string(),
      conversationId: z.string().optional(),
      format: z.enum(ANSWER_FORMATS).describe('Format of the answer; `text` must be shown literally'),
      isAnswered: z.boolean(),
      notes: z.array(z.string()),
    }),
    error: errorSchema.optional(),
    trace: z.array(z.looseObject({ eventType: z.string(), message: z.string(), timestamp: moment })).optional(),
  })
  .meta({ id: 'Response' }) as unknown as z.ZodType<RunResponse>

/** Fields that only Tutti or the kind of request sets. */
const NOT_ASKED = new Set([
  'attached',
  'ownSources',
  'configFile',
  'strategyReason',
  'store',
  'interactive',
  'said',
  'team',
  'shadow',
  'approvalTimeoutMs',
])

/** The body of a question. `documents` is the name of the collection of its attached files. */
export type Asked = Omit<RequestInput, 'attached' | 'ownSources' | 'configFile' | 'strategyReason'> & {
  readonly documents?: string
}

/** A collection of attached files. */
export const collectionId = z.string().regex(/^documents-[0-9a-f]{32}$/, 'is not the name of a collection')

/**
 * The body of a question. Only its form is checked here. Defaults come from the configuration when the run is started.
 */
export const askSchema = z
  .strictObject({
    ...Object.fromEntries(
      Object.entries(requestSchema.shape).flatMap(([name, field]) =>
        NOT_ASKED.has(name) ? [] : [[name, field instanceof z.ZodDefault ? field.unwrap().optional() : field]],
      ),
    ),
    documents: collectionId.optional().describe('Collection of files sent to /attachments for this question'),
  })
  .meta({ id: 'Request' }) as unknown as z.ZodType<Asked>
