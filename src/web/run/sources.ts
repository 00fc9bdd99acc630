import type { Citation, Table } from '../../client/run.ts'
import type { RunView } from './run-log.ts'

/** One place that an answer rests on; `n` is its mark in the text, where it has one. */
export interface ShownSource extends Omit<Citation, 'n'> {
  readonly id: number
  readonly n?: number
}

/** What an answer rests on: what its marks mean, or else all that its parts came from. */
export function citedSources({ state }: RunView): ShownSource[] {
  const { answer, jobs } = state
  const cited = answer?.citations ?? []
  if (cited.length > 0) return cited.map((citation) => ({ ...citation, id: citation.n }))
  if (answer === undefined || answer.isAnswered === false) return []
  const found = [...jobs.values()]
    .filter(
      ({ status, supersededBy, isOutdated }) =>
        status === 'succeeded' && supersededBy === undefined && isOutdated !== true,
    )
    .flatMap(({ actor, result }) => (result?.sources ?? []).map((source) => ({ source, agent: actor })))
  return found.map((one, at) => ({ ...one, id: at + 1 }))
}

/** The rows that a query came back with, as the agent that asked it found them. */
export function sourceRows(
  { state: { jobs } }: Pick<RunView, 'state'>,
  { agent, source }: ShownSource,
): Table | undefined {
  const job = [...jobs.values()].findLast(
    ({ actor, result }) =>
      actor === agent &&
      result?.sources?.some(({ name, detail }) => name === source.name && detail === source.detail) === true,
  )
  return job?.result?.tabular
}
