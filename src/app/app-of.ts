import type { Agent } from '../core/actor.ts'
import type { RunId } from '../core/events.ts'
import type { Provenance } from '../core/provenance.ts'
import type { RequestInput } from '../core/request.ts'
import type { RunResponse } from '../core/response.ts'
import type { IsGiven } from '../core/source-name.ts'
import type { OwnedRuns } from '../engine/owned-runs.ts'
import type { PlannedQuestion } from '../engine/run/plan-question.ts'
import type { Said } from '../memory/recall.ts'

/** Tutti as one user has it: what is asked here is theirs, and nothing of another's is seen. */
export interface AppOf {
  readonly runs: OwnedRuns
  /**
   * Checks a request, or a question alone, and starts it.
   * @param runId one that is chosen beforehand, so that a request which is sent twice starts one run
   * @param said what was said before, by a client that keeps its conversations itself: none of ours begins then
   * @param fingerprint of the request as it was sent, kept in the run's first event
   * @param provenance of the request; absent: a person's own words
   * @throws TuttiError `InvalidRequest`, `UnknownAgent`; `RunConflict` where there is a run of that id
   */
  start(
    request: RequestInput | string,
    runId?: RunId,
    said?: readonly Said[],
    fingerprint?: string,
    provenance?: Provenance,
  ): Promise<RunId>
  /**
   * Starts a request and waits for what comes of it. A call that needs approval waits for `runs.decide`, until its time
   * is up; with `interactive: false` in the request it fails at once.
   */
  ask(request: RequestInput | string): Promise<RunResponse>
  /** What a run has come to so far. */
  response(runId: RunId): Promise<RunResponse>
  /** The request with the files of a collection, which are asked first. @throws TuttiError `InvalidRequest` without any */
  withDocuments(request: RequestInput, collection: string): Promise<RequestInput>
  /** How a question would be worked on; nothing of it is done or kept. @throws TuttiError of the planner */
  plan(request: RequestInput | string): Promise<PlannedQuestion>
  /** The agents that work for this user, with the sources that they are given. */
  team(): Promise<readonly Agent[]>
  /** Which sources they may use. */
  isGiven(): Promise<IsGiven>
}
