import { noModelMessage } from '../../domain/model.ts'
import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import type { Outcome } from '../../domain/result.ts'
import { runPythonTool, type PythonRunner } from '../../agents/python/tools.ts'
import { fencedPython } from '../../agents/python/fenced-code.ts'
import { inputTables } from '../../tool-loop/input-tables.ts'
import { userCodeOutcome } from '../../agents/python/outcome.ts'
import { runRule } from '../rule-worker/run-rule.ts'

/** Without a model: runs Python that the question gives in a fence, else works out the arithmetic that it writes. */
export async function computeOffline(task: AgentTask, ctx: ActorContext, sandbox: PythonRunner): Promise<Outcome> {
  const { locale } = ctx.request
  const code = fencedPython(task.text)
  if (code !== undefined) {
    const output = await ctx.call(runPythonTool({ sandbox, given: inputTables(task), artifacts: ctx.artifacts }), {
      code,
    })
    return userCodeOutcome(code, output, locale)
  }
  const computed = await runRule('compute', task.text, locale)
  if (computed?.kind !== 'finding') return ctx.decline(computed?.reason ?? noModelMessage())
  ctx.note('DECISION', 'Worked out by rules', { ...computed })
  return {
    answer: computed.answer,
    data: { code: computed.code, value: computed.value, by: 'rules' },
    sources: [{ kind: 'computation', name: 'Calculation', detail: computed.code }],
    confidence: 0.95,
  }
}
