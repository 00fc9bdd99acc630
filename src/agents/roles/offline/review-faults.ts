import { dataOf, type RoleContext } from '../../../core/actor.ts'
import { figuresIn } from '../../../language/figures/read.ts'
import { expertType, plannerType, type CriticStep } from '../../../strategies/review/types.ts'
import { runRule } from '../../rules/run-rule.ts'
import { asksForFigure } from '../planning/references.ts'
import { planInThread } from '../planning/rule-plan.ts'
import { teamOf, todayOf } from '../planning/team.ts'

/** What a critic without a model finds wrong with the work; undefined when nothing. */
export async function structuralFault(ctx: RoleContext, step: CriticStep): Promise<string | undefined> {
  if (step === 'critic_planner') return faultOfPlan(ctx)
  return step === 'critic_researcher' ? faultOfResearch(ctx) : faultOfAnswer(ctx)
}

/** Whether it has an expert's step, and research by each agent whom the rules would ask for a part of the question. */
async function faultOfPlan(ctx: RoleContext): Promise<string | undefined> {
  const [made] = ctx.inputs()
  const steps = made && dataOf(plannerType, ctx.state.jobs.get(made.key))
  if (steps === undefined || steps.expertSteps.length === 0)
    return 'There is no expert step. Add one that answers the question.'
  const { question } = ctx.request
  const ruled = await planInThread(
    (await runRule('care', question))?.rest ?? question,
    teamOf(ctx.request, ctx.agents),
    todayOf(ctx.request),
  )
  const planned = new Set(ctx.state.plan?.plan.tasks.map(({ agent }) => agent))
  if (ruled === undefined) return undefined
  const missing = [...new Set(ruled.tasks.map(({ agent }) => agent))].filter((agent) => !planned.has(agent))
  if (missing.length === 0) return undefined
  return `A part of the question is not covered. Add a research step for ${missing.join(', ')}.`
}

/** Whether there is a result, which has a figure where one was asked for. */
function faultOfResearch(ctx: RoleContext): string | undefined {
  const [made] = ctx.inputs()
  const { answer = '', tabular, status, error } = made?.result ?? {}
  if (status !== 'succeeded' || (answer.trim() === '' && tabular === undefined)) {
    return `There is no result: ${error?.message ?? 'nothing was found.'}`
  }
  const text = ctx.state.jobs.get(made!.key)?.task?.text ?? ctx.request.question
  if (asksForFigure(text) && tabular === undefined && figuresIn(answer).length === 0) {
    return `It was asked for a figure, and there is none: ${text}`
  }
  return undefined
}

/** Whether there is an answer. */
function faultOfAnswer(ctx: RoleContext): string | undefined {
  const [made] = ctx.inputs()
  const opinion = made && dataOf(expertType, ctx.state.jobs.get(made.key))
  return (opinion?.expertAnswer ?? '').trim() === '' ? 'There is no answer. Answer the question.' : undefined
}
