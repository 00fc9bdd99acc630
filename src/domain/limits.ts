import type { RunLimits } from './request.ts'
import { freeTurns, type RunState } from './state.ts'

const count = (unit: string) => (value: number) => `${value} ${unit}${value === 1 ? '' : 's'}`

/** Each limit of a run: its text, and the option that raises it. */
const LIMITS: Readonly<Record<keyof RunLimits, readonly [inWords: (value: number) => string, option: string]>> = {
  maxCostUsd: [(value) => `$${value}`, '--max-cost'],
  maxTokens: [count('token'), '--max-tokens'],
  maxCalls: [count('model call'), '--max-calls'],
  maxTimeMs: [(value) => `${value / 1000} s`, '--timeout'],
  maxTurns: [count('agent'), '--max-turns'],
}

/** A limit and its value, such as “limit of 2 model calls”. */
export function limitLabel(limit: keyof RunLimits, value: number): string {
  return `limit of ${LIMITS[limit][0](value)}`
}

/** How a user can raise a limit: the field of a request and the option of a command. */
export function howToRaise(limit: keyof RunLimits): string {
  return `raise ${limit} (${LIMITS[limit][1]})`
}

/** The sentence that all turns are used up, so that no further agent starts; undefined while turns remain. */
export function turnsReached(state: RunState): string | undefined {
  const { maxTurns } = state.request
  if (maxTurns === undefined || state.exhausted !== undefined || freeTurns(state) > 0) return undefined
  const share = state.parent === undefined ? '' : ', its share of those of the whole run,'
  return `The ${limitLabel('maxTurns', maxTurns)}${share} is reached; ${howToRaise('maxTurns')}.`
}
