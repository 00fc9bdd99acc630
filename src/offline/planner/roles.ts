import { dataOf, type Role, type RoleContext } from '../../domain/actor.ts'
import { omitUndefined } from '../../shared/json.ts'
import { validatePlan, type Task } from '../../domain/plan.ts'
import { agentResult, agentResultsOf, type AgentResult } from '../../domain/agent-results.ts'
import type { Outcome } from '../../domain/result.ts'
import { answerFrom, answersInOrder, composeRun } from '../../strategies/planning/composer.ts'
import { citableResults } from '../../strategies/planning/citable-results.ts'
import { guardrailsOf, joinPlans, HEURISTIC_CONFIDENCE, teamPlan } from '../../strategies/planning/plan-parts.ts'
import { reply, receiveInstruction } from '../../strategies/review/actors.ts'
import { endReason, expertOf, finalize, reasoningTrace } from '../../strategies/review/finalizer.ts'
import { approvedResearch } from '../../strategies/review/next.ts'
import {
  criticTypes,
  expertType,
  finalizerType,
  plannerType,
  type Ending,
  type FinalAnswer,
  type Instruction,
  type LastInstruction,
  type Opinion,
  type PlanSteps,
  type Verdict,
} from '../../strategies/review/types.ts'
import { shouldReplan } from '../../strategies/steps.ts'
import { openTasks } from '../../strategies/supervisor/next.ts'
import { supervisorType } from '../../strategies/supervisor/types.ts'
import { replyTo } from '../conversation/reply.ts'
import { composeOffline } from './compose.ts'
import { withoutOpening } from './follow-up.ts'
import { isUnderstood, replan, planTasks } from './plan.ts'

/** Sets the plan: the steps of a team, or who answers each part; asked again, who else could be asked. */
async function plan(ctx: RoleContext): Promise<Outcome> {
  const ready = teamPlan(ctx)
  if (ready !== undefined) return ready
  if (ctx.state.plan === undefined) return setPlan(ctx, await firstTasks(ctx))
  const tasks = await replan(ctx)
  return tasks.length === 0 ? { answer: 'There is no other way to try.' } : setPlan(ctx, tasks)
}

async function firstTasks(ctx: RoleContext): Promise<readonly Task[]> {
  const { question } = ctx.request
  const bare = withoutOpening(question)
  if (bare !== question && (await isUnderstood(ctx, bare))) return planTasks(ctx, bare)
  return (await replyTo(ctx)) === undefined ? planTasks(ctx, question) : []
}

function setPlan(ctx: RoleContext, tasks: readonly Task[]): Outcome {
  const names = [...new Set(tasks.map(({ agent }) => agent))].join(', ')
  const rationale = `Without a model, the question is split by its words: ${names || 'no agent is asked'}.`
  const agentNames = new Set(ctx.agents.map(({ name }) => name))
  ctx.emit({
    type: 'plan.set',
    plan: validatePlan(joinPlans(ctx.state.plan?.plan, tasks), agentNames),
    by: 'planner',
    rationale,
    confidence: HEURISTIC_CONFIDENCE,
    guardrails: guardrailsOf(ctx, 'fallback'),
  })
  return { answer: rationale, confidence: HEURISTIC_CONFIDENCE }
}

/** All that can start; where that is nothing, another way for what led nowhere, once. */
async function supervise(ctx: RoleContext) {
  const { state } = ctx
  const { plan: before, round } = state.plan!
  const open = openTasks(state)
  const isAgain = open.length === 0 && shouldReplan(state)
  const added = isAgain ? await replan(ctx) : []
  const { tasks } = joinPlans(before, added)
  const route = isAgain ? tasks.slice(before.tasks.length) : open
  if (added.length > 0) setPlan(ctx, added)
  const answer = route.length > 0 ? 'All parts that can start are next.' : 'There is nothing left that could be done.'
  const data = {
    route: route.map(({ agent, id }) => ({ agent, task: id })),
    planRound: round + (added.length > 0 ? 1 : 0),
  }
  return { answer, data }
}

async function planReview(ctx: RoleContext<Instruction>): Promise<Outcome<PlanSteps>> {
  receiveInstruction(ctx)
  // A plan changed by the user takes precedence.
  const isSet = ctx.state.plan?.by !== 'user'
  const tasks = isSet ? await firstTasks(ctx) : []
  if (isSet) setPlan(ctx, tasks)
  const researchSteps = tasks.map(({ text }) => text ?? ctx.request.question)
  const expertSteps = ['Put what was found together.']
  reply(ctx, `Planned ${researchSteps.length} research steps and ${expertSteps.length} expert steps.`)
  return { data: { researchSteps, expertSteps } }
}

/** Approves every task with a result. */
async function criticise(ctx: RoleContext<Instruction>): Promise<Outcome<Verdict>> {
  const [made] = ctx.inputs()
  const { status, answer = '', tabular, data, error } = made?.result ?? {}
  receiveInstruction(ctx, answer)
  const hasWork = status === 'succeeded' && (answer !== '' || tabular !== undefined || data !== undefined)
  const verdict: Verdict = hasWork
    ? { decision: 'approve', feedback: '' }
    : { decision: 'reject', feedback: error?.message ?? 'There is no result.' }
  ctx.note('DECISION', `${ctx.job.actor}: ${verdict.decision}`, { ...verdict })
  reply(ctx, [verdict.decision, verdict.feedback].filter(Boolean).join(': '))
  return { data: verdict }
}

/** The findings are used unchanged. */
async function conclude(ctx: RoleContext<Instruction>): Promise<Outcome<Opinion>> {
  receiveInstruction(ctx)
  const jobs = ctx.inputs().flatMap(({ key }) => ctx.state.jobs.get(key) ?? [])
  const results = jobs.map((job) => agentResult(job.actor, job.key, job, false))
  const answer = answersInOrder(results, citableResults(results)) || 'Nothing was found.'
  reply(ctx, 'The steps are performed.')
  return { answer, data: { expertAnswer: answer, expertReasoning: 'The findings stand as they are.' } }
}

async function writeFinal(ctx: RoleContext, _asked: unknown, ending: Ending) {
  const approved = new Set(approvedResearch(ctx.state).map(({ task }) => task!.id))
  const isKept = ({ task, status }: AgentResult): boolean => approved.has(task) || status !== 'succeeded'
  const results = agentResultsOf(ctx.state).filter(isKept)
  const stopped = ending === 'error' && results.length === 0 ? endReason(ctx) : undefined
  const trace = reasoningTrace(ctx, dataOf(expertType, expertOf(ctx))?.expertReasoning)
  const closing = omitUndefined({ stopped, reasoningTrace: trace })
  return { answer: await answerFrom(ctx, results, closing, composeOffline), trace }
}

type Run = Role<never, unknown>['run']

/** What replaces the model of each role, by the role's name. */
export const offlineRoles: Readonly<Record<string, Run>> = {
  planner: plan,
  'master-planner': plan,
  preprocess: plan,
  [supervisorType.name]: supervise,
  [plannerType.name]: planReview,
  ...Object.fromEntries(Object.values(criticTypes).map(({ name }) => [name, criticise])),
  [expertType.name]: conclude,
  [finalizerType.name]: (ctx: RoleContext<LastInstruction>): Promise<Outcome<FinalAnswer>> => finalize(ctx, writeFinal),
  composer: (ctx) => composeRun(ctx, composeOffline),
}
