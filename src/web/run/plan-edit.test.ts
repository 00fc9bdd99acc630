import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stages, validatePlan } from '../../domain/plan.ts'
import {
  addTask,
  connectTasks,
  disconnectTasks,
  moveTask,
  possibleDependencies,
  removeTask,
  changeTask,
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
          add: () => addTask(plan, 'sql'),
          remove: () => removeTask(plan, a),
          connect: () => connectTasks(plan, a, b),
          disconnect: () => disconnectTasks(plan, a, b),
          up: () => moveTask(plan, a, -1),
          down: () => moveTask(plan, a, 1),
          drag: () => moveTask(plan, a, other - one),
          text: () => changeTask(plan, a, { text: 'Other words' }),
          agent: () => changeTask(plan, a, { agent: 'rag' }),
        }[what]()
        expect(stages(validatePlan({ tasks: plan }, AGENTS)).flat()).toHaveLength(plan.length)
      }
    }),
    { seed: 13 },
  )
})

it('dependents of a removed task get its dependencies', () => {
  const plan = connectTasks(
    connectTasks(addTask(addTask(addTask([], 'sql'), 'rag'), 'sql'), 'task-1', 'task-2'),
    'task-2',
    'task-3',
  )
  expect(removeTask(plan, 'task-2')).toMatchObject([{ id: 'task-1' }, { id: 'task-3', dependsOn: ['task-1'] }])
  expect(possibleDependencies(plan, 'task-1')).toEqual([])
  expect(connectTasks(plan, 'task-3', 'task-1')).toBe(plan)
})

it('entities of the old text are dropped when a task is reworded', () => {
  const plan: Draft = [{ id: 'a', agent: 'sql', text: 'Sales in May', dependsOn: [], entities: { month: 'May' } }]
  expect(changeTask(plan, 'a', { text: 'Sales in June' })).toEqual([
    { id: 'a', agent: 'sql', text: 'Sales in June', dependsOn: [] },
  ])
})
