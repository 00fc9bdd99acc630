import type { RunId, Owner } from './events.ts'
import type { Task } from './plan.ts'
import type { Result } from './result.ts'

/** One job of one actor, for audits. Derived from the log. */
export interface Execution {
  readonly runId: RunId
  readonly key: string
  readonly actor: string
  readonly status: 'running' | Result['status']
  /** The planned task of a specialist; roles have none. */
  readonly input?: Task
  readonly output?: Result
  /** Message of the error. */
  readonly error?: string
  /** ISO 8601 in UTC. */
  readonly startedAt: string
  readonly endedAt?: string
}

export interface ExecutionFilter {
  readonly runId?: RunId
  readonly actor?: string
  readonly status?: Execution['status']
  readonly limit?: number
}

/** An execution with its owner. */
export type OwnedExecution = Execution & { readonly owner: Owner }

export interface ExecutionStore {
  /** Latest start first; executions of one run in reverse order of their start. */
  executions(owner: Owner, filter?: ExecutionFilter): Promise<readonly Execution[]>
  /** Executions of all owners, or of one of them, for admins. */
  allExecutions(filter?: ExecutionFilter & { readonly owner?: Owner }): Promise<readonly OwnedExecution[]>
}
