import type { JobLimits } from './wire.ts'

/** Maximum sizes of a job's input and output. */
export const LIMITS = {
  codeCharacters: 100_000,
  dataBytes: 16_000_000,
  dataDepth: 32,
  /** Each of stdout and stderr. */
  outputBytes: 200_000,
  replyBytes: 24_000_000,
  replyDepth: 24,
  replyValues: 300_000,
} as const

/** Maximum sizes of the values that the interpreter returns. */
export const JOB_LIMITS: JobLimits = {
  items: 50_000,
  text: 20_000,
  rows: 1000,
  images: 8,
  imageBytes: 2_000_000,
}
