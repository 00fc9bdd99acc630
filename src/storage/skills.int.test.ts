import { expect, it } from 'vitest'
import { describeStores } from '../../test/support/stores.ts'
import { ownData } from '../domain/provenance.ts'
import { SKILL_LIFE_MS, type Lessons, type Skill } from '../domain/skill.ts'

const made = (skillId: string, task = `Count ${skillId}`): Lessons['made'][number] => ({
  skillId,
  agent: 'sql',
  task,
  steps: [{ tool: 'db_query', input: `{"sql":"SELECT '\u0000'"}` }],
  outcome: 'a table with n',
  provenance: ownData('shop'),
  vector: { model: 'test:one', values: [0.25, -1] },
})
const lessons = (runId: string, more: Partial<Lessons> = {}): Lessons => ({
  runId,
  at: 10,
  made: [],
  used: [],
  ...more,
})

describeStores('skills', (_store, _kind, storage) => {
  const skills = () => storage().skills
  const used = async (owner: string) =>
    (await skills().list(owner)).map(({ skillId, usedAt }): [string, number] => [skillId, usedAt])

  it('are stored as created, and changed once for each run', async () => {
    const owner = 'once'
    expect(await skills().learn(owner, lessons('r1', { made: [made('a')] }))).toEqual(['a'])
    expect(await skills().list(owner)).toEqual([
      {
        ...made('a'),
        owner,
        runId: 'r1',
        createdAt: 10,
        usedAt: 10,
      } satisfies Skill,
    ])
    expect(await skills().learn(owner, lessons('r1', { made: [made('a')], at: 20 }))).toEqual([])
    expect(await used(owner)).toEqual([['a', 10]])
    expect(await skills().learn(owner, lessons('r2', { made: [made('a')], used: ['a'], at: 20 }))).toEqual(['a'])
    expect(await skills().learn(owner, lessons('r3', { used: ['a', 'unknown'], at: 30 }))).toEqual(['a'])
    expect(await used(owner)).toEqual([['a', 30]])
  })

  it('are private', async () => {
    await skills().learn('ann', lessons('r1', { made: [made('x')] }))
    expect(await skills().list('bob')).toEqual([])
    expect(await skills().learn('bob', lessons('r2', { used: ['x'], at: 20 }))).toEqual([])
    expect(await used('ann')).toEqual([['x', 10]])
    expect(await skills().list('ann', 'web')).toEqual([])
    expect(await skills().forget('bob')).toBe(0)
  })

  it('are erased one by one and with their owner, and unused ones expire', async () => {
    const owner = 'erased'
    await skills().learn(owner, lessons('r1', { made: ['a', 'b', 'c'].map((id) => made(id)) }))
    await skills().learn('other', lessons('r1', { made: [made('a')] }))
    expect(await skills().forget(owner, ['a', 'unknown'])).toBe(1)
    expect((await used(owner)).map(([id]) => id)).toEqual(['b', 'c'])
    await skills().learn(owner, lessons('r2', { used: ['b'], at: 20 }))
    await skills().learn(owner, lessons('r3', { at: 11 + SKILL_LIFE_MS }))
    expect((await used(owner)).map(([id]) => id)).toEqual(['b'])
    expect(await skills().forget(owner)).toBe(1)
    expect(await used(owner)).toEqual([])
    expect(await used('other')).toHaveLength(1)
    // Nothing is known of the runs, either.
    expect(await skills().learn(owner, lessons('r1', { made: [made('a')] }))).toEqual(['a'])
  })
})
