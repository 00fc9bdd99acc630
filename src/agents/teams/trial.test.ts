import { expect, it } from 'vitest'
import { request } from '../../../test/support/engine-world.ts'
import type { ActorContext } from '../../core/actor.ts'
import type { Result } from '../../core/result.ts'
import { tableFromArrays } from '../../core/table.ts'
import { parseTeam } from '../../core/team.ts'
import { tryTeam } from './trial.ts'

const rows = Array.from({ length: 40 }, (_none, n) => [`C-${n + 1}`, n])
const FOUND: Readonly<Record<string, Partial<Result>>> = {
  invoices: { answer: 'n: 1,204.5.', tabular: tableFromArrays(['n'], [[1204.5]], false) },
  contracts: { answer: 'The table has 40 rows.', tabular: tableFromArrays(['id', 'price'], rows, false) },
  policy: { answer: 'Goods may be returned within a fortnight.' },
  nothing: { answer: 'No data was returned.', tabular: tableFromArrays(['id'], [], false) },
}
const member = (name: string) => ({ name, purpose: 'Reads.', tools: ['read'], task: `Read the ${name}` })

it.each([
  ['All is done, and the invoices, contracts and policy were read.', ['invoices', 'contracts', 'policy']],
  ['Invoices: 1,204.5.', ['contracts', 'policy']],
  ['40 contracts; invoices come to 1204.50.', ['policy']],
  ['Contract C-7 is among them; within a fortnight goods come back.', ['invoices']],
  ['1,204.5 in all, C-39 the latest, returned goods.', []],
])('a trial asks that the answer holds something of what each member found: %s', async (text, missing) => {
  const names = Object.keys(FOUND)
  const team = parseTeam({
    name: 'overview_team',
    purpose: 'Gives an overview.',
    agents: names.map(member),
    checks: [{ question: 'Give an overview.' }],
  })
  const jobs = new Map(names.map((key) => [key, { key, result: { status: 'succeeded', ...FOUND[key] } }]))
  const state = { status: 'finished', answer: { text }, jobs }
  const ctx = { request: request([]), startRun: async () => state } as unknown as ActorContext
  const [tried] = await tryTeam(team, ctx, [])
  expect(tried!.flaws).toEqual(missing.map((name) => `the answer holds nothing of what “${name}” found`))
})
