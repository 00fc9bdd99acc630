import { dataOf, defineRole, type Role, type RoleContext } from '../../domain/actor.ts'
import { withIds } from '../../domain/answer.ts'
import { truncateTogether } from '../../shared/json.ts'
import { MAX_FINDINGS_CHARS } from '../../domain/prompt-text.ts'
import { createSecrets, secretsIn } from '../../domain/secrets.ts'
import type { JobState } from '../../domain/state.ts'
import { transcriptKeys, type TranscriptState } from '../../domain/transcript.ts'
import { checkFigures } from '../../grounding/figures.ts'
import { approvedResearch } from './next.ts'
import { criticTypes, expertType, plannerType, type CriticStep, type Instruction, type Verdict } from './types.ts'
import { lackLines, resultText } from '../../tool-loop/messages.ts'
import { callSections, callsIn, type WatchedCall } from '../../tool-loop/watched-calls.ts'
import { noReplyError, reply, researchOf, receiveInstruction } from './actors.ts'
import { reviewJudge, type Judgement } from './prompts.ts'

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

/** One critic for each kind of work: approve, or reject with feedback. */
export const criticRoles: readonly Role<Instruction, Verdict>[] = (Object.keys(CRITERIA) as CriticStep[]).map((step) =>
  defineRole({
    ...criticTypes[step],
    limits: { timeoutMs: 180_000 },
    async run(ctx) {
      const work = workOf(ctx)
      const instruction = receiveInstruction(ctx, work.inTrace)
      const verdict = await judge(ctx, step, instruction, work)
      ctx.note('DECISION', `${step}: ${verdict.decision}`, { ...verdict })
      reply(ctx, [verdict.decision, verdict.feedback].filter((text) => text !== '').join(': '))
      return { data: verdict }
    },
  }),
)

async function judge(
  ctx: RoleContext,
  step: CriticStep,
  asked: ReturnType<typeof receiveInstruction>,
  { text, found, unsupported }: Work,
): Promise<Verdict> {
  const input = { ...asked, ...CRITERIA[step], work: text, found: [...found], unsupported: [...unsupported] }
  const judged = await ctx.ask(reviewJudge, input, { problemWith: lackOf })
  const judgement = judged.by === 'model' ? judged.value : judged.refused
  if (judgement === undefined) throw noReplyError('a decision', judged.reason!)
  const { decision, feedback } = judgement
  return { decision, feedback: feedback?.trim() || (decision === 'reject' ? NO_REASON : '') }
}

const NO_REASON = 'It was rejected without a reason.'

function lackOf({ decision, feedback }: Judgement): string | undefined {
  return decision === 'approve' || feedback?.trim() ? undefined : 'feedback: say what to do differently'
}

interface Work {
  readonly text: string
  /** The work, as text for the trace. */
  readonly inTrace: string
  /** Sections: the research that was approved before, and the calls that the work was made with. */
  readonly found: readonly string[]
  /** Figures of the work that no finding contains. */
  readonly unsupported: readonly string[]
}

/** The plan, a research result, or the expert's answer with its reasoning. */
function workOf(ctx: RoleContext): Work {
  const [made] = ctx.inputs()
  const job = made && ctx.state.jobs.get(made.key)
  if (job === undefined) return { text: 'none', inTrace: '', found: [], unsupported: [] }
  if (job.actor === plannerType.name) {
    const { researchSteps = [], expertSteps = [] } = dataOf(plannerType, job) ?? {}
    const lines = [
      ...researchSteps.map((step, i) => `Research step ${i + 1}: ${step}`),
      ...expertSteps.map((step, i) => `Expert step ${i + 1}: ${step}`),
    ]
    return {
      text: lines.join('\n'),
      inTrace: [...researchSteps, ...expertSteps].join('\n'),
      found: [],
      unsupported: [],
    }
  }
  const research = [...approvedResearch(ctx.state).filter(({ key }) => key !== job.key), job]
  // The work has the ids that its own calls have.
  const { citable, sections, latest } = researchOf(ctx, research)
  const calls = callSections(callsOf(ctx, job), job.result?.sources)
  const found = [...sections.slice(0, -1), ...truncateTogether(calls, MAX_FINDINGS_CHARS)]
  const opinion = job.actor === expertType.name ? dataOf(expertType, job) : undefined
  const answer = opinion?.expertAnswer ?? job.result?.answer ?? ''
  const work = { inTrace: answer, found, unsupported: unsupportedFigures(ctx, answer, research) }
  if (opinion === undefined) return { text: latest, ...work }
  const own = citable.idsOf(job.key)
  const removed = lackLines(job.result ?? {})
  const lines = [
    `Answer: ${citable.texts.get(job.key) ?? answer}`,
    `Reasoning: ${withIds(
      opinion.expertReasoning,
      (job.result?.sources ?? []).map(({ id }) => id),
    )}`,
    ...removed,
    own,
  ]
  return { text: lines.filter(Boolean).join('\n'), ...work }
}

function transcriptsOf({ state: { transcripts } }: RoleContext, { key }: JobState): readonly TranscriptState[] {
  return transcriptKeys(key, transcripts).flatMap((at) => transcripts.get(at) ?? [])
}

function callsOf(ctx: RoleContext, job: JobState): readonly WatchedCall[] {
  return callsIn(transcriptsOf(ctx, job), createSecrets(secretsIn(ctx.request.context)).text)
}

/** Outputs of calls count as sources; for an agent without a model's calls, such as a team, its result. */
function unsupportedFigures(ctx: RoleContext, answer: string, jobs: readonly JobState[]): readonly string[] {
  const found = jobs.flatMap((job) =>
    ctx.state.transcripts.has(job.key)
      ? callsOf(ctx, job).flatMap(({ result, isFailed }) => (isFailed ? [] : [result]))
      : [resultText(job.result ?? {})],
  )
  const evidence = [...found, ctx.request.context].map((value) => ({ value }))
  const figures = checkFigures(answer, ctx.request.question, evidence)
  return [...new Set(figures.flatMap(({ status, text }) => (status === 'not_found' ? [text] : [])))]
}
