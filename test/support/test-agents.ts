/** Agents that several tests of the engine use. */
import type { Agent } from '../../src/domain/actor.ts'
import { graph } from '../../src/strategies/graph/next.ts'
import { agent, givenPlanner, request, tellingComposer, textTool } from './engine-world.ts'

/** Approval settings under which no call needs one. */
export const ALLOWED = { allowsWithoutApproval: () => true }

/** The strategy `graph` of the product, with the plan of the request. */
export const GRAPH = { strategies: [graph], roles: [{ ...givenPlanner, name: 'master-planner' }, tellingComposer] }

/** An agent that returns this answer. */
export const answering = (name: string, answer = name): Agent => agent(name, async () => ({ answer }))

/** An agent that answers when the promise resolves. */
export const holding = (name: string, until: Promise<unknown>, answer = name): Agent =>
  agent(name, async () => {
    await until
    return { answer }
  })

/** An agent that never ends. */
export const hanging = (name: string, onBegin: () => void = () => undefined): Agent =>
  agent(name, () => {
    onBegin()
    return new Promise(() => undefined)
  })

/** An agent that gives its whole task to a nested run. */
export const team = (tasks: readonly string[], name = 'team'): Agent =>
  agent(name, async (_task, ctx) => {
    const child = await ctx.startRun(request(tasks))
    return { answer: `${child.status}(${child.answer?.text ?? ''})` }
  })

/** An irreversible tool that records its calls, and agents that call it. */
export class Outbox {
  readonly sent: string[] = []
  readonly tool = textTool('send', 'irreversible', async (to) => {
    this.sent.push(to)
    return `sent to ${to}`
  })

  agent(name = 'sender', to = 'bob', limits: Agent['limits'] = {}): Agent {
    return agent(name, async (_task, ctx) => ({ answer: await ctx.call(this.tool, to) }), { limits })
  }
}
