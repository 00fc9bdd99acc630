import { beforeAll, describe, expect, it } from 'vitest'
import { parseTeam } from '../../src/domain/team.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

/** Teams that a user edits: validated field by field, then approved and tried as a new version. */

const TEAM = {
  name: 'writers',
  purpose: 'Writes.',
  agents: [
    { name: 'finder', purpose: 'Computes.', tools: ['run_python'], task: 'What is 2 + 2?' },
    { name: 'writer', purpose: 'Writes it down.', task: 'Write it down.', after: ['finder'] },
  ],
  checks: [{ question: 'What is 2 + 2?' }],
}

interface Checked {
  readonly issues: readonly { path: readonly (string | number)[]; message: string }[]
  readonly flaws: readonly string[]
  readonly tools: readonly { name: string; effect: string }[]
}

const world = openForAll(() => startHttpWorld())
beforeAll(async () => {
  for (const [name, key] of [
    ['writers', 'w'],
    ['others', 'o'],
  ] as const) {
    await world.app.teams.save('ada', { team: parseTeam({ ...TEAM, name }), key, at: 1 })
    await world.app.teams.settle('ada', name, 1, 'ready', '')
  }
})

const check = (team: object) => world.json<Checked>('/teams/check', { method: 'POST', json: { team } })
const version = (team: object, name = 'writers') =>
  world.fetch(`/teams/${name}/versions`, { method: 'POST', json: { team } })

describe('the designer of teams', () => {
  it('reports faults by field, and the available tools', async () => {
    const whole = await check(TEAM)
    expect(whole).toMatchObject({ issues: [], flaws: [] })
    expect(whole.tools).toContainEqual(expect.objectContaining({ name: 'run_python', effect: 'read' }))
    expect(whole.tools.map(({ name }) => name)).toContain('team:others')
    expect(whole.tools.map(({ name }) => name)).not.toContain('team:writers')
    const [finder, writer] = TEAM.agents
    const places = async (team: object) => (await check(team)).issues.map(({ path }) => path.join('.'))
    expect(
      await places({
        ...TEAM,
        agents: [
          { ...finder, purpose: ' ' },
          { ...writer, name: 'A B' },
        ],
      }),
    ).toEqual(expect.arrayContaining(['agents.0.purpose', 'agents.1.name']))
    expect(await places({ ...TEAM, checks: [{ question: '' }] })).toEqual(['checks.0.question'])
    expect(await places({ ...TEAM, agents: [{ ...finder, after: ['writer'] }, writer] })).toEqual(['agents'])
    const lacking = await check({ ...TEAM, agents: [{ ...finder, tools: ['fly'] }, writer] })
    expect(lacking.flaws.join(' ')).toMatch(/“finder”.*fly|fly.*“finder”/)
  })

  it('offers exactly the tools that a member can use', async () => {
    const { tools: offered } = await check(TEAM)
    const { items } = await world.json<{ items: { tools: { name: string }[] }[] }>('/agents')
    const names = new Set(items.flatMap(({ tools }) => tools.map(({ name }) => name)))
    const [finder, writer] = TEAM.agents
    const usable: Record<string, boolean> = {}
    for (const name of names) {
      const { flaws } = await check({ ...TEAM, agents: [{ ...finder, tools: [name] }, writer] })
      usable[name] = flaws.length === 0
    }
    expect(Object.values(usable), 'some of each').toEqual(expect.arrayContaining([true, false]))
    expect(Object.fromEntries([...names].map((name) => [name, offered.some((one) => one.name === name)]))).toEqual(
      usable,
    )
  })

  it('an invalid version, or one of another team, is refused', async () => {
    expect(await (await version({ ...TEAM, agents: [] })).json()).toMatchObject({ status: 400, code: 'InvalidRequest' })
    const other = await version({ ...TEAM, name: 'singers' })
    expect([other.status, await other.json()]).toMatchObject([
      400,
      { detail: 'A version of "writers" must keep that name.' },
    ])
  })

  it('a version is approved unchanged, tried on its checks, and then used', async () => {
    const [finder, writer] = TEAM.agents
    const team = {
      ...TEAM,
      agents: [
        { ...finder, name: 'counter' },
        { ...writer, after: ['counter'] },
      ],
    }
    const asked = await waiting(await version(team))
    expect(asked.payload).toMatchObject({ team })
    expect(asked.reason).toContain('This is version 2 of the team “writers”: version 1 (Writes.) is used until')
    await world.fetch(`/approvals/${asked.approvalId}/decide`, { method: 'POST', json: { decision: 'approved' } })
    const settled = await waitFor(async () => {
      const { items } = await world.json<{
        items: { version: number; status: string; isCurrent: boolean; remark?: string }[]
      }>('/teams/writers')
      return items.find((one) => one.version === 2 && one.status !== 'trial')
    })
    expect(settled).toMatchObject({ status: 'ready', isCurrent: true, remark: expect.stringContaining('passed') })

    // A design that was approved as version 3 is not saved as another version.
    const late = await waiting(await version(TEAM))
    expect(late.reason).toContain('This is version 3 of the team “writers”')
    const { teams } = world.app
    await teams.save('ada', { team: parseTeam(TEAM), key: 'meanwhile', at: 1 })
    await teams.settle('ada', 'writers', 3, 'ready', 'no')
    await world.fetch(`/approvals/${late.approvalId}/decide`, { method: 'POST', json: { decision: 'approved' } })
    const { answer } = await waitFor(async () => {
      const state = await world.app.as('ada').runs.state(late.runId)
      return state.status === 'finished' ? state : undefined
    })
    expect(answer!.text).toContain('nothing was saved')
    expect(await teams.versions('ada', 'writers')).toHaveLength(3)
  })
})

interface Waiting {
  readonly approvalId: string
  readonly runId: string
  readonly reason: string
  readonly payload: object
}

/** The pending approval of a version. */
async function waiting(begun: Response): Promise<Waiting> {
  expect(begun.status).toBe(202)
  const { runId } = (await begun.json()) as { runId: string }
  return waitFor(async () => {
    const { items } = await world.json<{ items: readonly Waiting[] }>('/approvals')
    return items.find((one) => one.runId === runId)
  })
}

async function waitFor<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
