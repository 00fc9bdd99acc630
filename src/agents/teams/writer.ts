import type { ActorContext, AgentTask, TaskInput } from '../../core/actor.ts'
import { given } from '../../core/given.ts'
import type { Outcome } from '../../core/result.ts'
import { resultText, tagged } from '../../tool-loop/messages.ts'
import { contextLines } from '../context-lines.ts'
import { writeReport } from './prompts.ts'

/** The member that puts into words what others found; without a model it is what they found, one after the other. */
export async function write(task: AgentTask, ctx: ActorContext): Promise<Outcome> {
  const inputs = task.inputs().filter(({ result }) => result.status === 'succeeded')
  if (inputs.length === 0) return ctx.decline('Nothing was found that could be written about.')
  const plain = inputs.flatMap(({ result }) => result.answer ?? []).join('\n\n')
  const tabular = inputs.find(({ result }) => result.tabular !== undefined)?.result.tabular
  const sources = inputs.flatMap(({ result }) => result.sources ?? [])
  const about = { ...given({ tabular }), ...(sources.length === 0 ? {} : { sources }) }
  const { value, by } = await ctx.ask(writeReport, {
    task: task.text,
    context: contextLines(ctx.request.context),
    findings: inputs.map(foundBy),
    ...given({ systemPrompt: ctx.request.systemPrompt }),
  })
  return by === 'fallback'
    ? { answer: plain, data: { by: 'rules' }, ...about }
    : { answer: value, data: { by: 'model' }, ...about }
}

function foundBy({ actor, result }: TaskInput): string {
  return tagged('finding', resultText(result), { of: actor })
}
