import type { AnswerFormat } from '../../domain/answer-status.ts'
import { isOfDecision } from '../../domain/errors.ts'
import type { ParentRef, RunEvent } from '../../domain/events.ts'
import { omitUndefined, truncate } from '../../shared/json.ts'
import { responseOf, type RunResponse } from '../../domain/response.ts'
import type { Result } from '../../domain/result.ts'
import type { RunRecord } from '../../domain/store.ts'
import { fold, workMs } from '../../domain/state.ts'

/** Outcome of a finished run: all of its parts were answered, some, or none. */
export const OUTCOMES = ['answered', 'partly', 'declined'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Status of a task. A task that the agent declined, or that the user denied or stopped, has not failed. */
export function outcomeStatus({ status, error }: Pick<Result, 'status' | 'error'>): Result['status'] | 'declined' {
  return status === 'failed' && isOfDecision(error) ? 'declined' : status
}

/** Summary of a run for lists. */
export interface RunDigest {
  readonly outcome?: Outcome
  readonly forkOf?: ParentRef
  readonly agents: readonly string[]
  /** First line of the answer, or the reason why there is none. */
  readonly gist?: string
  /** Duration without the time spent waiting for approval. */
  readonly workMs: number
  readonly tokens: number
  readonly costUsd: number
}

/** Maximum of summaries in the cache; the least recently used is dropped. */
const REMEMBERED = 10_000
/** Maximum length of a line in characters. */
const MAX_LINE_CHARS = 300

/** Summaries of runs, computed from their logs. The log of a run that is not running is read once. */
export class Outcomes {
  private readonly known = new Map<string, RunDigest>()

  /** @returns undefined for a run that is running, since its log still grows */
  async of(run: RunRecord, events: () => Promise<readonly RunEvent[]>): Promise<RunDigest | undefined> {
    if (run.status === 'running') return undefined
    const key = `${run.runId} ${run.lastSeq}`
    const digest = this.known.get(key) ?? runDigest(run.status, await events())
    this.known.delete(key)
    this.known.set(key, digest)
    if (this.known.size > REMEMBERED) this.known.delete(this.known.keys().next().value!)
    return digest
  }
}

/** Computes the summary of a run that is not running. */
export function runDigest(status: RunRecord['status'], events: readonly RunEvent[]): RunDigest {
  const { answer, error, metadata } = responseOf(events)
  const { agents, usage } = metadata
  const [started] = events
  return {
    ...omitUndefined({
      outcome: status === 'finished' ? outcomeOf(metadata) : undefined,
      forkOf: started?.type === 'run.started' ? started.forkOf : undefined,
      gist: status === 'waiting' ? undefined : (firstLine(answer, metadata.format) ?? error?.message),
    }),
    agents,
    workMs: workMs(fold(events)),
    tokens: usage.inputTokens + usage.outputTokens,
    costUsd: usage.costUsd,
  }
}

/** Plain text of the first line, without citation marks and, if it is Markdown, without Markdown syntax. */
function firstLine(answer: string, format: AnswerFormat): string | undefined {
  for (const line of answer.split('\n')) {
    const plainLine = line.replaceAll(/ ?\[\d{1,3}\]/g, '').trim()
    const plain =
      format === 'text' ? plainLine : plainLine.replace(/^(?:[#>*-]+|\d+\.) +/, '').replaceAll(/\*\*|__|`/g, '')
    // Skip table headers and code blocks.
    if (/^[^|]*\p{L}/u.test(plain)) return truncate(plain, MAX_LINE_CHARS)
  }
}

/** Computes the outcome from the log of a finished run. */
export function outcomeIn(events: readonly RunEvent[]): Outcome {
  return outcomeOf(responseOf(events).metadata)
}

function outcomeOf({ isAnswered, unanswered }: RunResponse['metadata']): Outcome {
  if (!isAnswered) return 'declined'
  return unanswered.length > 0 ? 'partly' : 'answered'
}
