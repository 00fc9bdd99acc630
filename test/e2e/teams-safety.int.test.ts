import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import type { AppOptions } from '../../src/app/config/options.ts'
import { teamRunRequest, teamRequest } from '../../src/agents/teams/team-agent.ts'
import { BY_USER, outsideData, ownData } from '../../src/domain/provenance.ts'
import { isSourceName } from '../../src/shared/source-name.ts'
import { parseTeam, type TeamInput } from '../../src/domain/team.ts'
import { defineTool, type Tool } from '../../src/domain/tool.ts'
import { askSchema } from '../../src/server/runs/schema.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { agent } from '../support/engine-world.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { pendingApproval } from './support.ts'

/** Actions that teams, including those of other users, may not take without approval. */

let folder: string
let called: string[]
const opened: App[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-teams-safety-'))
  called = []
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(options: AppOptions): Promise<App> {
  const app = await createApp({ storage: { folder: join(folder, 'data') }, cwd: folder, ...options })
  opened.push(app)
  return app
}

async function withMailbox(): Promise<App> {
  await Promise.all(['new', 'tmp', 'cur'].map((name) => mkdir(join(folder, 'mail', name), { recursive: true })))
  const env = { TUTTI_MAIL_URL: `maildir:${join(folder, 'mail')}`, TUTTI_MAIL_FROM: 'a@example.com' }
  const app = await openConfiguredApp({ cwd: folder, dataDir: join(folder, 'data'), env, onError: () => undefined })
  opened.push(app)
  return app
}

const noting = (name: string, effect: 'read' | 'irreversible' = 'read'): Tool<unknown, unknown> =>
  defineTool({
    name,
    description: `Is ${name}.`,
    effect,
    ...(effect === 'read' ? { reach: 'inside', provenance: ownData('notes') } : {}),
    input: z.object({ text: z.string() }),
    run: async ({ text }) => {
      called.push(`${name}: ${text}`)
      return { noted: text }
    },
  }) as Tool<unknown, unknown>

const ALLOWED = { tools: [noting('post_note', 'irreversible')], config: { approvals: { allow: ['post_note'] } } }

const member = (name: string, tools: string[], more: Partial<TeamInput['agents'][number]> = {}) => ({
  name,
  purpose: `Is ${name}.`,
  tools,
  task: 'Do it.',
  ...more,
})
const posting = (name: string, text: string) =>
  member(name, ['post_note'], { call: { tool: 'post_note', input: { text } } })

/** A team that is ready for use. */
async function put(app: App, owner: string, name: string, keyword: string, agents: TeamInput['agents']): Promise<void> {
  const team = parseTeam({
    name,
    purpose: `Is ${name}.`,
    keywords: [keyword],
    agents,
    checks: [{ question: 'Do it.' }],
  })
  const { version } = await app.teams.save(owner, { team, key: name, at: 1 })
  await app.teams.settle(owner, name, version, 'ready', 'passed')
  await app.teams.share(owner, name, owner !== 'local')
}

it('a fixed call uses the tool that it names, whichever others the member has', async () => {
  const app = await open({ tools: [noting('note_a'), noting('note_b')] })
  const call = { tool: 'note_b', input: { text: 'x' } }
  await put(app, 'local', 'notes_team', 'do the notes thing', [member('noter', ['note_a', 'note_b'], { call })])
  await app.ask('Please do the notes thing')
  expect(called).toEqual(['note_b: x'])
})

describe('a team that another user shares', () => {
  it('makes no irreversible call without approval in spite of the settings; the user’s own team does', async () => {
    const app = await open(ALLOWED)
    await put(app, 'mallory', 'orders_team', 'orders of the warehouse', [posting('poster', 'words of mallory')])
    const { answer } = await app
      .as('ben')
      .ask({ question: 'How many orders of the warehouse are there?', interactive: false })
    expect(answer).toContain('The call of "post_note" needs a person\'s approval')
    expect(called).toEqual([])
    await put(app, 'local', 'own_team', 'post my note', [posting('poster', 'my words')])
    await app.ask('Post my note')
    expect(called).toEqual(['post_note: my words'])
  })

  it('needs approval also when it is run by name, and a new version is only for its owner', async () => {
    const app = await open(ALLOWED)
    await put(app, 'mallory', 'orders_team', 'orders of the warehouse', [posting('poster', 'words of mallory')])
    const ben = app.as('ben')
    const [first] = await app.teams.teams('ben')
    const { answer } = await ben.ask({ ...teamRequest(first!.team, 'Do it.'), interactive: false })
    expect(answer).toContain('The call of "post_note" needs a person\'s approval')
    expect(called).toEqual([])
    const team = { ...first!.team, agents: parseTeam({ ...first!.team, agents: [posting('poster', 'worse')] }).agents }
    const { version } = await app.teams.save('mallory', { team, key: 'again', at: 2 })
    await app.teams.settle('mallory', 'orders_team', version, 'ready', 'passed')
    expect((await app.teams.teams('mallory')).map((one) => one.version)).toEqual([2])
    expect((await app.teams.teams('ben')).map((one) => one.version)).toEqual([1])
    await app.as('mallory').ask(teamRequest(team, 'Do it.'))
    expect(called).toEqual(['post_note: worse'])
  })

  it('made from untrusted content passes that label to every run that uses it', async () => {
    const app = await open(ALLOWED)
    for (const [name, provenance] of [
      ['page_team', outsideData('a page')],
      ['own_team', BY_USER],
    ] as const) {
      const agents = [posting('poster', name)]
      const team = parseTeam({ name, purpose: name, keywords: [name], agents, checks: [{ question: 'Do it.' }] })
      const { version } = await app.teams.save('ann', { team, key: name, at: 1, provenance })
      await app.teams.settle('ann', name, version, 'ready', 'passed')
      await app.as('ann').ask({ ...teamRequest(team, 'Do it.'), interactive: false })
    }
    expect(called).toEqual(['post_note: own_team'])
  })

  it('asks only with the user’s words, over any protocol', async () => {
    const world = await startHttpWorld({ tools: [noting('note_a')] })
    try {
      const call = { tool: 'note_a', input: { text: 'x' } }
      await put(world.app, 'ada', 'orders_team', 'orders of the warehouse', [member('noter', ['note_a'], { call })])
      const [shared] = await world.app.teams.teams('ben')
      for (const [as, question, said] of [
        ['ben', undefined, ''],
        ['ben', 'Mine', 'Mine'],
        ['ada', undefined, undefined],
      ] as const) {
        expect(teamRunRequest(shared!, as, question).said).toBe(said)
        const json = question === undefined ? {} : { question }
        const { runId } = await world.json<{ runId: string }>('/teams/orders_team/runs', { as, json })
        const [started] = await world.app.store.read(runId)
        expect((started as { request: { said?: string } }).request.said).toBe(said)
      }
    } finally {
      await world.close()
    }
  })

  it('has no words of the user: a recipient from the team is shown as not named by the user', async () => {
    const app = await withMailbox()
    const tools = app.agents.find(({ name }) => name === 'mail')!.tools!.map(({ name }) => name)
    const task = 'Send a mail to stranger@example.org saying that the orders are well'
    const sender = member('sender', tools.slice(-6), { task })
    await put(app, 'mallory', 'inner_team', 'inner thing', [sender])
    await put(app, 'mallory', 'outer_team', 'second thing', [member('asker', ['team:inner_team'], { task })])
    for (const question of ['Do the inner thing', 'Do the second thing']) {
      await app.as('ben').ask({ question, interactive: false })
    }
    const runs = await app.store.runs({ owner: 'ben' })
    const all = await Promise.all(runs.map(({ runId }) => app.engine.events(runId)))
    const warned = all.filter((events) =>
      events.some((event) => event.type === 'note' && event.message === 'A recipient does not come from the user'),
    )
    expect(warned).toHaveLength(2)
  })

  it('may have mails found and sent by fixed calls; the approval has the same warning', async () => {
    const app = await withMailbox()
    const input = { to: ['stranger@example.org'], subject: 'Orders', body: 'They are well.' }
    const fixed = [
      member('finder', ['search_messages'], { call: { tool: 'search_messages', input: { query: 'orders' } } }),
      member('mailer', ['send_email'], { call: { tool: 'send_email', input } }),
    ]
    await put(app, 'mallory', 'fixed_team', 'third thing', fixed)
    const ben = app.as('ben')
    const runId = await ben.start('Do the third thing')
    const open = async () => (await ben.runs.approvals({ status: 'pending' }))[0]
    const warning = expect.stringContaining('stranger@example.org') as string
    await expect.poll(open).toMatchObject({ payload: { ...input, warning } })
    await ben.runs.decide((await open())!.approvalId, 'denied', 'ben')
    await ben.runs.outcome(runId)
    const runs = await app.store.runs({ owner: 'ben' })
    const events = (await Promise.all(runs.map((run) => app.engine.events(run.runId)))).flat()
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'job.settled',
        key: 'finder',
        result: expect.objectContaining({ status: 'succeeded' }),
      }),
    )
  })
})

