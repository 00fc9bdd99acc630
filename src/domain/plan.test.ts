import { describe, expect, it } from 'vitest'
import { TuttiError } from './errors.ts'
import { stages, validatePlan, type Plan } from './plan.ts'

const known = new Set(['sql', 'api'])

function plan(edges: Readonly<Record<string, readonly string[]>>, agent = 'sql'): Plan {
  return { tasks: Object.entries(edges).map(([id, dependsOn]) => ({ id, agent, dependsOn: [...dependsOn] })) }
}

const ids = (of: Plan): string[][] => stages(of).map((stage) => stage.map((task) => task.id))

function problem(of: unknown): TuttiError {
  try {
    validatePlan(of as Plan, known)
  } catch (error) {
    if (TuttiError.isInstance(error)) return error
    throw error
  }
  throw new Error('the plan was accepted')
}

describe('stages', () => {
  it.each([
    ['nothing', {}, []],
    ['tasks side by side', { a: [], b: [] }, [['a', 'b']]],
    ['a chain', { c: ['b'], b: ['a'], a: [] }, [['a'], ['b'], ['c']]],
    ['a diamond', { a: [], b: ['a'], c: ['a'], d: ['b', 'c'] }, [['a'], ['b', 'c'], ['d']]],
    ['paths of unequal length', { a: [], b: ['a'], c: ['b', 'a'], d: [] }, [['a', 'd'], ['b'], ['c']]],
  ])('of %s', (_name, edges, expected) => {
    expect(ids(plan(edges))).toEqual(expected)
  })

  it('name the task that depends on one outside the plan', () => {
    expect(() => stages(plan({ a: ['zz'], b: ['a'] }))).toThrow('Task "a" waits for a task that is not in the plan.')
  })
})

describe('a plan', () => {
  it('is returned as a frozen copy, with defaults', () => {
    const given = { tasks: [{ id: 'a', agent: 'sql', entities: { years: [2026] } }] }
    const checked = validatePlan(given as unknown as Plan, known)
    expect(checked).toEqual({ tasks: [{ id: 'a', agent: 'sql', dependsOn: [], entities: { years: [2026] } }] })
    given.tasks[0]!.entities.years.push(1)
    expect(checked.tasks[0]!.entities).toEqual({ years: [2026] })
    expect(() => (checked.tasks as unknown[]).push(1)).toThrow(TypeError)
  })

  it.each([
    [
      'an unknown agent',
      plan({ a: [] }, 'ghost'),
      'UnknownAgent',
      'task "a" asks for "ghost". Known agents: sql, api.',
    ],
    ['an unknown dependency', plan({ a: ['b', 'zz'], b: [] }), 'InvalidPlan', 'task "a" depends on "zz"'],
    ['a task that waits for itself', plan({ a: ['a'] }), 'InvalidPlan', '"a" → "a"'],
    ['a circle', plan({ x: [], a: ['c', 'x'], b: ['a'], c: ['b'] }), 'InvalidPlan', '"a" → "c" → "b" → "a"'],
    ['tasks behind a circle', plan({ z: ['a'], a: ['b'], b: ['a'] }), 'InvalidPlan', 'circle: "a" → "b" → "a"'],
    [
      'ids used twice',
      { tasks: [...plan({ a: [], b: [] }).tasks, ...plan({ a: [] }).tasks] },
      'InvalidPlan',
      'used more than once: "a"',
    ],
    ['an id with a colon', plan({ 'plan:1': [] }), 'InvalidPlan', 'tasks.0.id: may hold letters'],
    ['a task that is none', { tasks: [null] }, 'InvalidPlan', 'The plan is not well formed: tasks.0'],
    [
      'values that no log can hold',
      { tasks: [{ id: 'a', agent: 'sql', dependsOn: [], entities: { n: 1n } }] },
      'InvalidPlan',
      'not plain JSON',
    ],
    ['no tasks at all', { tasks: undefined }, 'InvalidPlan', 'The plan is not well formed'],
  ])('with %s is refused, by name', (_name, given, code, message) => {
    const error = problem(given)
    expect(error.code).toBe(code)
    expect(error.message).toContain(message)
  })
})
