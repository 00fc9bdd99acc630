import { z } from 'zod'
import { defineRole, type Role, type RoleContext } from '../../domain/actor.ts'
import { usedModel } from '../../domain/answer-status.ts'
import { TuttiError } from '../../domain/errors.ts'
import { NO_SOURCE } from '../../domain/answer.ts'
import type { EventBody } from '../../domain/events.ts'
import { omitUndefined } from '../../shared/json.ts'
import { localeProfile } from '../../shared/locale.ts'
import { agentResultsOf, type AgentResult } from '../../domain/agent-results.ts'
import { statusText, type Outcome } from '../../domain/result.ts'
import type { Table } from '../../domain/table.ts'
import { lastOf } from '../../domain/team.ts'
import { ASSISTANT } from '../direct/types.ts'
import { numberCitations, numberedSoFar, type CitedText } from '../../grounding/citations.ts'
import { answerTable, unknownRemarks } from '../../tool-loop/outcome.ts'
import { runSections } from './run-sections.ts'
import { citableResults, type CitableResults } from './citable-results.ts'
import { composeAnswer, type ComposeInput, emptyAnswer, splitOpenParts } from './composer-prompt.ts'

/** The strategy's input: why the work was stopped early, and the latest thought on the plan. */
const composing = z.object({ stopped: z.string().optional(), rationale: z.string().optional() })

export type Composed = Omit<Extract<EventBody, { type: 'answer.composed' }>, 'type' | 'key'>

export interface Composing extends z.infer<typeof composing> {
  /** How a review reached its answer. */
  readonly reasoningTrace?: string
}

/** Writes the answer from the results of the agents by one model call; a single successful one is passed on. */
export const composerRole: Role = defineRole({
  name: 'composer',
  limits: { timeoutMs: 180_000 },
  run: (ctx) => composeRun(ctx, composeByModel),
})

type Compose = (ctx: RoleContext, results: readonly AgentResult[], about: Composing) => Promise<Composed>

/** Composes the answer of the run from the results of its plan. @throws errors of `compose` */
export async function composeRun(ctx: RoleContext, compose: Compose): Promise<Outcome> {
  const { stopped, rationale } = composing.safeParse(ctx.input).data ?? {}
  // The assistant that handed the question over is no part of the work.
  const results = agentResultsOf(ctx.state).filter(({ agent }) => agent !== ASSISTANT)
  return { answer: await answerFrom(ctx, teamResults(ctx, results), omitUndefined({ stopped, rationale }), compose) }
}

/** Composes the answer of the run from these results, and returns its text. */
export async function answerFrom(
  ctx: RoleContext,
  results: readonly AgentResult[],
  about: Composing,
  compose: Compose,
): Promise<string> {
  const { confidence } = ctx.state.plan ?? {}
  const composed = await compose(ctx, results, about)
  ctx.emit({
    type: 'answer.composed',
    ...composed,
    ...omitUndefined({ confidence, reasoningTrace: about.reasoningTrace }),
  })
  return composed.answer
}

/** @throws TuttiError `ModelUnavailable` */
async function composeByModel(ctx: RoleContext, results: readonly AgentResult[], about: Composing): Promise<Composed> {
  const { stopped } = about
  const citable = citableResults(results)
  const notes = [...notesOn(ctx, results), ...(stopped === undefined ? [] : [stopped])]
  const only = stopped === undefined ? singleAnswer(ctx, results) : undefined
  if (only !== undefined) {
    const by = usedModel(only) ? 'model' : 'fallback'
    return { by, isAnswered: true, ...answered(ctx, citable.texts.get(only.task)!, citable, results, notes) }
  }
  const reply = await ctx.ask(composeAnswer, inputFor(ctx, results, citable, about), {
    problemWith: (written) => emptyAnswer(splitOpenParts(written).text),
    streamAnswer: (soFar) => numberedSoFar(splitOpenParts(soFar).text, citable.sources),
  })
  const { by, reason } = reply
  const { text, unanswered, tagged = '' } = splitOpenParts(by === 'model' ? reply.value : (reply.refused ?? ''))
  const written = text || answersInOrder(results, citable) || tagged
  if (written === '') throw new TuttiError('ModelUnavailable', `The model did not write the answer: ${reason}.`)
  const impossible = ctx.state.plan?.notPossible ?? []
  const composed = answered(ctx, written, citable, results, notes)
  const isDone = results.some(({ status }) => status === 'succeeded')
  const isOpen = impossible.length > 0 || (unanswered ?? []).length > 0
  const hasFindings = !isOpen || composed.citations !== undefined || (impossible.length > 0 && isDone)
  return {
    by,
    // If no agent was needed, nothing had to be found.
    isAnswered: hasFindings && ((results.length === 0 && stopped === undefined) || isDone),
    ...composed,
    ...omitUndefined({ unanswered, reason }),
  }
}

