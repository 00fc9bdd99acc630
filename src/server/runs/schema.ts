import { z } from 'zod'
import { ANSWER_FORMATS } from '../../domain/answer-format.ts'
import { CHART_TYPES } from '../../domain/chart.ts'
import { requestSchema, type RequestInput } from '../../domain/request.ts'
import { FIGURE_STATUSES } from '../../domain/check.ts'
import { NOTICE_CODES, NOTICE_SEVERITIES } from '../../domain/notice.ts'
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
    outcome: z.enum(OUTCOMES).optional().describe('In lists, of one that is finished: whether its parts are answered'),
    forkOf: z
      .object({ runId: z.string(), key: z.string() })
      .optional()
      .describe('From which step of which run it was forked; in lists unless it is at work'),
    gist: z.string().optional().describe('In lists: the first line of the answer, or why there is none'),
    agents: z.array(z.string()).readonly().optional().describe('In lists, unless it is at work: who takes part'),
    workMs: z.number().optional().describe('In lists, unless it is at work: without what it waited for people'),
    waitedMs: z.number().optional().describe('In lists, unless it is at work: for people to decide'),
    tokens: z.number().int().optional().describe('In lists, unless it is at work'),
    costUsd: z.number().optional().describe('In lists, unless it is at work'),
  })
  .meta({ id: 'Run' })

const errorSchema = z.looseObject({ type: z.string(), message: z.string() })
export const tableSchema = z.looseObject({
  columns: z.array(z.string()).readonly(),
  rows: z.array(z.record(z.string(), z.unknown())).readonly(),
  rowCount: z.number().int(),
  truncated: z.boolean().optional(),
})

const chartSchema = z
  .looseObject({
    type: z.enum(CHART_TYPES),
    title: z.string(),
    x: z.string().describe('Column of the categories, times or numbers along the axis'),
    series: z.array(z.string()).readonly().describe('Columns of numbers'),
    unit: z.string().optional(),
    rows: z.array(z.record(z.string(), z.union([z.number(), z.string(), z.null()]))).readonly(),
  })
  .meta({ id: 'Chart' })

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
          start: z.number().int().describe('Characters of the answer, from 0'),
          end: z.number().int(),
          text: z.string(),
          status: z
            .enum(FIGURE_STATUSES)
            .describe(
              '`found`: in a result, a passage, the conversation or the question; `derived`: follows from them',
            ),
          sources: z.array(z.string()).readonly().optional().describe('Ids of sources, as in `citations`'),
        }),
      )
      .readonly(),
  })
  .meta({ id: 'Checks' })

/** What a run has come to; the parts that only grow are described in docs/http-api.md. */
export const responseSchema = z
  .looseObject({
    answer: z.string(),
    finalAnswer: z.string().optional().describe('Of the strategy review: the answer once more'),
    finalReasoningTrace: z.string().optional().describe('Of the strategy review: how it came to the answer'),
    status: z.enum(ANSWER_STATUSES).describe('Whether the question was answered; `failed`: the run failed'),
    basis: z.enum(ANSWER_BASES).describe('What the answer rests on; `model`: general knowledge'),
    notices: z.array(noticeSchema).describe('What a reader should know beside the answer'),
    checks: checksSchema.describe('What was verified about the answer; its text is not changed'),
    data: tableSchema.optional(),
    charts: z.array(chartSchema).optional().describe('Charts that belong to the answer, as data'),
    citations: z.array(
      z.looseObject({
        n: z.number().int(),
        agent: z.string(),
        source: z.looseObject({ kind: z.string(), name: z.string() }),
      }),
    ),
    agentResults: z.array(z.looseObject({ agent: z.string(), task: z.string(), status: z.string() })),
    planner: z.looseObject({ chosenAgents: z.array(z.string()), rationale: z.string() }).optional(),
    metadata: z.looseObject({
      runId: z.string(),
      status: statusSchema,
      strategy: z.string(),
      conversationId: z.string().optional(),
      format: z.enum(ANSWER_FORMATS).describe('How the answer is to be read: `text` is shown to the letter'),
      isAnswered: z.boolean(),
      notes: z.array(z.string()),
    }),
    error: errorSchema.optional(),
    trace: z.array(z.looseObject({ eventType: z.string(), message: z.string(), timestamp: moment })).optional(),
  })
  .meta({ id: 'Response' }) as unknown as z.ZodType<RunResponse>

/** What is set by Tutti alone, or by the way a question comes in. */
const NOT_ASKED = new Set([
  'attached',
  'strategyReason',
  'store',
  'interactive',
  'said',
  'team',
  'shadow',
  'approvalTimeoutMs',
])

/** What is asked over HTTP: files of the question by the name of their collection. */
export type Asked = Omit<RequestInput, 'attached' | 'strategyReason'> & { readonly documents?: string }

/** A collection of files that were sent for a question. */
export const collectionId = z.string().regex(/^documents-[0-9a-f]{32}$/, 'is not the name of a collection')

/**
 * A request over HTTP. It is checked here and filled in where it is started: what it leaves open is as the installation's
 * configuration says.
 */
export const askSchema = z
  .strictObject({
    ...Object.fromEntries(
      Object.entries(requestSchema.shape).flatMap(([name, field]) =>
        NOT_ASKED.has(name) ? [] : [[name, field instanceof z.ZodDefault ? field.unwrap().optional() : field]],
      ),
    ),
    documents: collectionId.optional().describe('Files that were sent to /attachments for this question'),
  })
  .meta({ id: 'Request' }) as unknown as z.ZodType<Asked>
