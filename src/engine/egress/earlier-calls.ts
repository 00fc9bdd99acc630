import type { EarlierCall } from '../../domain/tool.ts'
import type { ActorCall } from '../calls/actor-call.ts'

/** The tool calls that the job has finished, in their order; the same after a restart. */
export function earlierCalls({ host, job }: ActorCall): readonly EarlierCall[] {
  const records = [...(host.state.calls.get(job.key)?.values() ?? [])]
  return records.flatMap(({ kind, name, input, output }) =>
    kind === 'tool' ? [{ tool: name, input, ...(output === undefined ? {} : { output }) }] : [],
  )
}
