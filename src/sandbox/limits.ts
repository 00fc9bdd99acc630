import type { JobLimits } from './wire.ts'

/** What goes in and out of a job, at most. */
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

/** What the interpreter keeps of a job's values. */
export const JOB_LIMITS: JobLimits = {
  items: 50_000,
  text: 20_000,
  rows: 1000,
  images: 8,
  imageBytes: 2_000_000,
}
