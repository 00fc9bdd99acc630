import fc from 'fast-check'
import { expect, it } from 'vitest'
import { testSeed } from '../../test/support/seed.ts'
import { describeStores } from '../../test/support/stores.ts'
import { parseTeam, type Team } from '../domain/team.ts'

const team = (name: string, purpose = 'Works.'): Team =>
  parseTeam({
    name,
    purpose,
    agents: [{ name: 'writer', purpose: 'Writes.', task: 'Write.' }],
    checks: [{ question: 'Write.' }],
  })

describeStores('teams', (_store, _kind, storage) => {
  const teams = () => storage().teams
  const ready = async (owner: string, one: Team, key: string): Promise<number> => {
    const { version } = await teams().save(owner, { team: one, key, at: 1 })
    await teams().settle(owner, one.name, version, 'ready', 'passed')
    return version
  }
  const used = async (owner: string): Promise<string[]> =>
    (await teams().teams(owner)).map(({ name, version, owner: whose }) => `${whose}/${name} ${version}`)

  it('are used after they have passed, and not before', async () => {
    const { version, status } = await teams().save('ann', { team: team('first'), key: 'k1', at: 5 })
    expect([version, status, await used('ann')]).toEqual([1, 'trial', []])
    expect(await teams().use('ann', 'first', 1)).toBe(false)
    await teams().settle('ann', 'first', 1, 'failed', 'no')
    expect([await used('ann'), await teams().use('ann', 'first', 1)]).toEqual([[], false])
    await teams().settle('ann', 'first', 1, 'ready', 'passed')
    expect(await teams().teams('ann')).toEqual([
      {
        owner: 'ann',
        name: 'first',
        version: 1,
        team: team('first'),
        status: 'ready',
        remark: 'passed',
        isShared: false,
        isCurrent: true,
        createdAt: 5,
      },
    ])
  })

  it('are saved once for one key, also in parallel', async () => {
    const saved = await Promise.all(
      Array.from({ length: 4 }, () => teams().save('once', { team: team('one'), key: 'k', at: 1 })),
    )
    expect(saved.map(({ version }) => version)).toEqual([1, 1, 1, 1])
    expect((await teams().saved('once', 'k'))?.version).toBe(1)
    expect(await teams().saved('other', 'k')).toBeUndefined()
    await Promise.all(
      Array.from({ length: 4 }, (_none, n) => teams().save('once', { team: team('one'), key: `k${n}`, at: 1 })),
    )
    expect((await teams().versions('once', 'one')).map(({ version }) => version)).toEqual([5, 4, 3, 2, 1])
  })

  it('are private until they are shared; of one name, the user’s own counts', async () => {
    await ready('owner', team('mine'), 'm1')
    expect(await used('guest')).toEqual([])
    expect(await teams().share('guest', 'mine', true)).toBe(false)
    expect(await teams().use('guest', 'mine', 1)).toBe(false)
    expect(await teams().share('owner', 'mine', true)).toBe(true)
    expect(await used('guest')).toEqual(['owner/mine 1'])
    await ready('owner', team('mine', 'Works better.'), 'm2')
    expect([await used('owner'), await used('guest')], 'its later versions are not shared automatically').toEqual([
      ['owner/mine 2'],
      ['owner/mine 1'],
    ])
    expect(
      (await teams().teams('guest')).map(({ isCurrent }) => isCurrent),
      'nothing tells of them',
    ).toEqual([true])
    expect(await teams().share('owner', 'mine', true)).toBe(true)
    expect(await used('guest')).toEqual(['owner/mine 2'])
    expect(await teams().use('owner', 'mine', 1)).toBe(true)
    expect(await used('guest'), 'a version that is shared, gone back to').toEqual(['owner/mine 1'])
    await ready('owner', team('mine', 'Works best.'), 'm3')
    expect(await used('guest')).toEqual(['owner/mine 1'])
    await ready('guest', team('mine'), 'g1')
    expect(await used('guest')).toEqual(['guest/mine 1'])
    expect(await teams().versions('guest', 'mine')).toHaveLength(1)
    await teams().share('owner', 'mine', false)
    expect(await used('third')).toEqual([])
  })

  it('keep the version in use; version numbers of a name continue', async () => {
    const NAMES = ['aa', 'bb', 'cc'] as const
    const act = fc.record({
      what: fc.constantFrom('make', 'use'),
      name: fc.constantFrom(...NAMES),
      which: fc.nat(3),
    })
    let world = 0
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const owner = `numbered${++world}`
        /** By name what each version is for, and which is used; and how many numbers are taken. */
        const model = new Map<string, { purposes: string[]; used: string }>()
        const taken = new Map<string, number>()
        /** What each act came to, and what it should have. */
        const told: [unknown, unknown][] = []
        for (const [at, { what, name, which }] of acts.entries()) {
          const kept = model.get(name)
          if (what === 'make') {
            const purpose = `Works ${at}.`
            const version = await ready(owner, team(name, purpose), `n${at}`)
            taken.set(name, (taken.get(name) ?? 0) + 1)
            told.push([version, taken.get(name)])
            model.set(name, { purposes: [...(kept?.purposes ?? []), purpose], used: purpose })
          } else if (what === 'use' && kept !== undefined) {
            const used = kept.purposes[which % kept.purposes.length]!
            const versions = await teams().versions(owner, name)
            const { version } = versions.find((one) => one.team.purpose === used && one.status === 'ready')!
            told.push([await teams().use(owner, name, version), true])
            model.set(name, { ...kept, used })
          }
        }
        expect(told.map(([came]) => came)).toEqual(told.map(([, wanted]) => wanted))
        const found = await teams().teams(owner)
        expect(found.map((one) => [one.name, one.team.name, one.team.purpose])).toEqual(
          [...model].toSorted().map(([name, { used }]) => [name, name, used]),
        )
        for (const name of NAMES) {
          const there = (await teams().versions(owner, name)).filter(({ status }) => status !== 'removed')
          expect(there.map((one) => one.team.purpose).toReversed()).toEqual(model.get(name)?.purposes ?? [])
        }
      }),
      { seed: testSeed(), numRuns: 15 },
    )
  })

  it('that are removed have no owner; their versions stay, and a new team continues the numbering', async () => {
    for (const n of [1, 2]) await ready('gone', team('rr', `Works ${n}.`), `r${n}`)
    await teams().share('gone', 'rr', true)
    expect(await teams().remove('guest', 'rr'), 'of others').toBe(false)
    const { version } = await teams().save('gone', { team: team('rr'), key: 'r3', at: 1 })
    expect(await teams().remove('gone', 'rr')).toBe(true)
    await teams().settle('gone', 'rr', version, 'ready', 'its trial ended later')
    expect([await used('gone'), await teams().unused('gone')]).toEqual([[], []])
    expect((await used('third')).filter((one) => one.startsWith('gone/'))).toEqual([])
    expect(await teams().use('gone', 'rr', 1)).toBe(false)
    expect(await teams().remove('gone', 'rr')).toBe(false)
    expect(await ready('gone', team('rr', 'Works anew.'), 'r4')).toBe(4)
    expect(await used('gone')).toEqual(['gone/rr 4'])
    expect((await teams().versions('gone', 'rr')).map(({ status }) => status)).toEqual([
      'ready',
      ...Array.from({ length: 3 }, () => 'removed'),
    ])
  })
})
