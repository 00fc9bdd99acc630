/** Runs each kind of actor with tools against each limit once. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Agent, Role } from '../../src/domain/actor.ts'
import { TuttiError } from '../../src/domain/errors.ts'
import { outsideData, ownData } from '../../src/domain/provenance.ts'
import { isSettled } from '../../src/domain/state.ts'
import type { Strategy } from '../../src/domain/strategy.ts'
import { parseTeam } from '../../src/domain/team.ts'
import { textOfMessage, type TurnRequest } from '../../src/domain/turn.ts'
import { mcpAgent } from '../../src/agents/mcp/agent.ts'
import type { ToolServer } from '../../src/agents/mcp/server.ts'
import { definitionSchema } from '../../src/agents/registry/definition.ts'
import { yamlAgent } from '../../src/agents/registry/yaml-file.ts'
import { expertRole } from '../../src/strategies/review/expert.ts'
import { membersOf } from '../../src/agents/teams/members.ts'
import { knownTool, toolsOf } from '../../src/agents/tool-agent/tools.ts'
import type { EngineOptions } from '../../src/engine/options.ts'
import { createMemoryStorage, type Storage } from '../../src/storage/index.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import type { LoopTool } from '../../src/tool-loop/tool-list.ts'
import {
  agent,
  engineFor,
  eventually,
  givenPlanner,
  passing,
  request,
  task,
  tellingComposer,
} from '../support/engine-world.ts'
import { loopTool, ScriptedModels, type ScriptedCall, type ScriptedReply } from '../support/tool-loops.ts'

let storage: Storage
const clock = new ManualClock()
beforeAll(async () => {
  storage = await createMemoryStorage({ clock, onError: (error) => expect.fail(error.message) })
})

const TOOLS = ['look', 'fetch', 'slow', 'send'] as const
type Name = (typeof TOOLS)[number]
type Run = (name: Name, input: unknown) => Promise<string>

interface Kind {
  readonly title: string
  readonly actor: string
  /** It gets no tools that change anything. */
  readonly onlyReads?: true
  cast(run: Run): { readonly agents: readonly Agent[]; readonly roles?: readonly Role[] }
}

/** `look` returns own data, `fetch` a page, `slow` takes most of the time, `send` is irreversible. */
function toolsFor(run: Run): Record<Name, LoopTool> {
  const tool = (name: Name, more = {}) =>
    loopTool(name, name === 'send' ? 'irreversible' : 'read', (input) => run(name, input), more)
  return {
    look: tool('look'),
    fetch: tool('fetch', { provenance: outsideData('a page') }),
    slow: tool('slow', { provenance: ownData('rows') }),
    send: tool('send'),
  }
}

const owner = (name: string, tools: readonly LoopTool[]): Agent =>
  agent(name, async () => ({}), { tools: tools.map(({ tool }) => tool) })

/** An agent whose toolkit other loops merge. */
const lender = (tools: readonly LoopTool[]): Agent =>
  agent('desk', async () => ({}), { toolkit: async () => ({ instructions: '## Desk', tools }) })

const KINDS: readonly Kind[] = [
  {
    title: 'an agent declared in YAML',
    actor: 'desk',
    cast(run) {
      const definition = definitionSchema.parse({ name: 'desk', description: 'Does things.', tools: [...TOOLS] })
      return { agents: [yamlAgent(definition, { tools: Object.values(toolsFor(run)).map(knownTool) })] }
    },
  },
  {
    title: 'the agent of an MCP server',
    actor: 'mcp_agent_desk',
    cast(run) {
      const tools = TOOLS.map((name) => ({ name, description: '', inputSchema: { type: 'object' }, readOnly: false }))
      const settings = {
        spec: { name: 'desk' },
        reads: TOOLS.slice(0, 3),
        trustHints: false,
        trusted: true,
        isInternal: true,
      }
      const call = async ({ name }: { readonly name: Name }, input: unknown) => ({
        text: await run(name, input),
        isError: false,
      })
      const server = { name: 'desk', settings, tools, disabled: [], problem: undefined, states: async () => ({}), call }
      return { agents: [mcpAgent(server as unknown as ToolServer)] }
    },
  },
  {
    title: 'a member of a team',
    actor: 'clerk',
    cast(run) {
      const { look, fetch, slow, send } = toolsFor(run)
      const agents = [owner('reader', [look, fetch, slow]), owner('writer', [send])]
      const member = { name: 'clerk', purpose: 'Does things.', tools: [...TOOLS], task: 'Do it.' }
      const check = { question: 'Done?', contains: [] }
      const team = parseTeam({ name: 'office', purpose: 'Works.', agents: [member], checks: [check] })
      const available = { agents, tools: toolsOf(agents), teams: [], reserved: [], withMiddleware: (one: Agent) => one }
      return { agents: membersOf(team, available) }
    },
  },
  {
    title: 'the expert of a review',
    actor: 'review-expert',
    onlyReads: true,
    cast: (run) => ({ agents: [lender(Object.values(toolsFor(run)))], roles: [expertRole] }),
  },
]

