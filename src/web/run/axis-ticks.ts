export interface Tick {
  /** Milliseconds since the epoch, or since a run began. */
  readonly at: number
  /** 0 at the left, 1 at the right. */
  readonly share: number
}

const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000]
/** Steps that people count in; days and weeks as long as they usually are. */
const STEPS = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800].map((seconds) => seconds * SECOND),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((days) => days * DAY),
]

/** Round moments of a stretch of time: as many as there is room for, at most. @param zero from which they are counted */
export function axisTicks(from: number, until: number, max: number, zero: number): readonly Tick[] {
  const span = Math.max(1, until - from)
  const step = STEPS.find((one) => span / one <= max) ?? Math.ceil(span / max / DAY) * DAY
  const first = Math.ceil((from - zero) / step) * step + zero
  const count = Math.max(0, Math.floor((until - first) / step) + 1)
  return Array.from({ length: count }, (_none, n) => first + n * step).map((at) => ({ at, share: (at - from) / span }))
}
