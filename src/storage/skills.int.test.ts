import { expect, it } from 'vitest'
import { describeStores } from '../../test/support/stores.ts'
import { outsideData, ownData } from '../domain/provenance.ts'
import { SKILL_LIFE_MS, skillStatus, type Lessons, type Skill } from '../domain/skill.ts'

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
  helped: [],
  hurt: [],
  ...more,
})

it('a skill is trusted after three verified runs, and quarantined where it misled more than half as often', () => {
  for (let helped = 0; helped < 20; helped++) {
    for (let hurt = 0; hurt < 20; hurt++) {
      const skill = { helped, hurt, usedAt: 0 }
      const expected = 2 * hurt > helped ? 'quarantined' : helped - hurt >= 3 ? 'trusted' : 'candidate'
      expect(skillStatus(skill, SKILL_LIFE_MS)).toBe(expected)
      // What nobody uses is not trusted for ever; what misled does not get better by waiting.
      expect(skillStatus(skill, SKILL_LIFE_MS + 1)).toBe(expected === 'trusted' ? 'candidate' : expected)
      for (const verdict of ['candidate', 'trusted', 'quarantined'] as const) {
        expect(skillStatus({ ...skill, verdict }, 2 * SKILL_LIFE_MS)).toBe(verdict)
      }
    }
  }
})

describeStores('skills', (_store, _kind, storage) => {
  const skills = () => storage().skills
  const counts = async (owner: string) =>
    (await skills().list(owner)).map(({ skillId, helped, hurt }): [string, number, number] => [skillId, helped, hurt])

  it('are stored as created, and counted once for each run', async () => {
    const owner = 'once'
    expect(await skills().learn(owner, lessons('r1', { made: [made('a')] }))).toEqual(['a'])
    expect(await skills().list(owner)).toEqual([
      {
        ...made('a'),
        owner,
        shared: false,
        helped: 1,
        hurt: 0,
        runId: 'r1',
        createdAt: 10,
        usedAt: 10,
      } satisfies Skill,
    ])
    expect(await skills().learn(owner, lessons('r1', { made: [made('a')], helped: ['a'] }))).toEqual([])
    expect(await skills().learn(owner, lessons('r2', { made: [made('a')], helped: ['a'] }))).toEqual(['a'])
    expect(await skills().learn(owner, lessons('r3', { hurt: ['a', 'unknown'], at: 30 }))).toEqual(['a'])
    expect(await counts(owner)).toEqual([['a', 2, 1]])
  })

  it('are private until they are shared, and changed only by their owner', async () => {
    await skills().learn('ann', lessons('r1', { made: [made('x')] }))
    expect(await skills().list('bob')).toEqual([])
    expect(await skills().edit('bob', 'x', { shared: true })).toBe(false)
    await skills().learn('bob', lessons('r2', { helped: ['x'], hurt: ['x'] }))
    expect(await counts('ann')).toEqual([['x', 1, 0]])
    expect(await skills().edit('ann', 'x', { shared: true, task: 'Count them all' })).toBe(true)
    const [shared] = await skills().list('bob', 'sql')
    expect(shared).toMatchObject({
      skillId: 'x',
      owner: 'ann',
      shared: true,
      task: 'Count them all',
      steps: [{ tool: 'db_query', input: '' }],
      outcome: 'a table',
      provenance: outsideData('a shared skill'),
    })
    expect(JSON.stringify(shared)).not.toMatch(/SELECT|shop/)
    expect((await skills().list('ann'))[0]).toMatchObject({ steps: made('x').steps, provenance: ownData('shop') })
    expect(shared).not.toHaveProperty('vector')
    expect(await skills().list('bob', 'web')).toEqual([])
    // One user's runs say nothing of another's skill.
    expect(await skills().learn('bob', lessons('r3', { hurt: ['x'] }))).toEqual([])
    expect(await skills().learn('bob', lessons('r4', { helped: ['x'] }))).toEqual([])
    expect(await counts('ann')).toEqual([['x', 1, 0]])
    expect(await skills().forget('bob')).toBe(0)
    expect(await skills().edit('ann', 'x', { shared: false })).toBe(true)
    expect(await skills().list('bob')).toEqual([])
  })

  it('follow the user’s status, until runs decide again', async () => {
    const owner = 'word'
    await skills().learn(owner, lessons('r1', { made: [made('a')] }))
    await skills().learn(owner, lessons('r2', { hurt: ['a'] }))
    await skills().edit(owner, 'a', { verdict: 'trusted' })
    expect((await skills().list(owner))[0]).toMatchObject({ verdict: 'trusted', helped: 1, hurt: 1 })
    await skills().edit(owner, 'a', { verdict: null })
    const [again] = await skills().list(owner)
    expect(again).toMatchObject({ helped: 1, hurt: 0 })
    expect(again).not.toHaveProperty('verdict')
  })

  it('are erased one by one and with their owner, and unused ones expire', async () => {
    const owner = 'erased'
    await skills().learn(owner, lessons('r1', { made: ['a', 'b', 'c'].map((id) => made(id)) }))
    await skills().learn('other', lessons('r1', { made: [made('a')] }))
    expect(await skills().forget(owner, ['a', 'unknown'])).toBe(1)
    expect((await counts(owner)).map(([id]) => id)).toEqual(['b', 'c'])
    await skills().edit(owner, 'b', { verdict: 'trusted' })
    await skills().learn(owner, lessons('r2', { at: 11 + SKILL_LIFE_MS }))
    expect((await counts(owner)).map(([id]) => id)).toEqual(['b'])
    expect(await skills().forget(owner)).toBe(1)
    expect(await counts(owner)).toEqual([])
    expect(await counts('other')).toHaveLength(1)
    // Nothing is known of the runs, either.
    expect(await skills().learn(owner, lessons('r1', { made: [made('a')] }))).toEqual(['a'])
  })
})