/** One job of the actor, and the end. */
function only({ actor, onlyReads }: Kind): Strategy {
  const instruction = { sender: 'orchestrator', receiver: actor, type: 'instruction', content: 'Answer.', stepId: null }
  const input = onlyReads === true ? instruction : task('job', actor)
  const next: Strategy['next'] = ({ jobs }) => {
    return isSettled(jobs.get('job')) ? { finish: 'answered' } : [{ key: 'job', actor, input }]
  }
  return { name: 'graph', next }
}

type Reply = Name | 'end'

function world(
  kind: Kind,
  replies: (turn: number) => Reply,
  options: Partial<EngineOptions> & { budget?: object; onCall?: (name: Name) => unknown } = {},
) {
  const { budget = {}, onCall, ...engineOptions } = options
  const made: string[] = []
  const { agents, roles = [] } = kind.cast(async (name, input) => {
    made.push(`${name} ${JSON.stringify(input)}`)
    await onCall?.(name)
    return `${name} done`
  })
  const models = new ScriptedModels((asked, turn): ScriptedReply | string => {
    const reply = isLast(asked) ? 'end' : replies(turn)
    if (reply !== 'end') return { calls: [[nameIn(asked, reply), { n: turn }] as ScriptedCall] }
    return 'an answer'
  })
  const engine = engineFor(agents, {
    store: storage.store,
    clock,
    models,
    strategies: [only(kind)],
    roles: [givenPlanner, tellingComposer, ...roles],
    ...engineOptions,
  })
  const start = () => engine.start(request([], { strategy: 'graph', budget }))
  const run = async () => {
    const state = await passing(clock, engine.outcome(await start()), 5_000)
    return state.jobs.get('job')!.result!
  }
  return { made, models, engine, start, run }
}

function nameIn({ head }: TurnRequest, name: Name): string {
  return head.tools.find((tool) => tool.name === name || tool.name.endsWith(`_${name}`))?.name ?? name
}

function isLast({ messages }: Pick<TurnRequest, 'messages'>): boolean {
  const last = messages.at(-1)
  return last?.role === 'user' && textOfMessage(last).startsWith('This is the last turn')
}

describe.each(KINDS)('$title', (kind) => {
  test('makes no call after the permission was revoked', async () => {
    let isTaken = false
    const assertGiven = async (): Promise<void> => {
      if (isTaken) throw new TuttiError('NotAllowed', 'You may no longer use it.')
    }
    const { made, models, run } = world(kind, (turn) => (turn < 3 ? 'look' : 'end'), {
      rightsOf: async () => assertGiven,
      onCall: () => (isTaken = true),
    })
    await run()
    expect(made).toHaveLength(1)
    expect(models.results(2)[0]).toContain('NotAllowed')
  })

  test.skipIf(kind.onlyReads)(
    'requires approval for the exact irreversible call, and does not make it when it is denied',
    async () => {
      const { made, models, engine, start } = world(kind, (turn) => (turn === 1 ? 'send' : 'end'))
      const runId = await start()
      const asked = await eventually(async () => {
        const events = await engine.events(runId)
        return events.find((event) => event.type === 'approval.requested')
      })
      expect(asked).toMatchObject({ payload: { n: 1 } })
      await engine.decide((asked as { approvalId: string }).approvalId, 'denied', 'local', 'no')
      const state = await passing(clock, engine.outcome(runId))
      expect(made).toEqual([])
      expect(models.results(1)[0]).toContain('ApprovalDenied')
      expect(state.jobs.get('job')?.result).toMatchObject({ status: 'failed', error: { type: 'ApprovalDenied' } })
    },
  )

  test.skipIf(kind.onlyReads)('requires approval in spite of the settings after untrusted content', async () => {
    const free = { approvals: { allowsWithoutApproval: () => true } }
    const { engine, start, made } = world(kind, (turn) => (['fetch', 'send'] as const)[turn - 1] ?? 'end', free)
    const runId = await start()
    await eventually(async () => (await engine.state(runId)).openApprovals.size === 1)
    expect(made).toHaveLength(1)
    await engine.cancel(runId, 'local')
    await passing(clock, engine.outcome(runId))
  })

  test.runIf(kind.onlyReads)('has no tool that changes anything', async () => {
    const { made, models, run } = world(kind, (turn) => (turn === 1 ? 'send' : 'end'))
    await run()
    expect(made).toEqual([])
    expect(models.results(1)[0]).toContain('There is no tool')
  })

  test('answers with the last request of its budget', async () => {
    const { models, run } = world(kind, () => 'look', { budget: { maxCalls: 3 } })
    expect(await run()).toMatchObject({ status: 'succeeded', answer: 'an answer' })
    expect(models.requests).toHaveLength(3)
  })

  test('answers in its last turn', async () => {
    const { models, run } = world(kind, () => 'look')
    expect(await run()).toMatchObject({ status: 'succeeded', answer: 'an answer' })
    expect(models.requests.length).toBeLessThanOrEqual(12)
    expect(isLast(models.request(-1))).toBe(true)
  })

  test('answers before its time limit', async () => {
    const { models, run } = world(kind, () => 'slow', {
      onCall: () => new Promise<void>((resolve) => clock.timer(kind.onlyReads === true ? 250_000 : 150_000, resolve)),
    })
    expect(await run()).toMatchObject({ status: 'succeeded', answer: 'an answer' })
    expect(models.requests).toHaveLength(2)
  })
})
