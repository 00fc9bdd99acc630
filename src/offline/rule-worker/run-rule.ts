import { availableParallelism, loadavg } from 'node:os'
import { TuttiError } from '../../domain/errors.ts'
import { Helper } from '../../processes/helper.ts'
import { startThread } from '../../processes/thread.ts'
import type { Rules } from './rules.ts'

/** Milliseconds of processor time that a rule may take, as far as the load of the machine tells. */
const MAX_RULE_MS = 2_000
const MAX_BUSY = 5

function limitMs(): number {
  return MAX_RULE_MS * Math.min(MAX_BUSY, Math.max(1, loadavg()[0]! / availableParallelism()))
}

export interface RuleCall {
  readonly name: keyof Rules
  readonly input: readonly unknown[]
}

type RuleResult<Name extends keyof Rules> = Awaited<ReturnType<Rules[Name]>>

class RuleLost extends Error {}

/** One thread for the process: it has no state, starts with the first call, and does not keep the process alive. */
const helper = new Helper({
  name: 'The thread of the rules',
  lost: ({ how }) => new RuleLost(how),
  start: (on) => startThread(new URL('./rule-worker.ts', import.meta.url), on),
})
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a rule in a separate thread, so that a slow question blocks no others. Rules run one at a time, in order.
 * @returns undefined if the rule takes longer than 2 s or the thread ends
 * @throws the error of the rule; TuttiError `ConfigurationError` if the thread cannot start
 */
export function runRule<Name extends keyof Rules>(
  name: Name,
  ...input: Parameters<Rules[Name]>
): Promise<RuleResult<Name> | undefined> {
  const call: RuleCall = { name, input }
  const outcome = last.then(async (): Promise<RuleResult<Name> | undefined> => {
    await helper.ready((why) => new TuttiError('ConfigurationError', `The rules did not start: ${why}.`))
    return helper.call<RuleResult<Name>>(call, { timeoutMs: limitMs() }).catch((error: unknown) => {
      if (error instanceof RuleLost) return undefined
      throw error
    })
  })
  last = outcome.catch(() => undefined)
  return outcome
}
