import { dataOf, defineRole, type Role, type RoleContext } from '../../../core/actor.ts'
import { agentResult } from '../../../core/response.ts'
import { approvedResearch } from '../../../strategies/review/review.ts'
import {
  criticTypes,
  expertType,
  plannerType,
  type CriticStep,
  type Instruction,
  type Verdict,
} from '../../../strategies/review/types.ts'
import { hasModel } from '../has-model.ts'
import { structuralFault } from '../offline/review-faults.ts'
import { notReturned, reply, researchOf, told } from './actors.ts'
import { reviewJudge } from './prompts.ts'

const CRITERIA: Readonly<Record<CriticStep, { readonly approval: string; readonly rejection: string }>> = {
  critic_planner: {
    approval: 'the plan contains sufficient research and expert steps.',
    rejection: 'the plan is incomplete, unclear, or insufficient.',
  },
  critic_researcher: {
    approval: 'the research results are relevant, accurate, and complete.',
    rejection: 'the research is irrelevant, inaccurate, or incomplete.',
  },
  critic_expert: {
    approval: 'the answer addresses the question with proper reasoning.',
    rejection: 'the answer does not address the question or lacks reasoning.',
  },
}

/** One critic for each kind of work (SPEC C2): approve, or reject with feedback. Without a model a program checks the structure. */
export const criticRoles: readonly Role<Instruction, Verdict>[] = (Object.keys(CRITERIA) as CriticStep[]).map((step) =>
  defineRole({
    ...criticTypes[step],
    limits: { timeoutMs: 180_000 },
    async run(ctx) {
      const work = workOf(ctx)
      const asked = told(ctx, work.inTrace)
      const verdict = (await hasModel(ctx)) ? await judge(ctx, step, asked, work) : await byProgram(ctx, step)
      ctx.note('DECISION', `${step}: ${verdict.decision}`, { ...verdict })
      reply(ctx, [verdict.decision, verdict.feedback].filter((text) => text !== '').join(': '))
      return { data: verdict }
    },
  }),
)

async function judge(
  ctx: RoleContext,
  step: CriticStep,
  asked: ReturnType<typeof told>,
  { text, found }: Work,
): Promise<Verdict> {
  const input = { ...asked, ...CRITERIA[step], work: text, found: [...found] }
  const { value, by, reason } = await ctx.ask(reviewJudge, input)
  if (by === 'fallback') throw notReturned('a decision', reason)
  return { decision: value.decision, feedback: value.feedback?.trim() ?? '' }
}

async function byProgram(ctx: RoleContext, step: CriticStep): Promise<Verdict> {
  const fault = await structuralFault(ctx, step)
  return fault === undefined ? { decision: 'approve', feedback: '' } : { decision: 'reject', feedback: fault }
}

interface Work {
  readonly text: string
  /** The work, in the words of the trace. */
  readonly inTrace: string
  /** Sections of the research that was approved before. */
  readonly found: readonly string[]
}

/** The plan, a research result, or the expert's answer with its reasoning. */
function workOf(ctx: RoleContext): Work {
  const [made] = ctx.inputs()
  const job = made && ctx.state.jobs.get(made.key)
  const approved = approvedResearch(ctx.state)
  if (job === undefined) return { text: 'none', inTrace: '', found: [] }
  if (job.actor === plannerType.name) {
    const { researchSteps = [], expertSteps = [] } = dataOf(plannerType, job) ?? {}
    const lines = [
      ...researchSteps.map((step, i) => `Research step ${i + 1}: ${step}`),
      ...expertSteps.map((step, i) => `Expert step ${i + 1}: ${step}`),
    ]
    return { text: lines.join('\n'), inTrace: [...researchSteps, ...expertSteps].join('\n'), found: [] }
  }
  if (job.actor === expertType.name) {
    const { expertAnswer = '', expertReasoning = '' } = dataOf(expertType, job) ?? {}
    const { citable, sections } = researchOf(ctx, [...approved, job])
    const answer = citable.texts.get(job.key) ?? expertAnswer
    const own = citable.idsOf(agentResult(job.actor, job.key, job, false))
    const text = [`Answer: ${answer}`, `Reasoning: ${expertReasoning}`, own].filter(Boolean).join('\n')
    return { text, inTrace: expertAnswer, found: sections.slice(0, -1) }
  }
  const { sections } = researchOf(ctx, [...approved.filter(({ key }) => key !== job.key), job])
  return { text: sections.at(-1)!, inTrace: job.result?.answer ?? '', found: sections.slice(0, -1) }
}
