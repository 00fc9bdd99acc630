import type { ErrorInfo } from './errors.ts'
import type { Provenance } from './provenance.ts'
import type { Table } from './table.ts'
import type { UsageTotals } from './usage.ts'

/** A place that an answer rests on; the composer turns these into citations. */
export interface Source {
  /** The id by which models of the run cite and read it, such as `s3`. Assigned by the engine. */
  readonly id?: string
  readonly kind: 'database' | 'api' | 'computation' | 'document' | 'mail' | 'web' | 'mcp'
  /** Its name for readers: a database, a file, a page title. */
  readonly name: string
  /** The request to it: the SQL, the request line, the code. */
  readonly detail?: string
  readonly url?: string
  /** The words that it rests on, at most a few sentences. */
  readonly excerpt?: string
  /** Where in a document, so that a citation can open the passage. */
  readonly passage?: Passage
}

/** A finding of a job, with its source. */
export interface FoundResult {
  readonly source: Source
  readonly table?: Table
}

/** A place in a document. */
export interface Passage {
  readonly documentId: string
  /** From 1; absent in formats without pages. */
  readonly page?: number
  readonly section?: string
  /** Characters of the document's text, from 0; `end` is the first one after the passage. */
  readonly start: number
  readonly end: number
}

/** The return value of an actor. The engine adds provenance, latency and usage and makes it a `Result`. */
export interface Outcome<D = unknown> {
  readonly status?: 'succeeded' | 'failed' | 'skipped'
  readonly answer?: string
  readonly tabular?: Table
  readonly data?: D
  /** The partial result of a failed task. */
  readonly partial?: unknown
  readonly error?: ErrorInfo
  /** 0 to 1. */
  readonly confidence?: number
  readonly sources?: readonly Source[]
  /** Sentences for every answer that uses the result, such as sources that could not be read. */
  readonly remarks?: readonly string[]
  /** Parts of its task without an answer, in the words of the task. */
  readonly unanswered?: readonly string[]
  /** The result of the reflection, if there was one; earlier attempts are in the trace. */
  readonly reflection?: ReflectionStatus
  /** Ids of the skills that it was made with. */
  readonly skills?: readonly string[]
}

/** Outcomes of reflection: the result is accepted, was repaired, or must be repeated. */
export type ReflectionStatus = 'APPROVED' | 'FIXED' | 'REJECTED'

/** A task that a user changed by approving one of its calls with instructions. */
export interface EffectiveTask {
  /** The planned task and the instructions, in words that a model is given. */
  readonly text: string
  /** `enhance`: the task and the instructions; `override`: the instructions instead of the task. */
  readonly intent: 'enhance' | 'override'
}

/** The result of a job. */
export interface Result extends Outcome {
  readonly status: 'succeeded' | 'failed' | 'skipped'
  readonly provenance: Provenance
  readonly latencyMs: number
  readonly usage?: UsageTotals
  /** Models that had a part in it, `provider:model`, without duplicates. */
  readonly models?: readonly string[]
  /** Absent: the task was done as planned. */
  readonly effectiveTask?: EffectiveTask
}

/** The status of a result as models read it: a success with open parts is only partly done. */
export function statusText({ status, unanswered = [] }: { status: string; unanswered?: readonly string[] }): string {
  return status === 'succeeded' && unanswered.length > 0 ? 'partly done' : status
}
