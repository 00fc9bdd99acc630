import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import { numberCitations } from '../../grounding/citations.ts'
import { delegatedResult } from '../../tool-loop/delegation.ts'
import { NO_MODEL } from '../../domain/model.ts'
import { callsMadeSection, questionSection } from '../../tool-loop/messages.ts'
import { contextLines } from '../../domain/context.ts'
import { writeReport } from './prompts.ts'
import { emptyAnswer, splitOpenParts } from '../../strategies/planning/composer-prompt.ts'

/**
 * The member that writes a text from the others' findings; if its model fails, the findings themselves are the text.
 */
export async function write(task: AgentTask, ctx: ActorContext): Promise<Outcome> {
  const inputs = task.inputs()
  if (!inputs.some(({ result }) => result.status === 'succeeded'))
    return ctx.decline('Nothing was found that could be written about.')
  const plain = inputs.flatMap(({ result }) => result.answer ?? []).join('\n\n')
  const tabular = inputs.find(({ result }) => result.tabular !== undefined)?.result.tabular
  const findings = inputs.map((input) => delegatedResult([input], false)!)
  const sources = findings.flatMap((finding) => finding.sources ?? [])
  const { value, reason } = await ctx.ask(
    writeReport,
    {
      task: task.text,
      context: contextLines(ctx.request.context),
      findings: [...findings.map(({ text }) => text), callsMadeSection(ctx.actions), questionSection(ctx.userRequest)],
      ...omitUndefined({ systemPrompt: ctx.request.systemPrompt }),
    },
    { problemWith: (report) => emptyAnswer(splitOpenParts(report).text) },
  )
  const { text: written, unanswered = [] } = splitOpenParts(value ?? '')
  const { text, cited } = numberCitations(written, sources)
  const from = cited.length > 0 ? cited : sources
  const about = { ...omitUndefined({ tabular }), ...(from.length === 0 ? {} : { sources: from }) }
  if (reason === undefined) {
    return { answer: text, data: { by: 'model' }, ...about, ...(unanswered.length === 0 ? {} : { unanswered }) }
  }
  const remarks = [`The model did not write the report, so the findings stand as they are: ${reason}.`]
  return { answer: plain, data: { by: 'rules' }, ...about, ...(reason === NO_MODEL ? {} : { remarks }) }
}
