import { z } from 'zod'
import { defineRole, type Role, type RoleContext } from '../../core/actor.ts'
import { isOfModel } from '../../core/answer-format.ts'
import { TuttiError } from '../../core/errors.ts'
import type { EventBody } from '../../core/events.ts'
import { given } from '../../core/given.ts'
import { localeProfile } from '../../core/locale.ts'
import { agentResultsOf, type AgentResult } from '../../core/response.ts'
import type { Outcome } from '../../core/result.ts'
import type { Table } from '../../core/table.ts'
import { lastOf } from '../../core/team.ts'
import { numberCitations, numberedSoFar, type CitedText } from '../../grounding/citations.ts'
import { resultText } from '../../tool-loop/messages.ts'
import { unknownRemarks } from '../../tool-loop/outcome.ts'
import { contextLines } from '../context-lines.ts'
import { citableResults, type CitableResults } from './citable-results.ts'
import { composeAnswer, NOT_ANSWERED, type ComposeInput } from './composer-prompt.ts'
import { hasModel } from './has-model.ts'
import { composeByRules } from './offline/compose.ts'
import { splitEnd } from './tagged-end.ts'
import { unusableAgents } from './usable-agents.ts'

/** What a strategy tells it: why the work was ended before its time. */
const composing = z.object({ stopped: z.string().optional() })

type Composed = Omit<Extract<EventBody, { type: 'answer.composed' }>, 'type' | 'key'>

export interface Composing {
  /** Why the work was ended before its time. */
  readonly stopped?: string
  /** How a review came to its answer. */
  readonly reasoningTrace?: string
}

/** Writes the answer from the results of the agents by one model call (SPEC P9); a single successful one is passed on. */
export const composerRole: Role = defineRole({
  name: 'composer',
  limits: { timeoutMs: 180_000 },
  async run(ctx): Promise<Outcome> {
    const { stopped } = composing.safeParse(ctx.input).data ?? {}
    return { answer: await answerFrom(ctx, ofTeam(ctx, agentResultsOf(ctx.state)), given({ stopped })) }
  },
})

/** Composes the answer of the run from these results, and gives its text. @throws TuttiError `ModelUnavailable` */
export async function answerFrom(
  ctx: RoleContext,
  results: readonly AgentResult[],
  about: Composing = {},
): Promise<string> {
  const { confidence } = ctx.state.plan ?? {}
  const compose = (await hasModel(ctx)) ? composeByModel : composeOffline
  const composed = await compose(ctx, results, about)
  ctx.emit({ type: 'answer.composed', ...composed, ...given({ confidence, reasoningTrace: about.reasoningTrace }) })
  return composed.answer
}

async function composeOffline(
  ctx: RoleContext,
  results: readonly AgentResult[],
  { stopped }: Composing,
): Promise<Composed> {
  const { citations, unanswered, ...composed } = await composeByRules(ctx, results, stopped)
  const data = results.find(({ status, tabular }) => status === 'succeeded' && tabular !== undefined)?.tabular
  return {
    ...composed,
    ...given({ data }),
    ...(citations.length === 0 ? {} : { citations }),
    ...(unanswered.length === 0 ? {} : { unanswered }),
  }
}

async function composeByModel(
  ctx: RoleContext,
  results: readonly AgentResult[],
  { stopped }: Composing,
): Promise<Composed> {
  const citable = citableResults(results)
  const notes = [...notesOn(ctx, results), ...(stopped === undefined ? [] : [stopped])]
  const only = stopped === undefined ? singleAnswer(ctx, results) : undefined
  if (only !== undefined) {
    const by = isOfModel(only) ? 'model' : 'fallback'
    return { by, isAnswered: true, ...answered(citable.texts.get(only.task)!, citable, results, notes) }
  }
  const { value, by, reason } = await ctx.ask(composeAnswer, inputFor(ctx, results, citable, stopped), {
    streamAnswer: (soFar) => numberedSoFar(splitEnd(soFar, NOT_ANSWERED).text, citable.sources),
    fallback: () => answersInOrder(results, citable),
  })
  if (value === '') throw new TuttiError('ModelUnavailable', `The model did not write the answer: ${reason}.`)
  const { text, end } = splitEnd(value, NOT_ANSWERED)
  const unanswered = end?.split('\n').map((part) => part.trim().replace(/^- /, '')) ?? []
  const composed = answered(text || end!, citable, results, notes)
  const hasFindings = unanswered.length === 0 || composed.citations !== undefined
  return {
    by,
    // Where no agent was to be asked, nothing had to be found.
    isAnswered:
      hasFindings &&
      ((results.length === 0 && stopped === undefined) || results.some(({ status }) => status === 'succeeded')),
    ...composed,
    ...(unanswered.length === 0 ? {} : { unanswered }),
    ...given({ reason }),
  }
}

