import { TuttiError } from '../core/errors.ts'
import type { RunRecord } from '../core/store.ts'
import type { Cli } from './cli.ts'
import type { OwnedRuns } from '../engine/owned-runs.ts'

/**
 * Finds a run by its id or the beginning of it.
 * @throws TuttiError `RunNotFound`, or `InvalidRequest` when several begin so
 */
export async function findRun(
  runs: Pick<OwnedRuns, 'run' | 'runs'>,
  { self }: Pick<Cli, 'self'>,
  text: string,
): Promise<RunRecord> {
  const wanted = text.trim().toLowerCase()
  const exact = wanted === '' ? undefined : await runs.run(wanted)
  if (exact !== undefined) return exact
  const matches = wanted === '' ? [] : (await runs.runs()).filter((run) => run.runId.startsWith(wanted))
  const [only] = matches
  if (only === undefined) {
    throw new TuttiError('RunNotFound', `There is no run "${text}". List them with: ${self} runs list`)
  }
  if (matches.length === 1) return only
  const ids = matches.slice(0, 5).map((run) => run.runId)
  throw new TuttiError(
    'InvalidRequest',
    `${matches.length} runs begin with "${text}"; type more of the id: ${ids.join(', ')}.`,
  )
}
