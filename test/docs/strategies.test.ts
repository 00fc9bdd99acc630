import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { EventBody } from '../../src/domain/events.ts'
import type { Job } from '../../src/domain/job.ts'
import type { Task } from '../../src/domain/plan.ts'
import type { Outcome } from '../../src/domain/result.ts'
import type { Strategy } from '../../src/domain/strategy.ts'
import { graph } from '../../src/strategies/graph/next.ts'
import { pipeline } from '../../src/strategies/pipeline/next.ts'
import { simulate } from '../../src/testing/simulate.ts'
import { request, task } from '../support/engine-world.ts'

/** Pipeline and graph have no table of next steps, so their diagrams are compared with all simulated steps. */

let page: string
beforeAll(async () => {
  page = await readFile(join(import.meta.dirname, '../../docs/strategies.md'), 'utf8')
})

/** The arrows of the first or the second diagram of the section, without what is written on them. */
function drawn(nth: number): readonly string[] {
  const [, section] = page.split(/\n## (?:Pipeline and graph|The supervisor)\n/)
  const diagrams = [...section!.matchAll(/```mermaid\nstateDiagram-v2\n([\s\S]*?)\n```/g)].map(([, text]) => text!)
  return diagrams[nth]!.split('\n').map((line) => line.trim().replace(/:.*/, ''))
}

const ENDS: readonly Outcome[] = [
  { status: 'succeeded' },
  { status: 'failed', error: { type: 'Internal', message: 'went wrong' } },
  { status: 'failed', error: { type: 'PlanningDeclined', message: 'not mine' } },
]
const MAX = 3

/** Every plan of up to three tasks, each waiting for any of those before it. */
const PLANS: readonly (readonly Task[])[] = Array.from({ length: MAX + 1 }, (_none, count) => count).flatMap((count) =>
  product(Array.from({ length: count }, (_none, at) => 2 ** at)).map((choices) =>
    choices.map((mask, at) => {
      const before = Array.from({ length: at }, (_other, i) => i).filter((i) => (mask & (2 ** i)) !== 0)
      return task(`t${at}`, `t${at}`, { dependsOn: before.map((i) => `t${i}`) })
    }),
  ),
)

/** All combinations of one choice per place. */
function product(sizes: readonly number[]): readonly (readonly number[])[] {
  return sizes.reduce<readonly (readonly number[])[]>(
    (all, size) => all.flatMap((one) => Array.from({ length: size }, (_none, n) => [...one, n])),
    [[]],
  )
}

/** The transitions between steps, over all plans and all results of their tasks. */
function seen(strategy: Strategy, tasksAre: string): readonly string[] {
  const kindOf = ({ actor, skip }: Job): string => {
    if (actor.endsWith('planner')) return 'planner'
    if (actor === 'composer') return 'composer'
    return skip === undefined ? tasksAre : 'skipped'
  }
  const arrows = new Set<string>()
  const composed: EventBody = { type: 'answer.composed', answer: 'x', by: 'model' }
  for (const tasks of PLANS) {
    for (const ends of product(tasks.map(() => ENDS.length))) {
      const { jobs, finish } = simulate(strategy, request([]), (job) => {
        if (job.actor === 'composer') return { events: [composed] }
        if (job.skip !== undefined) return { status: 'skipped', error: job.skip }
        const at = tasks.findIndex(({ id }) => id === job.key)
        if (at >= 0) return ENDS[ends[at]!]!
        const more = job.key === 'plan:1' ? [] : [task('more', 'more')]
        return job.actor.endsWith('planner')
          ? { events: [{ type: 'plan.set', plan: { tasks: [...tasks, ...more] }, by: 'planner', rationale: '' }] }
          : {}
      })
      expect(finish).toEqual({ finish: 'answered' })
      const steps = ['[*]', ...jobs.map(kindOf), '[*]']
      for (const [at, step] of steps.slice(1).entries()) arrows.add(`${steps[at]} --> ${step}`)
    }
  }
  return [...arrows].toSorted()
}

it.each([
  ['pipeline', pipeline, 0, 'agent'],
  ['graph', graph, 1, 'tasks'],
] as const)('the diagram of %s has exactly the possible arrows', (_name, strategy, nth, tasksAre) => {
  expect(drawn(nth).toSorted()).toEqual(seen(strategy, tasksAre))
})
