import type { RunView } from './run-log.ts'

/** What the same step wanted to do before it was given the instructions that it works with now; undefined for a first version. */
export function earlierVersion({ asked, state }: RunView, approvalId: string): unknown {
  const now = asked.get(approvalId)
  if (now === undefined) return undefined
  const earlier = [...asked.values()].filter(
    (one) =>
      one.seq < now.seq &&
      one.tool === now.tool &&
      one.key === now.key &&
      state.approvals.get(one.approvalId)?.instructions !== undefined,
  )
  const before = earlier.at(-1)?.payload
  return before === undefined || JSON.stringify(before) === JSON.stringify(now.payload) ? undefined : before
}
