import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import { TuttiError } from '../../core/errors.ts'
import type { Outcome } from '../../core/result.ts'
import { fencedPython, withoutFence } from '../python/fenced-code.ts'
import { dataOf, givenPassages, givenTables, type GivenTable } from '../python/given-data.ts'
import { errorText, outcomeText, type FailedRun } from '../python/outcome.ts'
import { tryPython, type Python, type PythonResult, type PythonRunner } from '../python/run.ts'
import { failure, notRun, success } from './outcomes.ts'
import { summariseRun, writeCode } from './prompts.ts'
import { summaryInputFor, writeInputFor } from '../python/prompts.ts'
import { EXECUTE_CODE, executeCode } from './tools.ts'

/** The first and one repair; each is approved by itself, since it is other code. */
const MAX_ATTEMPTS = 2

const GIVE_IT = 'Give the Python itself, between a line ```python and a line ```, and it is run after approval.'

/**
 * Writes a Python program for a task, has a person approve it, runs it in the sandbox and says what came of it. A program
 * that fails is repaired once. Python in a fence is run as it is, after approval; without a model that is all it does.
 */
export function codeAgent(sandbox: PythonRunner): Agent {
  return defineAgent({
    name: 'code',
    label: 'the program',
    description: 'Writes a Python program and runs it in a sandbox, after a person has approved the code.',
    capabilities: ['Python programs', 'working through documents and tables of other agents', 'charts as SVG'],
    useCases: ['running given Python', 'reshaping or checking what other agents found', 'drawing a chart'],
    // Phrases, since "code", "script" and "program" alone are in postal codes, descriptions and loyalty programs. With a space
    // in front those that a question may begin with: "Plot the sales" needs data first, which an agent that has it gives.
    keywords: (
      'python,write code,write a script,write a program,write a function,run code,run this code,run the code,' +
      'execute this,execute the code,script that,script to,program that,program to,code that,code to,in a chart,' +
      'as a chart, plot, histogram, visualise, visualize'
    ).split(','),
    planning: { rank: 40, worksOnResults: true },
    typicalLatencyMs: 6_000,
    tools: [EXECUTE_CODE],
    limits: { timeoutMs: 180_000, retries: 1 },
    lend: (task, ctx) => [executeCode(sandbox, dataOf(givenOf(task)), ctx.artifacts)],
    async run(task, ctx) {
      const given = givenOf(task)
      const python = { sandbox, tool: executeCode(sandbox, dataOf(given), ctx.artifacts) }
      const fenced = fencedPython(task.text)
      return fenced === undefined ? writeAndRun(task, ctx, python, given) : runAsItIs(fenced, ctx, python)
    },
  })
}

function givenOf(task: AgentTask): readonly GivenTable[] {
  return [...givenTables(task), ...givenPassages(task)]
}

async function runAsItIs(code: string, ctx: ActorContext, python: Python): Promise<Outcome> {
  const result = await approvedRun(code, ctx, python)
  if (TuttiError.isInstance(result)) return notRun(code, result, [])
  const plan = 'The code of the task, as it is.'
  if (!result.ok) return failure(result, plan, [{ code, error: errorText(result) }])
  return success(code, result, outcomeText(result, ctx.request.locale), plan, [])
}

async function writeAndRun(
  task: AgentTask,
  ctx: ActorContext,
  python: Python,
  given: readonly GivenTable[],
): Promise<Outcome> {
  const failed: FailedRun[] = []
  let last: { readonly result: PythonResult; readonly plan: string } | undefined
  while (failed.length < MAX_ATTEMPTS) {
    const { value, by, reason } = await ctx.ask(writeCode, writeInputFor(task, ctx, python.sandbox, given, failed))
    const code = by === 'model' ? withoutFence(value.code) : ''
    if (last === undefined && by === 'fallback') {
      ctx.note('DECISION', 'No program was written', { reason })
      return ctx.decline(`No program was written: ${reason ?? 'no model answered'}. ${GIVE_IT}`)
    }
    if (last === undefined && code === '')
      return ctx.decline(value.plan || 'No program can do this with what is known.')
    if (code === '') break
    const result = await approvedRun(code, ctx, python)
    if (TuttiError.isInstance(result)) return notRun(code, result, failed)
    if (result.ok) return success(code, result, await summary(task, ctx, code, result), value.plan, failed)
    failed.push({ code, error: errorText(result) })
    last = { result, plan: value.plan }
  }
  return failure(last!.result, last!.plan, failed)
}

/** What the sandbox gave, or why there is nothing: it stopped the code, or no person let it run. */
async function approvedRun(code: string, ctx: ActorContext, python: Python): Promise<PythonResult | TuttiError> {
  try {
    return await tryPython(code, ctx, python)
  } catch (error) {
    if (TuttiError.isInstance(error) && /^Approval(Denied|TimedOut|Expired)$/.test(error.code)) return error
    throw error
  }
}

async function summary(task: AgentTask, ctx: ActorContext, code: string, result: PythonResult): Promise<string> {
  const { value } = await ctx.ask(summariseRun, summaryInputFor(task, ctx, code, result))
  return value
}
