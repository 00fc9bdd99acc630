import type { RoleContext } from '../../../core/actor.ts'
import { given } from '../../../core/given.ts'
import { cut } from '../../../core/outside.ts'
import { agentResult, agentResultsOf, type AgentResult } from '../../../core/response.ts'
import type { JobState } from '../../../core/state.ts'
import type { Instruction } from '../../../strategies/review/types.ts'
import { numberSources } from '../offline/citing.ts'
import { contextLines } from '../../context-lines.ts'
import type { AgentSummary } from '../offline/answer-of-agents.ts'
import { summariesOf } from '../offline/summaries.ts'

const LONGEST_SAID = 2_000

/**
 * What each actor of a review is told, and its line in the trace (SPEC C5), where a critic's feedback stands for the
 * instruction, and what is to be reviewed behind it. Of these the prompts hold sections of their own.
 */
export function told(ctx: RoleContext<Instruction>, work = '') {
  const { input, request, feedback } = ctx
  const { stepId, ...message } = input
  const whole = feedback?.text ?? (work === '' ? input.content : `${input.content}: ${work}`)
  const content = cut(whole, LONGEST_SAID)
  ctx.note('MESSAGE', content, { ...message, content, step_id: stepId })
  return {
    question: ctx.state.plan?.understood?.question ?? request.question,
    context: contextLines(request.context),
    instruction: input.content,
    ...given({ systemPrompt: request.systemPrompt }),
  }
}

/** What an actor says when it is done. */
export function reply(ctx: RoleContext, content: string): void {
  ctx.send('orchestrator', 'response', content)
}

/** Research as its agents tell of it; without `jobs`, what the job is given. */
export function researchGiven(ctx: RoleContext, jobs: readonly Pick<JobState, 'key'>[] = ctx.inputs()) {
  const settled = jobs.flatMap(({ key }) => ctx.state.jobs.get(key) ?? [])
  const tasks = new Set(settled.map(({ task }) => task?.id))
  const results = [...agentResultsOf(ctx.state).filter(({ task }) => tasks.has(task)), ...settled.flatMap(ownFinding)]
  const summaries = summariesOf(ctx, results, numberSources(results))
  const found = summaries.map((summary, i) => finding(stepOf(ctx, results[i]!), summary))
  return { results, summaries, found }
}

/** What a role has found out itself, by tools, is a finding as those of agents are. */
export function ownFinding(job: JobState): AgentResult[] {
  if (job.task !== undefined || (job.result?.sources ?? []).length === 0) return []
  return [agentResult(job.actor, job.key, job, false)]
}

function stepOf({ state, request }: RoleContext, { task }: AgentResult): string {
  return state.plan?.plan.tasks.find(({ id }) => id === task)?.text ?? request.question
}

function finding(step: string, { answer, error, preview }: AgentSummary): string {
  return [`${step}:`, answer, error, ...preview].filter((line) => line !== '').join('\n')
}
