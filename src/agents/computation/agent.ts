import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import { TuttiError } from '../../core/errors.ts'
import { given } from '../../core/given.ts'
import { needsModel } from '../../core/without-model.ts'
import type { Outcome } from '../../core/result.ts'
import { fencedPython, withoutFence } from '../python/fenced-code.ts'
import { dataOf, givenTables } from '../python/given-data.ts'
import { errorText, outcomeText, type FailedRun } from '../python/outcome.ts'
import { tryPython, type Python, type PythonResult, type PythonRunner } from '../python/run.ts'
import { failure, stopped, success } from './outcomes.ts'
import { summariseOutcome, writePython } from './prompts.ts'
import { summaryInputFor, writeInputFor } from '../python/prompts.ts'
import { byRules, type GivenTable } from '../reckoning/index.ts'
import { runRule } from '../rules/run-rule.ts'
import { RUN_PYTHON, runPython } from './tools.ts'

/** The first and one repair (SPEC P8). */
const MAX_ATTEMPTS = 2

/**
 * Answers questions by computing: the model plans and writes Python, which runs in the sandbox over what earlier agents
 * found; code that fails is repaired once. Python in a fence is run as it is. Without a model, rules do the arithmetic.
 */
export function computationAgent(sandbox: PythonRunner): Agent {
  return defineAgent({
    name: 'computation',
    label: 'the computation',
    description:
      'Computes with Python in a sandbox: figures, statistics and projections, also over what other agents found.',
    capabilities: [
      'natural language to Python',
      'statistics, percentages, projections, simulations',
      'tables of computed results',
    ],
    useCases: [
      'growth, shares and ratios of figures from other agents',
      'what-if calculations',
      'running a piece of Python',
    ],
    // The keywords of SPEC P3, and those of shares.
    keywords:
      'calculate|difference|ratio|project|simulate|compute|forecast|estimate|compare|what is|percent|share'.split('|'),
    planning: { rivals: ['sql'], rank: 30, worksOnResults: true },
    typicalLatencyMs: 4_000,
    tools: [RUN_PYTHON],
    limits: { timeoutMs: 180_000, retries: 1 },
    lend: (task, ctx) => [runPython(sandbox, dataOf(givenTables(task)), ctx.artifacts)],
    async run(task, ctx) {
      const tables = givenTables(task)
      const python = { sandbox, tool: runPython(sandbox, dataOf(tables), ctx.artifacts) }
      const fenced = fencedPython(task.text)
      return fenced === undefined ? answer(task, ctx, python, tables) : runAsItIs(fenced, ctx, python)
    },
  })
}

async function runAsItIs(code: string, ctx: ActorContext, python: Python): Promise<Outcome> {
  const result = await tryPython(code, ctx, python)
  if (TuttiError.isInstance(result)) return stopped(code, result)
  if (!result.ok) return failure([{ code, error: errorText(result) }], result)
  return success(code, result, outcomeText(result, ctx.request.locale), 'The code of the question, as it is.', [])
}

async function answer(
  task: AgentTask,
  ctx: ActorContext,
  python: Python,
  tables: readonly GivenTable[],
): Promise<Outcome> {
  const failed: FailedRun[] = []
  let last: PythonResult | undefined
  while (failed.length < MAX_ATTEMPTS) {
    const { value, by, reason } = await ctx.ask(writePython, writeInputFor(task, ctx, python.sandbox, tables, failed))
    const code = by === 'model' ? withoutFence(value.code) : ''
    if (last === undefined && by === 'fallback') return byRulesAlone(task, ctx, tables, reason)
    if (last === undefined && code === '') {
      return ctx.decline(value.plan || 'This cannot be computed from what is known.')
    }
    if (code === '') break
    const result = await tryPython(code, ctx, python)
    if (TuttiError.isInstance(result)) return stopped(code, result)
    if (result.ok) return success(code, result, await summary(task, ctx, code, result), value.plan, failed)
    failed.push({ code, error: errorText(result) })
    last = result
  }
  return failure(failed, last!)
}

async function summary(task: AgentTask, ctx: ActorContext, code: string, result: PythonResult): Promise<string> {
  const { value } = await ctx.ask(summariseOutcome, summaryInputFor(task, ctx, code, result))
  return value
}

async function byRulesAlone(
  task: AgentTask,
  ctx: ActorContext,
  tables: readonly GivenTable[],
  reason: string | undefined,
): Promise<Outcome> {
  const today = String(ctx.request.context['current_date'])
  const about = { today, ...given({ locale: ctx.request.locale, reason }) }
  const computed = await runRule('compute', task.text, tables, about)
  if (computed === undefined) return ctx.decline(needsModel(reason))
  ctx.note('DECISION', computed.kind === 'finding' ? 'Worked out by rules' : 'Not understood by rules', { ...computed })
  return computed.kind === 'finding' ? byRules(computed) : ctx.decline(computed.reason)
}
