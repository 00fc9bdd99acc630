/** An application with a writer, a critic, tools and nested runs, whose traces go to a receiver on loopback. */
import { expect } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import type { AppOptions } from '../../src/app/config/options.ts'
import { defineRole, type Agent } from '../../src/domain/actor.ts'
import { latestAttempt } from '../../src/domain/job.ts'
import { parseRequest } from '../../src/domain/request.ts'
import { isSettled } from '../../src/domain/state.ts'
import type { Strategy } from '../../src/domain/strategy.ts'
import { defineTool } from '../../src/domain/tool.ts'
import {
  composeThenFinish,
  latestRound,
  planJob,
  plannerFailure,
  stepJob,
  taskAgain,
  taskJob,
} from '../../src/strategies/steps.ts'
import { say } from '../support/engine-world.ts'
import type { ReceivedSpan } from '../support/otlp-receiver.ts'

const lookUp = defineTool({
  name: 'look_up',
  description: 'Looks something up.',
  input: z.object({ word: z.string() }),
  effect: 'read',
  reach: 'inside',
  run: async ({ word }) => ({ found: word.length }),
})

export const greeter: Agent = {
  name: 'greeter',
  description: 'Greets.',
  capabilities: ['greetings'],
  useCases: ['Say hello'],
  keywords: ['hello'],
  async run({ text = '', feedback }, ctx) {
    await ctx.call(lookUp, { word: text })
    // The same call twice; the paths differ only in the ordinal.
    await ctx.call(lookUp, { word: text })
    const { value = 'no model' } = await ctx.ask(say, `${text} ${feedback?.text ?? ''}`)
    if (text.includes('together') && ctx.request.context['isChild'] !== true) {
      const child = { question: 'Say hello alone', context: { isChild: true }, strategy: 'second-look' }
      await ctx.startRun(parseRequest(child, new Set(['greeter'])))
    }
    return { answer: value }
  },
}

const critic = defineRole({
  name: 'critic',
  async run(ctx) {
    const isFirst = ctx.job.key === 'critic:1'
    return { data: { decision: isFirst ? 'reject' : 'approve', feedback: 'With more joy.' } }
  },
})

/** Write, review, write again, review again. */
const secondLook: Strategy = {
  name: 'second-look',
  planner: 'planner',
  next(state) {
    const [task] = state.plan?.plan.tasks ?? []
    if (task === undefined) return plannerFailure(state) ?? (state.plan ? composeThenFinish(state) : [planJob(1)])
    const attempt = latestAttempt(state, task.id)
    if (attempt === undefined || !isSettled(state.jobs.get(task.id))) return [taskJob(task, [])]
    const said = latestRound(state, 'critic')
    const judge = () => [stepJob(state, critic, null, { dependsOn: [attempt.key] })]
    if (said === undefined || !isSettled(said)) return judge()
    if (said.round === 2) return composeThenFinish(state)
    if (attempt.round === 2 && isSettled(attempt)) return judge()
    return [taskAgain(state, task, [], { by: 'critic', text: 'With more joy.', from: said.key })]
  },
}

export function openWorld(modelUrl: string, options: Partial<AppOptions>): Promise<App> {
  return createApp({
    agents: [greeter],
    strategies: [{ strategy: secondLook, roles: [critic] }],
    models: { providers: [{ kind: 'compatible', baseUrl: modelUrl, defaultModel: 'scripted' }] },
    onError: (error) => expect.fail(error.message),
    ...options,
  })
}

/** Checks the invariants of the spans of complete runs, for any exporter. */
export function expectWhole(spans: readonly ReceivedSpan[]): void {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  expect(byId.size, 'a span was sent twice').toBe(spans.length)
  for (const { spanId, traceId, parentSpanId, name, startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
    if (parentSpanId === undefined) expect(name).toMatch(/^invoke_workflow /)
    else expect(byId.get(parentSpanId), `the parent of ${name}`).toMatchObject({ traceId })
  }
}

export function sumOf(spans: readonly ReceivedSpan[], attribute: string): number {
  return spans.reduce((sum, { attributes }) => sum + Number(attributes[attribute] ?? 0), 0)
}
