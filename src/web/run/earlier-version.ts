import type { RunView } from './run-log.ts'

/** What the same step wanted to do before it was given the instructions that it works with now; undefined for a first version. */
export function earlierVersion({ asked, state }: RunView, approvalId: string): unknown {
  const current = asked.get(approvalId)
  if (current === undefined) return undefined
  const earlier = [...asked.values()].filter(
    (one) =>
      one.seq < current.seq &&
      one.tool === current.tool &&
      one.key === current.key &&
      state.approvals.get(one.approvalId)?.instructions !== undefined,
  )
  const payload = earlier.at(-1)?.payload
  return payload === undefined || JSON.stringify(payload) === JSON.stringify(current.payload) ? undefined : payload
}