/** The text with numbered citations, its table, and its notes. */
export function answered(
  ctx: RoleContext,
  text: string,
  citable: CitableResults,
  results: readonly AgentResult[],
  others: readonly string[],
): Pick<Composed, 'answer' | 'citations' | 'data' | 'notes'> {
  const written = numberCitations(text, citable.sources)
  const { text: answer, cited, unknown } = written
  const notes = [...others, ...unknownRemarks({ unknown })]
  const citations = cited.map((source, i) => ({ n: i + 1, source, agent: citable.agentOf(source)!.agent }))
  return {
    answer,
    ...(citations.length === 0 ? {} : { citations }),
    ...(notes.length === 0 ? {} : { notes }),
    ...omitUndefined({ data: tableOfAnswer(ctx, written, results) }),
  }
}

/** The table that an answer from these results is about. */
export function tableOfAnswer(
  { tableOf }: Pick<RoleContext, 'tableOf'>,
  answer: CitedText,
  results: readonly AgentResult[],
): Table | undefined {
  const last = results.findLast(({ status, tabular }) => status === 'succeeded' && tabular !== undefined)
  return answerTable(answer, tableOf, last?.tabular)
}

/** The result of the only task, if an agent answered it as planned. */
function singleAnswer({ state }: RoleContext, results: readonly AgentResult[]): AgentResult | undefined {
  const [only, ...others] = results
  if (only?.status !== 'succeeded' || others.length > 0 || state.exhausted !== undefined) return undefined
  if ((state.plan?.notPossible ?? []).length > 0) return undefined
  return only.answer?.trim() && only.effectiveTask === undefined ? only : undefined
}

function inputFor(
  ctx: RoleContext,
  results: readonly AgentResult[],
  { textOf }: CitableResults,
  { stopped, rationale: latest }: Composing,
): ComposeInput {
  const { request, state } = ctx
  const question = state.plan?.understood?.question ?? request.question
  const taskOf = ({ task }: AgentResult): string =>
    state.plan?.plan.tasks.find(({ id }) => id === task)?.text ?? state.jobs.get(task)?.task?.text ?? question
  const overridden = results.filter(({ effectiveTask }) => effectiveTask?.intent === 'override').map(taskOf)
  const rationale = (latest ?? state.plan?.rationale)?.trim()
  return {
    about: runSections(ctx),
    ...(rationale ? { rationale } : {}),
    results: results.map((result) => {
      const { agent, status, task, error } = result
      const text = status === 'succeeded' || error !== undefined ? textOf(task, result) : 'Not begun.'
      return { agent, status: statusText(result), task: taskOf(result), text }
    }),
    ...(overridden.length === 0 ? {} : { overridden }),
    localeRule: localeProfile(request.locale).rule,
    ...omitUndefined({ limit: state.exhausted?.message ?? stopped, systemPrompt: request.systemPrompt }),
  }
}

/** The agents' answers in order, if no model writes an answer. */
export function answersInOrder(results: readonly AgentResult[], { texts }: CitableResults): string {
  const answers = results.flatMap(({ task, status }) => (status === 'succeeded' ? (texts.get(task) ?? []) : []))
  return [...new Set(answers)].join('\n\n')
}

/**
 * Notes shown beside the answer: missing sources, sources that cannot be used, remarks, and tasks changed during
 * approval.
 */
export function notesOn({ agents }: RoleContext, results: readonly AgentResult[]): string[] {
  const hasSources = results.some(({ status }) => status === 'succeeded')
  const overridden = results.filter(({ effectiveTask }) => effectiveTask?.intent === 'override')
  return [
    ...new Set([
      ...(hasSources ? [] : [NO_SOURCE]),
      ...agents.flatMap(({ lacking }) => lacking ?? []),
      ...results.flatMap(({ remarks = [] }) => remarks),
      ...overridden.map(({ agent }) => `The task of “${agent}” was changed during approval.`),
    ]),
  ]
}

/** For a team: the results of its last members, and failures. Results of the other members were only input. */
function teamResults({ request: { team } }: RoleContext, results: readonly AgentResult[]): readonly AgentResult[] {
  if (team === undefined) return results
  const last = lastOf(team)
  const isKept = (isOfUse: (task: string) => boolean) =>
    results.filter(({ task, status }) => isOfUse(task) || status !== 'succeeded')
  const kept = isKept((task) => last.includes(task))
  if (kept.some(({ status }) => status === 'succeeded')) return kept
  // Members that only gather input have nothing to report if no member used it. A supervisor may have planned
  // otherwise.
  const gathering = new Set(team.agents.filter(({ after }) => after.length === 0).map(({ name }) => name))
  return isKept((task) => !gathering.has(task) || last.includes(task))
}