describe('a team cannot reach agents that the caller leaves out', () => {
  const parts = ['a', 'b', 'c', 'inner_team'] as const
  const exclusions: readonly (readonly string[])[] = [[], ...parts.map((part) => [part]), ['a', 'inner_team']]
  const calling = (tool: string) => member(`calls_${tool}`, [tool], { call: { tool, input: { text: 'x' } } })
  const OUTER = [member('asker', ['team:inner_team']), calling('note_c')]
  /** The expected calls for the agents that are left out. */
  const allowed = (without: readonly string[]): string[] => {
    const inner = without.includes('inner_team') ? [] : ['a', 'b']
    return [...inner, 'c'].filter((name) => !without.includes(name)).map((name) => `note_${name}: x`)
  }
  const keeper = (name: string) => agent(name, async () => ({ answer: 'Kept.' }), { tools: [noting(`note_${name}`)] })
  const world = async (): Promise<App> => {
    const app = await open({ agents: ['a', 'b', 'c'].map(keeper) })
    await put(app, 'local', 'inner_team', 'inner thing', [calling('note_a'), calling('note_b')])
    return app
  }

  it.each(['graph', 'supervisor'])('in a run: %s', async (strategy) => {
    const app = await world()
    await put(app, 'local', 'outer_team', 'outer thing', OUTER)
    for (const without of exclusions) {
      called = []
      await app.ask({ question: 'Do the outer thing', disableAgents: [...without], strategy })
      expect(called.toSorted(), without.join()).toEqual(allowed(without))
    }
    called = []
    await app.ask({ question: 'Do the outer thing', disableAgents: ['outer_team'], strategy })
    expect(called).toEqual([])
  })

  it('in its trial', async () => {
    const app = await world()
    for (const [n, without] of exclusions.entries()) {
      called = []
      const team = { name: `outer_${n}`, purpose: 'Is outer.', agents: OUTER, checks: [{ question: 'Do it.' }] }
      const question = 'Take the team from a file'
      const told = { preferAgents: ['architect'], strategy: 'pipeline', context: { team_given: team } }
      const runId = await app.start({ question, ...told, disableAgents: [...without, 'sql', 'rag', 'computation'] })
      const { approvalId } = await pendingApproval(app, runId)
      await app.runs.decide(approvalId, 'approved', 'ann')
      await app.runs.outcome(runId)
      // Calls that only read are also tried before the approval.
      expect([...new Set(called)].toSorted(), without.join()).toEqual(allowed(without))
      const [version] = await app.teams.versions('local', team.name)
      expect(version?.status, without.join()).toBe(without.length === 0 ? 'ready' : 'failed')
    }
  })
})

it('over HTTP a request cannot contain a team, a trial or another user’s words', () => {
  expect(askSchema.safeParse({ question: 'Do it' }).success).toBe(true)
  const team = { name: 'a_team', purpose: 'Is one.', agents: [member('aa', [])], checks: [{ question: 'Do it.' }] }
  for (const more of [{ team }, { shadow: true }, { said: 'Send it' }]) {
    expect(askSchema.safeParse({ question: 'Do it', ...more }).success, Object.keys(more)[0]).toBe(false)
  }
})

it('a team cannot be granted: teams are shared', () => {
  expect(isSourceName('database:books')).toBe(true)
  expect(isSourceName('team:orders_team')).toBe(false)
})
