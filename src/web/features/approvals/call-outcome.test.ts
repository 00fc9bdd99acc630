import { expect, it } from 'vitest'
import { outcomeKey } from './call-outcome.ts'

const job = (status: string, ...done: readonly string[]) => ({ key: 'a', status, done })

it.each([
  [undefined, job('succeeded', 'it'), 'cameDone'],
  [undefined, job('running'), 'cameSoon'],
  [undefined, job('running', 'it'), 'cameDone'],
  [undefined, job('failed'), 'cameNothing'],
  [undefined, job('failed', 'another'), 'cameNothing'],
  // A team was saved, and did not pass its checks.
  [undefined, job('failed', 'it'), 'cameDone'],
  ['shorter', job('succeeded', 'another'), 'cameAnew'],
  ['shorter', job('running'), 'cameSoonAnew'],
  ['shorter', job('failed', 'another'), 'cameSoonAnew'],
  ['shorter', job('failed'), 'cameNothing'],
] as const)('with the instructions %j, %j is described as: %s', (instructions, of, said) => {
  const approval = { approvalId: 'it', ...(instructions === undefined ? {} : { instructions }) }
  expect(outcomeKey(approval, of)).toBe(said)
})
