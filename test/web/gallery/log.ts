import type { ErrorInfo } from '../../../src/domain/errors.ts'
import type { Citation } from '../../../src/domain/answer.ts'
import type { EventBody, RunEvent } from '../../../src/domain/events.ts'
import { BY_USER, ownData, outsideData } from '../../../src/domain/provenance.ts'
import type { RequestInput, RunRequest } from '../../../src/domain/request.ts'
import type { Result } from '../../../src/domain/result.ts'
import { tableFromArrays, type Table } from '../../../src/domain/table.ts'

/** A hand-written log of a run: events, with their seconds after the start of the run. */

/** "Now" in every picture; runs begin some minutes before. */
export const NOW = Date.parse('2026-10-31T09:30:00Z')

type At = readonly [second: number, ...bodies: readonly EventBody[]]

/** @param began minutes before now */
export function logOf(runId: string, began: number, ...happened: readonly At[]): RunEvent[] {
  const start = NOW - began * 60_000
  return happened
    .flatMap(([second, ...bodies]) =>
      bodies.map((body) => ({ at: new Date(start + second * 1_000).toISOString(), body })),
    )
    .map(({ at, body }, n) => ({ ...body, runId, seq: n + 1, at, v: 1 }) as RunEvent)
}

export function started(question: string, more: RequestInput | Partial<RequestInput> = {}): EventBody {
  const request = { context: {}, strategy: 'graph', budget: {}, models: {}, preferAgents: [], disableAgents: [] }
  return { type: 'run.started', request: { ...request, ...more, question } as unknown as RunRequest }
}

interface Todo {
  readonly id: string
  readonly agent: string
  readonly text?: string
  readonly after?: readonly string[]
}

const taskOf = ({ id, agent, text, after = [] }: Todo) => ({
  id,
  agent,
  dependsOn: [...after],
  ...(text === undefined ? {} : { text }),
})

export function plan(
  key: string | undefined,
  tasks: readonly Todo[],
  by: 'planner' | 'supervisor' = 'planner',
): EventBody {
  return {
    type: 'plan.set',
    ...(key === undefined ? {} : { key }),
    plan: { tasks: tasks.map(taskOf) },
    by,
    rationale: 'Each part of the question goes to who can answer it.',
    confidence: 0.9,
  }
}

/** A running role. */
export function step(key: string, more: object = {}): EventBody {
  return { type: 'job.started', key, actor: key.split(':')[0]!, attempt: 1, ...more }
}

/** An agent that works on a task of the plan. */
export function task(todo: Todo, more: object = {}): EventBody {
  const { id, agent, after = [] } = todo
  return { type: 'job.started', key: id, actor: agent, attempt: 1, dependsOn: [...after], task: taskOf(todo), ...more }
}

const USED = { calls: 1, inputTokens: 1_240, outputTokens: 180, costUsd: 0.0009 }

export function settled(key: string, result: Partial<Result> = {}): EventBody {
  return {
    type: 'job.settled',
    key,
    result: {
      status: 'succeeded',
      provenance: BY_USER,
      latencyMs: 900,
      usage: USED,
      models: ['openai:gpt-5-mini'],
      ...result,
    },
  }
}

export function modelCall(key: string, name: string, input: unknown, output: unknown, more: object = {}): EventBody {
  return {
    type: 'call.finished',
    key,
    path: `${key}@1/${name}`,
    kind: 'model',
    name,
    by: 'model',
    model: 'openai:gpt-5-mini',
    latencyMs: 640,
    requests: 1,
    usage: { inputTokens: 1_240, outputTokens: 180, cachedInputTokens: 512, costUsd: 0.0009 },
    input,
    output,
    ...more,
  }
}

export function toolCall(key: string, name: string, input: unknown, output: unknown, more: object = {}): EventBody {
  return {
    type: 'call.finished',
    key,
    path: `${key}@1/${name}`,
    kind: 'tool',
    name,
    latencyMs: 210,
    input,
    output,
    ...more,
  }
}

/** The result of a job that failed. */
export const failedBy = (type: ErrorInfo['type'], message: string, retryable = false): Partial<Result> => ({
  status: 'failed',
  error: { type, message, retryable } as ErrorInfo,
})

/** A query of the database, and the step that ends with its rows. */
export const queried = (key: string, sql: string, rows: Table, more: object = {}): EventBody =>
  toolCall(key, 'mcp_db_query', { database: 'brindlemoor', sql }, rows, more)

interface Asked {
  readonly key: string
  readonly approvalId: string
  readonly tool: string
  readonly payload: unknown
  readonly reason: string
  readonly isTainted?: boolean
}

/** A pending approval that expires in 14 minutes and 19 seconds. */
export function asked({ isTainted = false, ...about }: Asked): EventBody {
  return {
    type: 'approval.requested',
    path: `${about.key}@1/${about.tool}`,
    provenance: isTainted ? outsideData('carrier-terms.pdf') : ownData('brindlemoor'),
    expiresAt: NOW + 859_000,
    ...about,
  }
}

export function answer(text: string, more: object = {}): EventBody {
  return { type: 'answer.composed', key: 'composer:1', answer: text, by: 'model', isAnswered: true, ...more }
}

export const FINISHED: EventBody = { type: 'run.finished' }

export const rowsOf = (columns: readonly string[], ...rows: readonly (readonly unknown[])[]): Table =>
  tableFromArrays(columns, rows)

export function passageOf(n: number): Citation {
  return {
    n,
    agent: 'rag',
    source: {
      kind: 'document',
      name: 'returns-policy.pdf',
      excerpt: 'Goods that arrive damaged must be reported within 7 days of delivery, with photographs.',
      passage: {
        documentId: 'returns-policy',
        page: 3,
        section: 'Returns policy › 6. Damaged goods',
        start: 2_530,
        end: 3_491,
      },
    },
  }
}

export function queryOf(n: number, detail: string): Citation {
  return { n, agent: 'sql', source: { kind: 'database', name: 'brindlemoor', detail } }
}
