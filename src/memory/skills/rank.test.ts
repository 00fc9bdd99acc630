import { expect, it } from 'vitest'
import { BY_USER } from '../../domain/provenance.ts'
import type { Skill, SkillVector } from '../../domain/skill.ts'
import { skillsFor } from './rank.ts'

const vector = (...values: number[]): SkillVector => ({ model: 'test:one', values })
const skill = (skillId: string, task: string, more: Partial<Skill> = {}): Skill => ({
  skillId,
  task,
  agent: 'sql',
  steps: [],
  outcome: '',
  provenance: BY_USER,
  owner: 'ann',
  runId: 'r',
  createdAt: 0,
  usedAt: 0,
  ...more,
})
const found = (skills: readonly Skill[], task: string, asked?: SkillVector) =>
  skillsFor(skills, task, asked).map(({ skillId }) => skillId)

it('are found by keywords, the nearest first, and none for another task', () => {
  const known = [
    skill('revenue', 'Revenue by country in March'),
    skill('customers', 'How many customers are there in Germany?'),
    skill('orders', 'Orders by country in May'),
  ]
  expect(found(known, 'What was the revenue by country in April?')[0]).toBe('revenue')
  expect(found(known, 'Number of customers in Germany')).toEqual(['customers'])
  expect(found(known, 'Who wrote the returns policy?')).toEqual([])
})

it('are found only by vectors of the same model', () => {
  const known = [
    skill('near', 'Umsatz', { vector: vector(1, 0.1) }),
    skill('far', 'Lager', { vector: vector(-1, 1) }),
    skill('other', 'Kunden', { vector: { model: 'test:two', values: [1, 0] } }),
    skill('none', 'Bestellungen'),
  ]
  expect(found(known, 'revenue', vector(1, 0))).toEqual(['near'])
  expect(found(known, 'revenue')).toEqual([])
})

it('are at most three', () => {
  const task = 'Revenue by country'
  const known = ['a', 'b', 'c', 'd'].map((id) => skill(id, task))
  expect(found(known, task)).toEqual(['a', 'b', 'c'])
})
