import { defineRole, type Role, type RoleContext } from '../../../core/actor.ts'
import { TuttiError } from '../../../core/errors.ts'
import { given } from '../../../core/given.ts'
import { validatePlan, type Task } from '../../../core/plan.ts'
import { planSteps } from '../../../strategies/review/instructions.ts'
import { plannerType, type Instruction, type PlanSteps } from '../../../strategies/review/types.ts'
import { MAX_TASKS } from '../graph/read-plan.ts'
import { byRules } from '../offline/graph-plan.ts'
import { joinPlans } from '../planning/join-plans.ts'
import { HEURISTIC_CONFIDENCE } from '../planning/plan-by-rules.ts'
import { runRule } from '../../rules/run-rule.ts'
import { knownAsWhole } from '../planning/ready-plan.ts'
import { teamOf, todayOf } from '../planning/team.ts'
import { about, standingIn, understoodBy } from '../planning/understood.ts'
import { offerAgents } from '../usable-agents.ts'
import { reply, told } from './actors.ts'
import { CONCLUDE, reviewPlan } from './prompts.ts'

const MODEL_CONFIDENCE = 0.8

/**
 * Plans a review: its research steps are the tasks of the plan. What a model plans and nobody can run is an error that comes
 * back to it as feedback; without a model the rules plan.
 */
export const reviewPlannerRole: Role<Instruction, PlanSteps> = defineRole({
  ...plannerType,
  limits: { timeoutMs: 180_000 },
  async run(ctx) {
    const { request, agents } = ctx
    const team = teamOf(request, agents)
    const standing = await standingIn(ctx)
    // What was said of how to answer is what a review does; the rest is what to answer.
    const question = (await runRule('care', standing.question))?.rest ?? standing.question
    const earlier = isResearched(ctx) ? ctx.state.plan?.plan : undefined
    const known = earlier === undefined ? await knownAsWhole(ctx, question) : undefined
    const ruled = known === undefined ? await byRules(ctx, team, todayOf(request), question) : { ...known, carried: [] }
    const input = {
      ...told(ctx),
      agents: (await offerAgents(ctx)).text,
      maxSteps: MAX_TASKS,
    }
    const expertSteps = earlier === undefined ? [CONCLUDE] : planSteps(ctx.state).expertSteps
    const byProgram = { research_steps: ruled.tasks.map(asStep(question)), expert_steps: expertSteps }
    const { value, by } =
      earlier === undefined && known === undefined
        ? await ctx.ask(reviewPlan, input, { fallback: () => byProgram })
        : { value: byProgram, by: 'fallback' as const }
    const tasks = by === 'model' ? tasksOf(ctx, value.research_steps) : ruled.tasks.map(about(question, request))
    const plan = validatePlan(joinPlans(earlier, tasks), new Set(team.agents.map(({ name }) => name)))
    const steps = { researchSteps: plan.tasks.map(({ text }) => text ?? question), expertSteps: value.expert_steps }
    // A person who has changed the plan meanwhile knows better.
    if (ctx.state.plan?.by !== 'user' && (earlier === undefined || tasks.length > 0))
      ctx.emit({
        type: 'plan.set',
        plan,
        by: 'planner',
        rationale: by === 'model' ? `Planned for review: ${steps.expertSteps.join(' ')}` : ruled.rationale,
        confidence: by === 'model' ? MODEL_CONFIDENCE : HEURISTIC_CONFIDENCE,
        guardrails: { refinedBy: by, ...given({ strategy: request.strategyReason }) },
        ...understoodBy(ctx, standing.question, standing, by === 'model' ? [] : ruled.carried),
      })
    reply(ctx, `Planned ${steps.researchSteps.length} research steps and ${steps.expertSteps.length} expert steps.`)
    return { data: steps }
  },
})

/** Whether it is about what was declined: all else stays as it is, and the rules know who is next. */
function isResearched({ state }: RoleContext): boolean {
  return [...state.jobs.values()].some(({ task }) => task !== undefined)
}

function asStep(question: string) {
  return ({ agent, text = question }: Task) => ({ agent, step: text })
}

/** A step for an agent that works on results depends on all before it. @throws TuttiError when there are too many */
function tasksOf({ agents }: RoleContext, steps: readonly { readonly agent: string; readonly step: string }[]): Task[] {
  if (steps.length > MAX_TASKS) {
    const message = `The plan has ${steps.length} research steps; at most ${MAX_TASKS} are allowed.`
    throw new TuttiError('InvalidPlan', message)
  }
  const ids = steps.map((_step, i) => `research-${i + 1}`)
  return steps.map(({ agent: named, step }, i) => {
    const agent = named.trim()
    const { planning } = agents.find(({ name }) => name === agent) ?? {}
    const usesResults = planning?.worksOnResults === true || planning?.acts === true
    return { id: ids[i]!, agent, text: step.trim(), dependsOn: usesResults ? ids.slice(0, i) : [] }
  })
}
