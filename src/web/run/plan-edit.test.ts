import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stages, validatePlan } from '../../domain/plan.ts'
import {
  withTask,
  withDependency,
  withoutDependency,
  moved,
  possibleDependencies,
  withoutTask,
  withText,
  type Draft,
} from './plan-edit.ts'

const AGENTS = new Set(['sql', 'rag'])
const edit = fc.record({
  what: fc.constantFrom('add', 'remove', 'connect', 'disconnect', 'up', 'down', 'drag', 'text', 'agent'),
  one: fc.nat(9),
  other: fc.nat(9),
})

it('any edits keep a plan valid', () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 60 }), (edits) => {
      let plan: Draft = []
      for (const { what, one, other } of edits) {
        const [a = '', b = ''] = [plan[one]?.id, plan[other]?.id]
        plan = {
          add: () => withTask(plan, 'sql'),
          remove: () => withoutTask(plan, a),
          connect: () => withDependency(plan, a, b),
          disconnect: () => withoutDependency(plan, a, b),
          up: () => moved(plan, a, -1),
          down: () => moved(plan, a, 1),
          drag: () => moved(plan, a, other - one),
          text: () => withText(plan, a, { text: 'Other words' }),
          agent: () => withText(plan, a, { agent: 'rag' }),
        }[what]()
        expect(stages(validatePlan({ tasks: plan }, AGENTS)).flat()).toHaveLength(plan.length)
      }
    }),
    { seed: 13 },
  )
})

it('dependents of a removed task get its dependencies', () => {
  const plan = withDependency(
    withDependency(withTask(withTask(withTask([], 'sql'), 'rag'), 'sql'), 'task-1', 'task-2'),
    'task-2',
    'task-3',
  )
  expect(withoutTask(plan, 'task-2')).toMatchObject([{ id: 'task-1' }, { id: 'task-3', dependsOn: ['task-1'] }])
  expect(possibleDependencies(plan, 'task-1')).toEqual([])
  expect(withDependency(plan, 'task-3', 'task-1')).toBe(plan)
})

it('entities of the old text are dropped when a task is reworded', () => {
  const plan: Draft = [{ id: 'a', agent: 'sql', text: 'Sales in May', dependsOn: [], entities: { month: 'May' } }]
  expect(withText(plan, 'a', { text: 'Sales in June' })).toEqual([
    { id: 'a', agent: 'sql', text: 'Sales in June', dependsOn: [] },
  ])
})
