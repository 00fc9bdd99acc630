import type { RoleContext } from '../../../core/actor.ts'
import type { Citation } from '../../../core/citation.ts'
import { isOfApproval } from '../../../core/errors.ts'
import { given } from '../../../core/given.ts'
import { agentResultsOf, type AgentResult } from '../../../core/response.ts'
import { isStatement } from '../../../language/introduction.ts'
import { unlooked } from '../../team-words.ts'
import { notWorkedOut } from '../../tool-agent/left-open.ts'
import { numberSources, resolveMarks, withMarks } from './citing.ts'
import { composeAnswer } from '../composer-prompt.ts'
import { profileFacts } from '../profile-facts.ts'
import { acknowledged } from './acknowledged.ts'
import { answerOfAgents, failuresOf, isAnswer, type Findings } from './answer-of-agents.ts'
import { inTheirLanguage } from './in-their-language.ts'
import { leftToWording, saidOfLeft } from './left-to-wording.ts'
import { notAnswered } from './not-answered.ts'
import { recalled } from './recall.ts'
import { remarksOn, understoodAs } from './remarks.ts'
import { summariesOf, tellsOwnWork } from './summaries.ts'

/** Of a filter that applied: it tells nothing of what it filters. */
const REMARK = /^\((?:Only where|Assumed:)/

export interface Composed {
  readonly answer: string
  readonly by: 'model' | 'fallback'
  readonly reason?: string
  readonly isAnswered: boolean
  readonly citations: readonly Citation[]
  readonly unanswered: readonly string[]
}

interface Text extends Pick<Composed, 'by' | 'reason' | 'isAnswered'> {
  readonly text: string
}

/**
 * The answer without a model: what the agents said, and what was not answered and why.
 * @param stopped why the work was ended before its time: the last paragraph
 */
export async function composeByRules(
  ctx: RoleContext,
  results: readonly AgentResult[],
  stopped: string | undefined,
): Promise<Composed> {
  const { request, state } = ctx
  const reason = await reasonOf(ctx)
  const numbered = numberSources(results)
  const findings: Findings = {
    summaries: summariesOf(ctx, results, numbered),
    ...given({ limit: state.exhausted?.message }),
  }
  const { summaries } = findings
  const isFound = summaries.some(({ status }) => status === 'succeeded')
  const isRefused = results.some(({ error }) => isOfApproval(error))
  const { text: composed, ...how }: Text =
    report(ctx, results, findings) ??
    (isFound ? ownWords(findings, reason) : undefined) ??
    // Nothing that was said before is an answer where a call was not made.
    (isRefused
      ? notAnswered(ctx, findings, stopped)
      : (recall(ctx, reason) ??
        (isStatement(request.question) ? acknowledged(ctx) : notAnswered(ctx, findings, stopped))))
  const left = isFound && how.by === 'fallback' ? leftToWording(state, results) : []
  const counts = saidOfLeft(left, results)
  const open = left.filter((text) => !counts.some(({ part }) => part === text))
  // Whoever asked a team for a part of a question says it of that part.
  const isAsked = request.team !== undefined && state.parent === undefined && isFound
  const unread = isAsked ? unlooked(request.team, request.question) : { remarks: [], parts: [] }
  const around = [
    ...understoodAs(state),
    ...counts.map(({ said, task }) => withMarks(said, numbered.numbers.get(task) ?? [])),
    ...(open.length === 0 ? [] : [notWorkedOut(open, how.reason)]),
    // Members for whom others waited have said something, too.
    ...remarksOn(ctx, request.team === undefined ? results : agentResultsOf(state)),
    ...unread.remarks,
    ...(isFound ? failuresOf(summaries) : []),
    ...(stopped === undefined ? [] : [stopped]),
  ]
  const say = await inTheirLanguage(request.question)
  const own = composed.split('\n\n').map((text) => (how.isAnswered && !REMARK.test(text) ? text : say(text)))
  const paragraphs = [...(composed === '' ? [] : own), ...around.map(say)]
  const { answer, cited, removed } = resolveMarks(paragraphs.join('\n\n'), numbered.citations)
  if (removed.length > 0) ctx.note('DECISION', 'Citations that stand for no source were taken out', { removed })
  return { answer, ...how, citations: cited, unanswered: [...open, ...unread.parts] }
}

function ownWords(findings: Findings, reason: string | undefined): Text {
  const isAnswered = findings.summaries.some(isAnswer)
  return { text: answerOfAgents(findings).trim(), by: 'fallback', isAnswered, ...given({ reason }) }
}

/** Why there is no model, by the call that the journal has of it. */
async function reasonOf({ ask, request: { question } }: RoleContext): Promise<string | undefined> {
  const input = { question, context: [], results: [], unusable: [], localeRule: '' }
  return (await ask(composeAnswer, input, { fallback: () => '' })).reason
}

/** What rules read off profile and conversation, where no agent found anything. */
function recall({ request: { question }, recollection }: RoleContext, reason: string | undefined): Text | undefined {
  const before = recollection.recent.findLast(({ role }) => role === 'assistant')?.text
  const text = recalled(question, profileFacts(recollection.profile), before)
  return text === undefined ? undefined : { text, by: 'fallback', isAnswered: true, ...given({ reason }) }
}

/** What the writer of a team has written, or one tells of its own work: nobody writes it anew. */
function report(ctx: RoleContext, results: readonly AgentResult[], findings: Findings): Text | undefined {
  const [only, ...others] = results
  if (only === undefined || others.length > 0 || only.status !== 'succeeded') return undefined
  const member = ctx.request.team?.agents.find(({ name }) => name === only.task)
  if (member?.tools.length !== 0 && !tellsOwnWork(ctx, only)) return undefined
  return { text: answerOfAgents(findings), by: 'fallback', isAnswered: true }
}
