import type { ActorContext, AgentTask, TaskInput } from '../../core/actor.ts'
import { given } from '../../core/given.ts'
import type { Outcome } from '../../core/result.ts'
import { Evidence } from '../../language/figures/evidence.ts'
import { tokensOf } from '../../language/tokens.ts'
import { AnswerCheck } from '../answers/answer-check.ts'
import { commonEvidence, leaves } from '../answers/grounds.ts'
import { contextLines } from '../context-lines.ts'
import { writeReport } from './prompts.ts'

const MOST_ROWS = 50

/**
 * The member that puts into words what others found. Sentences whose figures or names stand in none of that are left out;
 * without a model, and where nothing is left, it is what they found, one after the other.
 */
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
  if (by === 'fallback') return { answer: plain, data: { by: 'rules' }, ...about }
  const { text, unfounded } = checkOf(ctx, inputs).whole(value)
  if (unfounded.length > 0) ctx.note('DECISION', 'Sentences that nothing stands for were taken out', { unfounded })
  // “Report.” alone is what is left where every sentence with something in it was taken out.
  return text === '' || (unfounded.length > 0 && !isOfFindings(text, task.text, plain))
    ? { answer: plain, data: { by: 'rules' }, ...about }
    : { answer: text, data: { by: 'model' }, ...about }
}

function isOfFindings(text: string, task: string, found: string): boolean {
  const own = new Set(tokensOf(task))
  const words = new Set(tokensOf(found))
  return tokensOf(text).some((word) => words.has(word) && !own.has(word))
}

function foundBy({ actor, result: { answer = '', tabular } }: TaskInput): string {
  if (tabular === undefined) return `${actor}: ${answer}`
  const rows = tabular.rows.slice(0, MOST_ROWS).map((row) => JSON.stringify(row))
  const cut = tabular.rows.length > rows.length ? `\n… (${tabular.rows.length - rows.length} more rows)` : ''
  return `${actor}: ${answer}\n${rows.join('\n')}${cut}`
}

function checkOf(ctx: ActorContext, inputs: readonly TaskInput[]): AnswerCheck {
  const found = inputs.map(
    ({ result: { answer = '', data, tabular } }) =>
      new Evidence({ texts: [answer, ...leaves(data)], tables: tabular === undefined ? [] : [tabular] }),
  )
  return new AnswerCheck({ common: commonEvidence(ctx, []), found, byTask: new Map(), byNumber: new Map() })
}
