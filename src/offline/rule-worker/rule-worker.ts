import { serveCalls } from '../../processes/serve.ts'
import { RULES } from './rules.ts'
import type { RuleCall } from './run-rule.ts'

serveCalls<undefined, RuleCall>(
  () =>
    ({ name, input }) =>
      (RULES[name] as (...input: readonly unknown[]) => unknown)(...input),
)
