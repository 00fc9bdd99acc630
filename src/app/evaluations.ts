import type { Owner } from '../domain/events.ts'
import { TuttiError } from '../domain/errors.ts'
import { Evaluations } from '../evaluation/stored/evaluations.ts'
import type { NewEvaluation } from '../evaluation/stored/types.ts'
import { caseQuestions, EvaluationWork } from '../evaluation/stored/evaluation-work.ts'
import type { AppParts } from './app-parts.ts'
import { userRuns } from './user-runs.ts'

/** Evaluation cases of users, their results, and running evaluations. */
export interface OpenEvaluations extends Pick<
  Evaluations,
  'cases' | 'list' | 'get' | 'results' | 'remove' | 'decryptRow'
> {
  /** As `Evaluations.start`. @throws TuttiError also for a strategy or a model that there is not */
  start(owner: Owner, asked: NewEvaluation): Promise<string>
  /** Puts no further case, and ends the runs that are under way. @throws TuttiError `NotFound`, `RunConflict` */
  cancel(owner: Owner, evaluationId: string): Promise<void>
  /** Puts cases until the app is closed. */
  work(): void
}

type Parts = Pick<AppParts, 'options' | 'storage' | 'seal' | 'people' | 'users' | 'models'>

/** Puts them together. Each case is a run of its person's, which counts towards their limits as all others do. */
export function openEvaluations({ options, storage, seal, people, users, models }: Parts) {
  const { as, check } = users
  const { clock, onError } = options
  const evaluations = new Evaluations(storage.sql, clock, seal)
  const work = new EvaluationWork({
    clock,
    models,
    onError,
    evaluations,
    ...userRuns(people, users),
  })
  const opened: OpenEvaluations = Object.assign(Object.create(evaluations) as Evaluations, {
    async start(owner: Owner, asked: NewEvaluation) {
      await check(owner, { ...caseQuestions({ context: {} }, asked), question: 'Is this possible?' })
      return evaluations.start(owner, asked)
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
