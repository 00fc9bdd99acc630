import { afterEach, beforeEach, expect, it } from 'vitest'
import { BY_USER, outsideData } from '../../domain/provenance.ts'
import type { NewSkill, SkillVector } from '../../domain/skill.ts'
import type { ToolIo } from '../../domain/tool.ts'
import { createMemoryStorage, type Storage } from '../../storage/index.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { findSkillsTool, learnTool, type SkillIndex } from './tools.ts'

let storage: Storage
let skillIndex: SkillIndex
beforeEach(async () => {
  const clock = new ManualClock()
  storage = await createMemoryStorage({ clock, onError: () => undefined })
  skillIndex = { store: storage.skills }
})
afterEach(() => storage.close())

const IO: ToolIo = {
  signal: new AbortController().signal,
  idempotencyKey: 'k',
  provenance: BY_USER,
  epoch: 0,
  earlier: [],
  result: () => undefined,
}
const skill = (more: Partial<NewSkill> = {}) => ({
  agent: 'sql',
  task: 'Revenue by country',
  steps: [{ tool: 'db_query', input: '{}' }],
  outcome: 'a table with n',
  provenance: BY_USER,
  ...more,
})
const learn = (owner: string, runId: string, made: ReturnType<typeof skill>[], with_ = skillIndex) =>
  learnTool(with_).run({ owner, runId, at: 1, made, used: [] }, IO)
const find = (owner: string, task = 'Revenue by country', with_ = skillIndex) =>
  findSkillsTool(with_).run({ owner, agent: 'sql', task }, IO)

it('the same steps for the same task are one skill; other steps, agents and owners have separate ones', async () => {
  await learn('ann', 'r1', [skill()])
  await learn('ann', 'r2', [skill({ task: 'revenue by Country!' })])
  expect(await storage.skills.list('ann')).toHaveLength(1)
  await learn('ann', 'r3', [skill({ steps: [{ tool: 'db_query', input: '{"sql":"x"}' }] }), skill({ agent: 'api' })])
  await learn('bob', 'r1', [skill()])
  expect(await storage.skills.list('ann')).toHaveLength(3)
  expect(await storage.skills.list('bob')).toHaveLength(1)
})

it('a skill knows its provenance', async () => {
  await learn('ann', 'r1', [skill({ provenance: outsideData('page:evil') })])
  const { provenance } = findSkillsTool(skillIndex)
  const found = await find('ann')
  expect((provenance as (output: typeof found) => object)(found)).toMatchObject({ author: 'outside' })
})

it('vectors find skills that keywords miss, and keywords work when the model fails', async () => {
  const vectors: Readonly<Record<string, number[]>> = { 'Revenue by country': [1, 0], Umsatz: [1, 0.1] }
  const embed = async (task: string): Promise<SkillVector | undefined> =>
    vectors[task] && { model: 'test:one', values: vectors[task] }
  await learn('ann', 'r1', [skill()], { ...skillIndex, embed })
  expect(await find('ann', 'Umsatz', { ...skillIndex, embed })).toHaveLength(1)
  expect(await find('ann', 'Umsatz', { ...skillIndex, embed: async () => undefined })).toEqual([])
  expect(await find('ann', 'Revenue by country in May', { ...skillIndex, embed: async () => undefined })).toHaveLength(
    1,
  )
})