/** The text with its citations numbered, the table that it is about, and what is to be noted beside it. */
function answered(
  text: string,
  citable: CitableResults,
  results: readonly AgentResult[],
  others: readonly string[],
): Pick<Composed, 'answer' | 'citations' | 'data' | 'notes'> {
  const { text: answer, cited, unknown } = numberCitations(text, citable.sources)
  const notes = [...others, ...unknownRemarks({ unknown })]
  const citations = cited.map((source, i) => ({ n: i + 1, source, agent: citable.agentOf(source)!.agent }))
  return {
    answer,
    ...(citations.length === 0 ? {} : { citations }),
    ...(notes.length === 0 ? {} : { notes }),
    ...given({ data: tableOf({ cited, unknown }, citable, results) }),
  }
}

/** The table of the first cited result that has one, else the last table, unless something unknown was cited. */
export function tableOf(
  { cited, unknown }: Pick<CitedText, 'cited' | 'unknown'>,
  { agentOf }: CitableResults,
  results: readonly AgentResult[],
): Table | undefined {
  const tables = results.filter(({ status, tabular }) => status === 'succeeded' && tabular !== undefined)
  const first = cited.flatMap((source) => tables.find((result) => agentOf(source) === result) ?? [])[0]
  return (first ?? (unknown.length > 0 ? undefined : tables.at(-1)))?.tabular
}

/** The only task, which an agent has answered as it was planned. */
function singleAnswer({ state }: RoleContext, results: readonly AgentResult[]): AgentResult | undefined {
  const [only, ...others] = results
  if (only?.status !== 'succeeded' || others.length > 0 || state.exhausted !== undefined) return undefined
  return only.answer?.trim() && only.effectiveTask === undefined ? only : undefined
}

function inputFor(
  ctx: RoleContext,
  results: readonly AgentResult[],
  { texts, idsOf }: CitableResults,
  stopped: string | undefined,
): ComposeInput {
  const { request, state } = ctx
  const question = state.plan?.understood?.question ?? request.question
  const taskOf = ({ task }: AgentResult): string =>
    state.plan?.plan.tasks.find(({ id }) => id === task)?.text ?? state.jobs.get(task)?.task?.text ?? question
  const overridden = results.filter(({ effectiveTask }) => effectiveTask?.intent === 'override').map(taskOf)
  const rationale = state.plan?.rationale.trim()
  return {
    question,
    context: contextLines(request.context),
    ...(rationale ? { rationale } : {}),
    results: results.map((result) => {
      const { agent, status, task, answer, tabular, data, error, unanswered = [] } = result
      const parts = [
        status === 'succeeded' || error !== undefined
          ? resultText(given({ answer: texts.get(task) ?? answer, tabular, data, error }))
          : 'Not begun.',
        idsOf(result),
        ...unanswered.map((part) => `Not answered: ${part}`),
      ]
      return { agent, status, task: taskOf(result), text: parts.filter(Boolean).join('\n') }
    }),
    unusable: results.length === 0 ? [...unusableAgents(ctx)] : [],
    ...(overridden.length === 0 ? {} : { overridden }),
    localeRule: localeProfile(request.locale).rule,
    ...given({ limit: state.exhausted?.message ?? stopped, systemPrompt: request.systemPrompt }),
  }
}

/** Where the model fails, the agents' answers in their order. */
function answersInOrder(results: readonly AgentResult[], { texts }: CitableResults): string {
  const answers = results.flatMap(({ task, status }) => (status === 'succeeded' ? (texts.get(task) ?? []) : []))
  return [...new Set(answers)].join('\n\n')
}

/** What is said beside the answer: what it does not rest on, and what could not be asked. */
function notesOn({ agents }: RoleContext, results: readonly AgentResult[]): string[] {
  const hasSources = results.some(({ status }) => status === 'succeeded')
  const used = agents.filter(({ name }) => results.some(({ agent }) => agent === name))
  const overridden = results.filter(({ effectiveTask }) => effectiveTask?.intent === 'override')
  return [
    ...new Set([
      ...(hasSources ? [] : ['No source was used for this answer.']),
      ...used.flatMap(({ lacking }) => lacking ?? []),
      ...results.flatMap(({ remarks = [] }) => remarks),
      ...overridden.map(({ agent }) => `What was asked of “${agent}” was changed during approval.`),
    ]),
  ]
}

/** Of a team the results of those for whom nobody waits, and what failed; the others were there for them. */
function ofTeam({ request: { team } }: RoleContext, results: readonly AgentResult[]): readonly AgentResult[] {
  if (team === undefined) return results
  const last = lastOf(team)
  const isKept = (isOfUse: (task: string) => boolean) =>
    results.filter(({ task, status }) => isOfUse(task) || status !== 'succeeded')
  const kept = isKept((task) => last.includes(task))
  if (kept.some(({ status }) => status === 'succeeded')) return kept
  // Whoever only gathered has nothing to say where nobody worked on it. A supervisor may have planned otherwise.
  const gathering = new Set(team.agents.filter(({ after }) => after.length === 0).map(({ name }) => name))
  return isKept((task) => !gathering.has(task) || last.includes(task))
}
