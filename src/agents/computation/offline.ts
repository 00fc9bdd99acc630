import type { ActorContext, AgentTask } from '../../core/actor.ts'
import type { Outcome } from '../../core/result.ts'
import { needsModel } from '../../core/without-model.ts'
import { fencedPython } from '../python/fenced-code.ts'
import { givenTables } from '../python/given-data.ts'
import { givenCodeOutcome } from '../python/outcome.ts'
import type { PythonRunner } from '../python/run.ts'
import { byRules } from '../reckoning/index.ts'
import { runRule } from '../rules/run-rule.ts'
import { runPythonTool } from './tools.ts'

/** Without a model: runs Python that the question gives in a fence; else rules do the arithmetic. */
export async function computeOffline(task: AgentTask, ctx: ActorContext, sandbox: PythonRunner): Promise<Outcome> {
  const { locale, context } = ctx.request
  const tables = givenTables(task)
  const code = fencedPython(task.text)
  if (code !== undefined) {
    const output = await ctx.call(runPythonTool({ sandbox, given: tables, artifacts: ctx.artifacts }), { code })
    return givenCodeOutcome(code, output, locale)
  }
  const today = String(context['current_date'])
  const computed = await runRule('compute', task.text, tables, { today, ...(locale === undefined ? {} : { locale }) })
  if (computed === undefined) return ctx.decline(needsModel())
  ctx.note('DECISION', computed.kind === 'finding' ? 'Worked out by rules' : 'Not understood by rules', { ...computed })
  return computed.kind === 'finding' ? byRules(computed) : ctx.decline(computed.reason)
}
