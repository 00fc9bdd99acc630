import { dataOf, defineRole, type Role, type RoleContext } from '../../../core/actor.ts'
import {
  criticTypes,
  expertType,
  plannerType,
  type CriticStep,
  type Instruction,
  type Verdict,
} from '../../../strategies/review/types.ts'
import { approvedResearch } from '../../../strategies/review/review.ts'
import { asksForFigure } from '../planning/references.ts'
import { planInThread } from '../planning/rule-plan.ts'
import { teamOf, todayOf } from '../planning/team.ts'
import { runRule } from '../../rules/run-rule.ts'
import { figuresIn } from '../../../language/figures/read.ts'
import { reply, researchGiven, told } from './actors.ts'
import { reviewJudge } from './prompts.ts'

interface Criteria {
  readonly approval: string
  readonly rejection: string
  /** What a program finds wrong with the work; undefined when nothing. */
  fault(
    ctx: RoleContext<Instruction>,
    research: ReturnType<typeof researchGiven>,
  ): string | undefined | Promise<string | undefined>
  /** Whether no model is asked about what the program rejects. */
  readonly isCertain?: boolean
}

const CRITERIA: Readonly<Record<CriticStep, Criteria>> = {
  critic_planner: {
    approval: 'the plan contains sufficient research and expert steps.',
    rejection: 'the plan is incomplete, unclear, or insufficient.',
    fault: faultOfPlan,
  },
  critic_researcher: {
    approval: 'the research results are relevant, accurate, and complete.',
    rejection: 'the research is irrelevant, inaccurate, or incomplete.',
    fault: faultOfResearch,
  },
  critic_expert: {
    approval: 'the answer addresses the question with proper reasoning.',
    rejection: 'the answer does not address the question or lacks reasoning.',
    fault: faultOfAnswer,
    isCertain: true,
  },
}

/** One critic for each kind of work (SPEC C2): approve, or reject with feedback. Without a model a program judges. */
export const criticRoles: readonly Role<Instruction, Verdict>[] = (Object.keys(CRITERIA) as CriticStep[]).map(
  (step) => {
    const { approval, rejection, fault, isCertain = false } = CRITERIA[step]
    return defineRole({
      ...criticTypes[step],
      limits: { timeoutMs: 180_000 },
      async run(ctx) {
        const approved = step === 'critic_expert' ? approvedResearch(ctx.state) : []
        const research = researchGiven(ctx, [...approved, ...ctx.inputs()])
        const wrong = await fault(ctx, research)
        const byProgram: Verdict = { decision: wrong === undefined ? 'approve' : 'reject', feedback: wrong ?? '' }
        const input = {
          ...told(ctx, reviewedIn(ctx, research)),
          approval,
          rejection,
          work: workOf(ctx),
          found: research.found,
        }
        const { value: verdict } =
          isCertain && wrong !== undefined
            ? { value: byProgram }
            : await ctx.ask(reviewJudge, input, { fallback: () => byProgram })
        ctx.note('DECISION', `${step}: ${verdict.decision}`, { ...verdict })
        reply(ctx, [verdict.decision, verdict.feedback].filter((text) => text !== '').join(': '))
        return { data: verdict }
      },
    })
  },
)

/** The plan, or the expert's answer with its reasoning; a research result stands among what was found. */
function workOf(ctx: RoleContext): string[] {
  const [made] = ctx.inputs()
  const job = made && ctx.state.jobs.get(made.key)
  if (made?.actor === plannerType.name) {
    const { researchSteps = [], expertSteps = [] } = dataOf(plannerType, job) ?? {}
    return [
      ...researchSteps.map((step, i) => `Research step ${i + 1}: ${step}`),
      ...expertSteps.map((step, i) => `Expert step ${i + 1}: ${step}`),
    ]
  }
  if (made?.actor !== expertType.name) return []
  const { expertAnswer = '', expertReasoning = '' } = dataOf(expertType, job) ?? {}
  return [`Answer: ${expertAnswer}`, `Reasoning: ${expertReasoning}`]
}

/** The work, in the words of the trace. */
function reviewedIn(ctx: RoleContext, { results }: ReturnType<typeof researchGiven>): string {
  const [made] = ctx.inputs()
  const job = made && ctx.state.jobs.get(made.key)
  if (made?.actor === expertType.name) return dataOf(expertType, job)?.expertAnswer ?? ''
  if (made?.actor !== plannerType.name) return results[0]?.answer ?? ''
  const { researchSteps = [], expertSteps = [] } = dataOf(plannerType, job) ?? {}
  return [...researchSteps, ...expertSteps].join('\n')
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
function faultOfResearch(ctx: RoleContext, { results }: ReturnType<typeof researchGiven>): string | undefined {
  const [result] = results
  const { answer = '', tabular, status } = result ?? {}
  if (status !== 'succeeded' || (answer.trim() === '' && tabular === undefined)) {
    return `There is no result: ${result?.error?.message ?? 'nothing was found.'}`
  }
  const text = ctx.state.plan?.plan.tasks.find(({ id }) => id === result!.task)?.text ?? ctx.request.question
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
