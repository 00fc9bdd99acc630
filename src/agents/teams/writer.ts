import type { ActorContext, AgentTask } from '../../core/actor.ts'
import { given } from '../../core/given.ts'
import type { Outcome, Source } from '../../core/result.ts'
import { numberCitations } from '../../grounding/citations.ts'
import { delegatedResult } from '../../tool-loop/delegation.ts'
import { contextLines } from '../context-lines.ts'
import { writeReport } from './prompts.ts'

/** The member that puts into words what others found; without a model it is what they found, one after the other. */
export async function write(task: AgentTask, ctx: ActorContext): Promise<Outcome> {
  const inputs = task.inputs().filter(({ result }) => result.status === 'succeeded')
  if (inputs.length === 0) return ctx.decline('Nothing was found that could be written about.')
  const plain = inputs.flatMap(({ result }) => result.answer ?? []).join('\n\n')
  const tabular = inputs.find(({ result }) => result.tabular !== undefined)?.result.tabular
  // One numbering for the sources of all members.
  const sources: Source[] = []
  const findings = inputs.map((input) => {
    const finding = delegatedResult([input], sources)!
    sources.push(...(finding.sources ?? []))
    return finding.text
  })
  const { value, by } = await ctx.ask(writeReport, {
    task: task.text,
    context: contextLines(ctx.request.context),
    findings,
    ...given({ systemPrompt: ctx.request.systemPrompt }),
  })
  const { text, cited } = numberCitations(value, sources)
  const from = cited.length > 0 ? cited : sources
  const about = { ...given({ tabular }), ...(from.length === 0 ? {} : { sources: from }) }
  return by === 'fallback'
    ? { answer: plain, data: { by: 'rules' }, ...about }
    : { answer: text, data: { by: 'model' }, ...about }
}
