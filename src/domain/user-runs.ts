import type { Owner, RunId } from './events.ts'
import type { Provenance } from './provenance.ts'
import type { RequestInput } from './request.ts'
import type { RunResponse } from './response.ts'

/** Runs of users who are not present. */
export interface UserRuns {
  /** Why the user may not ask questions at present; undefined if they may. */
  refusal(owner: Owner): Promise<string | undefined>
  /** Starts a run. @throws TuttiError `RunConflict` if it was started before */
  start(
    owner: Owner,
    request: RequestInput,
    runId: RunId,
    options?: {
      readonly earlier?: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
      readonly provenance?: Provenance
    },
  ): Promise<unknown>
  /** Response of a run; `running` if it has not ended, `none` if it does not exist. */
  outcome(owner: Owner, runId: RunId): Promise<RunResponse | 'running' | 'none'>
}
