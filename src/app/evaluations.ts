import type { Owner } from '../domain/events.ts'
import { isFinal } from '../domain/store.ts'
import { TuttiError } from '../domain/errors.ts'
import { Evaluations } from '../evaluation/stored/evaluations.ts'
import type { NewEvaluation } from '../evaluation/stored/types.ts'
import { caseQuestions, EvaluationWork, type EvaluationParts } from '../evaluation/stored/evaluation-work.ts'
import type { People } from '../accounts/people.ts'
import type { Seal } from '../accounts/types.ts'
import type { RequestInput } from '../domain/request.ts'
import type { Storage } from '../storage/index.ts'
import type { AppOf } from './user-app.ts'
import { refusalOf } from './schedules.ts'

/** Evaluation cases of users, their results, and running evaluations. */
export interface OpenEvaluations extends Pick<
  Evaluations,
  'cases' | 'list' | 'get' | 'results' | 'remove' | 'legible'
> {
  /** As `Evaluations.begin`. @throws TuttiError also for a strategy or a model that there is not */
  begin(owner: Owner, asked: NewEvaluation): Promise<string>
  /** Puts no further case, and ends the runs that are under way. @throws TuttiError `NotFound`, `RunConflict` */
  cancel(owner: Owner, evaluationId: string): Promise<void>
  /** Puts cases until the app is closed. */
  work(): void
}

interface Parts extends Pick<EvaluationParts, 'clock' | 'models' | 'onTrouble'> {
  readonly sql: Storage['sql']
  readonly seal: Seal
  readonly people: People
  readonly as: (owner: Owner) => AppOf
  /** @throws TuttiError for a request that could not be started */
  readonly check: (owner: Owner, request: RequestInput) => Promise<void>
}

/** Puts them together. Each case is a run of its person's, which counts towards their limits as all others do. */
export function openEvaluations({ sql, seal, people, as, check, ...parts }: Parts) {
  const evaluations = new Evaluations(sql, parts.clock, seal)
  const work = new EvaluationWork({
    ...parts,
    evaluations,
    refusal: (owner) => refusalOf(people, owner),
    start: (owner, request, runId, said) => as(owner).start(request, runId, said),
    async outcome(owner, runId) {
      const { runs, response } = as(owner)
      const record = await runs.run(runId)
      if (record === undefined) return 'none'
      return isFinal(record.status) ? response(runId) : 'running'
    },
  })
  const opened: OpenEvaluations = Object.assign(Object.create(evaluations) as Evaluations, {
    async begin(owner: Owner, asked: NewEvaluation) {
      await check(owner, { ...caseQuestions({ context: {} }, asked), question: 'Is this possible?' })
      return evaluations.begin(owner, asked)
    },
    async cancel(owner: Owner, evaluationId: string) {
      const { runs } = as(owner)
      for (const runId of await evaluations.cancel(owner, evaluationId)) {
        await runs.cancel(runId, owner).catch((thrown: unknown) => {
          // The run ended on its own, or was erased.
          if (!TuttiError.is(thrown, 'RunConflict') && !TuttiError.is(thrown, 'RunNotFound')) throw thrown
        })
      }
    },
    work: () => work.begin(),
  })
  return { evaluations: opened, close: () => work.stop() }
}
