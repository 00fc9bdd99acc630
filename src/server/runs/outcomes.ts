import type { AnswerFormat } from '../../domain/answer-format.ts'
import { isOfApproval } from '../../domain/errors.ts'
import type { ParentRef, RunEvent } from '../../domain/events.ts'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import { truncate } from '../../shared/safe-json.ts'
import { responseOf, type RunResponse } from '../../domain/response.ts'
import type { Result } from '../../domain/result.ts'
import type { RunRecord } from '../../domain/store.ts'
import { humanWaitMs } from '../../domain/human-wait-time.ts'

/** What a run that is finished came to: all of its parts are answered, some of them, or none. */
export const OUTCOMES = ['answered', 'partly', 'declined'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** What a task came to. What an agent found not to be its own, and what a person denied or stopped, has not failed. */
export function outcomeStatus({ status, error }: Pick<Result, 'status' | 'error'>): Result['status'] | 'declined' {
  const isDeclined = ['PlanningDeclined', 'Cancelled'].includes(error?.type ?? '') || isOfApproval(error)
  return status === 'failed' && isDeclined ? 'declined' : status
}

/** What lists tell of a run besides. */
export interface Told {
  readonly outcome?: Outcome
  readonly forkOf?: ParentRef
  readonly agents: readonly string[]
  /** The first line of the answer, or why there is none. */
  readonly gist?: string
  /** Without the time in which it waited for people. */
  readonly workMs: number
  readonly waitedMs: number
  readonly tokens: number
  readonly costUsd: number
}

/** Of those that were asked for last. */
const REMEMBERED = 10_000
/** Characters of a line. */
const MOST_OF_LINE = 300

/** What runs came to, as their logs tell. A log that stands still is read once. */
export class Outcomes {
  private readonly known = new Map<string, Told>()

  /** @returns undefined for a run that is at work: its log is another one each time */
  async of(run: RunRecord, events: () => Promise<readonly RunEvent[]>): Promise<Told | undefined> {
    if (run.status === 'running') return undefined
    const key = `${run.runId} ${run.lastSeq}`
    const told = this.known.get(key) ?? toldOf(run.status, await events())
    this.known.delete(key)
    this.known.set(key, told)
    if (this.known.size > REMEMBERED) this.known.delete(this.known.keys().next().value!)
    return told
  }
}

/** What the log of a run that stands still tells. */
export function toldOf(status: RunRecord['status'], events: readonly RunEvent[]): Told {
  const { answer, error, metadata } = responseOf(events)
  const { agents, usage, latencyMs } = metadata
  const waited = humanWaitMs(events)
  const [started] = events
  return {
    ...omitUndefined({
      outcome: status === 'finished' ? outcomeOf(metadata) : undefined,
      forkOf: started?.type === 'run.started' ? started.forkOf : undefined,
      gist: status === 'waiting' ? undefined : (firstLine(answer, metadata.format) ?? error?.message),
    }),
    agents,
    workMs: latencyMs - waited,
    waitedMs: waited,
    tokens: usage.inputTokens + usage.outputTokens,
    costUsd: usage.costUsd,
  }
}

/** As it reads on its own: without the marks of sources, and without those of Markdown where it is that. */
function firstLine(answer: string, format: AnswerFormat): string | undefined {
  for (const line of answer.split('\n')) {
    const said = line.replaceAll(/ ?\[\d{1,3}\]/g, '').trim()
    const plain = format === 'text' ? said : said.replace(/^(?:[#>*-]+|\d+\.) +/, '').replaceAll(/\*\*|__|`/g, '')
    // A table begins with the names of its columns, and a block of code says no sentence.
    if (/^[^|]*\p{L}/u.test(plain)) return truncate(plain, MOST_OF_LINE)
  }
}

/** Of the log of a run that is finished. */
export function outcomeIn(events: readonly RunEvent[]): Outcome {
  return outcomeOf(responseOf(events).metadata)
}

function outcomeOf({ isAnswered, unanswered }: RunResponse['metadata']): Outcome {
  if (!isAnswered) return 'declined'
  return unanswered.length > 0 ? 'partly' : 'answered'
}
