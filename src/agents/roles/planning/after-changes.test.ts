import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../../core/actor.ts'
import { validatePlan, type Task } from '../../../core/plan.ts'
import { afterChanges } from './after-changes.ts'
import { planByRules } from './plan-by-rules.ts'

const agent = (name: string, keywords: readonly string[], more: Partial<Agent> = {}): Agent => {
  return { name, description: '', capabilities: [], useCases: [], keywords, run: async () => ({}), ...more }
}
const tool = (name: string, effect: 'read' | 'irreversible') => ({ name, description: name, effect })
const SHOP = agent('shop', ['order'], { tools: [tool('get_order', 'read'), tool('change_order', 'irreversible')] })
const BOOKS = agent('books', ['customer', 'how many'], { planning: { isDefault: true } })
const TEAM = { agents: [SHOP, BOOKS], preferred: [], context: {} }

const task = (id: string, name: string, text: string, dependsOn: string[] = []): Task => {
  return { id, agent: name, text, dependsOn }
}
const waits = (tasks: readonly Task[]): string[] =>
  tasks.flatMap(({ id, dependsOn }) => dependsOn.map((one) => `${id} after ${one}`)).toSorted()

describe('a plan of a model', () => {
  it.each<[string, readonly Task[], readonly string[]]>([
    [
      'Create an order and then tell me how many orders there are',
      [task('create', 'shop', 'Create an order'), task('count', 'books', 'Count the orders')],
      ['count after create'],
    ],
    [
      'Create an order and then tell me how many orders there are',
      [task('count', 'books', 'Count the orders'), task('create', 'shop', 'Create an order')],
      ['count after create'],
    ],
    [
      'Cancel order 915 and show order 915',
      [task('show', 'shop', 'Show order 915'), task('cancel', 'shop', 'Cancel order 915')],
      ['show after cancel'],
    ],
    [
      'Cancel order 915 and show order 915 first',
      [task('cancel', 'shop', 'Cancel order 915'), task('show', 'shop', 'Show order 915')],
      ['cancel after show'],
    ],
    [
      'Show order 915 and cancel order 916',
      [task('show', 'shop', 'Show order 915'), task('cancel', 'shop', 'Cancel order 916')],
      [],
    ],
    [
      'Cancel order 915 and tell me how many customers there are',
      [task('cancel', 'shop', 'Cancel order 915'), task('count', 'books', 'Count the customers')],
      [],
    ],
    [
      'Cancel order 915, then show order 915',
      [task('show', 'shop', 'Show order 915'), task('cancel', 'shop', 'Cancel order 915', ['show'])],
      ['cancel after show'],
    ],
    // It would be cancelled without what it needs, as the count is there.
    [
      'How many customers are there, show order 915, then cancel order 915',
      [
        task('count', 'books', 'How many customers are there'),
        task('show', 'shop', 'Show order 915'),
        task('cancel', 'shop', 'Cancel order 915', ['show']),
      ],
      ['cancel after show'],
    ],
  ])('“%s” (%#)', (question, tasks, expected) => {
    expect(waits(afterChanges(tasks, question, TEAM))).toEqual(expected)
  })

  it('waits for the changes that a plan by rules waits for, whatever order and words it has', () => {
    const clause = fc.constantFrom(
      'cancel order 915',
      'ship order 916',
      'show order 917',
      'show order 918',
      'tell me how many customers there are',
      'tell me how many countries there are',
    )
    const joint = fc.constantFrom(' and ', ', then ', ' and then ', '. Then ', '. ')
    const asked = fc
      .tuple(fc.uniqueArray(clause, { minLength: 2, maxLength: 4 }), fc.array(joint, { minLength: 4, maxLength: 4 }))
      .map(([clauses, joints]) =>
        clauses.slice(1).reduce<string>((text, one, i) => `${text}${joints[i]}${one}`, clauses[0]!),
      )
    let bound = 0
    fc.assert(
      fc.property(asked, fc.infiniteStream(fc.nat()), (question, order) => {
        const { tasks: ruled } = planByRules(question, TEAM, '2026-11-22')
        const changing = new Set(ruled.flatMap(({ id, text }) => (/^(?:cancel|ship)/i.test(text ?? '') ? [id] : [])))
        const isOne = ruled.some(({ text = question }) => /\b(?:and|then)\b|\. /i.test(text))
        fc.pre(!isOne)
        const free = ruled.map((one) => ({ ...one, text: `Please ${one.text}`, dependsOn: [] }))
        const shuffled = free.map((one) => ({ one, at: order.next().value! })).toSorted((a, b) => a.at - b.at)
        const made = afterChanges(
          shuffled.map(({ one }) => one),
          question,
          TEAM,
        )
        validatePlan({ tasks: made }, new Set(['shop', 'books']))
        const before = (tasks: readonly Task[], id: string): readonly string[] =>
          tasks.find((one) => one.id === id)!.dependsOn.flatMap((one) => [one, ...before(tasks, one)])
        const closure = (tasks: readonly Task[]) =>
          tasks.map(({ id }) => [
            id,
            [...new Set(before(tasks, id))].filter((one) => changing.has(one) || changing.has(id)).toSorted(),
          ])
        if (ruled.some(({ dependsOn }) => dependsOn.some((one) => changing.has(one)))) bound++
        expect(closure(made).toSorted(), question).toEqual(closure(ruled).toSorted())
      }),
      { numRuns: 400 },
    )
    expect(bound).toBeGreaterThan(100)
  })
})
