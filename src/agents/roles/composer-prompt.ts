import { z } from 'zod'
import { definePrompt } from '../../core/prompt.ts'
import { cutTogether } from '../../core/outside.ts'
import { MOST_FOUND, onOneLine, onOwnLines, QUOTE } from '../../core/prompt-text.ts'
import { withMarks } from '../answers/citing.ts'

const agentSummary = z.object({
  agent: z.string(),
  /** What people call the place where it looked. */
  label: z.string(),
  status: z.string(),
  /** Its part of a question that was split. */
  part: z.string().optional(),
  /** Its [n] are those of the run. */
  answer: z.string(),
  /** What it rests on, with the numbers by which that is cited. */
  sources: z.array(z.object({ n: z.number(), place: z.string() })),
  /** The query, what it computes, and what was assumed. */
  basis: z.array(z.string()),
  /** The error as a clean sentence, without full stop; empty when there is none. */
  error: z.string(),
  /** A person decided against what it was about to do, or nobody decided in time. */
  isRefused: z.boolean().optional(),
  /** It found that the question is not for it; worth saying only when nobody else answered. */
  declined: z.boolean(),
  /** It declined, and is asked whatever the words of the question: the reason of whoever was asked before says more. */
  isLastResort: z.boolean().optional(),
  /** The first rows of its table, one line each. */
  preview: z.array(z.string()),
  /** What was computed is not what was asked, so no model may say so. */
  isOther: z.boolean().optional(),
  /** A person gave it another task while approving a call of it (SPEC R7). */
  isOverridden: z.boolean(),
})

const input = z.object({
  question: z.string(),
  rationale: z.string(),
  summaries: z.array(agentSummary),
  /** The limit that ended the work early. */
  limit: z.string().optional(),
  /** How figures and dates are written. */
  localeRule: z.string(),
  systemPrompt: z.string().optional(),
  /** An answer that an expert gave from the findings, and a critic approved. */
  draft: z.string().optional(),
  /** An answer that was not good enough, and why. */
  earlier: z.object({ answer: z.string(), problem: z.string() }).optional(),
})

export type ComposeInput = z.infer<typeof input>
export type AgentSummary = z.infer<typeof agentSummary>

const RULES = `You are a senior business intelligence agent. You put the findings of specialist agents together into the final answer.
- Answer directly and concisely, in the language of the question; do not explain how the answer was found.
- Use only what the agents found. Never invent a figure, a date or a name, and never change one.
- Say which filters and periods the figures are for, as the queries and assumptions have them.
- Leave out metrics that are missing, but never one that was asked for, also when it is zero. Prefer structured metrics to prose.
- Keep the marks [n] of the findings behind the statements they belong to, and put the mark of its source behind every other
  statement. Use no other numbers in brackets.
- What failed is said below your answer; say nothing of it.
- If nothing was found, say that no data was returned.
- Professional tone, no emojis, no hashtags.
- {{localeRule}}`

/** Composes the final answer, streamed (SPEC P9). */
export const composeAnswer = definePrompt({
  name: 'composer.compose',
  about: {
    purpose: 'Puts what agents found into the final answer, which is streamed and checked sentence by sentence.',
    when: 'an agent found something, unless a document answer is all there is; once more when something in it stands nowhere',
    fallback: 'the answers of the agents stand one below the other',
  },
  wording: RULES,
  data: 'the findings',
  format: 'text',
  input,
  output: z.string().trim().min(1),
  temperature: 0.2,
  maxOutputTokens: 2_000,
  render: (given) => ({
    user: [findings(given), ...(given.earlier === undefined ? [] : [again(given.earlier)])].join('\n\n'),
  }),
  fallback: answerOfAgents,
})

function findings(given: ComposeInput): string {
  return [
    `Plan: ${given.rationale}`,
    given.summaries.length === 0
      ? 'No agent worked on it.'
      : cutTogether(given.summaries.map(summaryLine), MOST_FOUND).join('\n'),
    ...overrideNotice(given.summaries),
    ...(given.limit === undefined ? [] : [`The work ended early: ${given.limit} Say so.`]),
    ...(given.draft === undefined ? [] : [`Approved answer of the expert, to go by:\n${onOwnLines([given.draft])}`]),
    `Question: ${given.question}`,
  ].join('\n\n')
}

function again({ answer, problem }: NonNullable<ComposeInput['earlier']>): string {
  const why = `What is wrong with it:\n${onOwnLines([problem])}`
  return `Your earlier answer:\n${onOwnLines([answer])}\n\n${why}\n\nWrite the whole answer again, from the findings alone.`
}

/** The form of SPEC P9, with what it rests on and the first rows of the table below. */
function summaryLine({ agent, status, answer, error, sources, basis, preview }: AgentSummary): string {
  const said = error === '' ? answer : `${onOneLine(answer)} Error: ${onOneLine(error)}`
  const head = `Agent: ${onOneLine(agent)} | status: ${onOneLine(status)}. Answer: ${said}`
  const places = sources.map(({ n, place }) => `Source [${n}]: ${place}`)
  return [head, ...places, ...basis.map((line) => QUOTE + line), ...preview.map((row) => QUOTE + row)].join('\n')
}

/** The findings then do not fit the question, and must not be held back for that. */
function overrideNotice(summaries: readonly AgentSummary[]): string[] {
  const agents = summaries.filter(({ isOverridden }) => isOverridden).map(({ agent }) => agent)
  if (agents.length === 0) return []
  return [
    `The user changed the task of ${agents.join(', ')} during approval. Present what it actually returned, even if it differs from the question.`,
  ]
}

/** The answer without a model: what the agents said themselves. What failed is said by `failuresOf`. */
export function answerOfAgents({ summaries, limit }: ComposeInput): string {
  const answers = [...new Set(ownAnswers(summaries))]
  return [
    ...(answers.length === 0 ? ['No data was returned.'] : answers),
    ...(limit === undefined ? [] : [limitSentence(limit)]),
  ].join('\n\n')
}

/** What each of the agents said that had something to say. */
export function ownAnswers(summaries: readonly AgentSummary[]): string[] {
  // One source that stands below the answer needs no mark.
  const isCited = new Set(summaries.flatMap(({ sources }) => sources.map(({ n }) => n))).size > 1
  return summaries.flatMap((summary) => (isAnswer(summary) ? [ownAnswer(summary, isCited)] : []))
}

export function isAnswer({ status, answer }: AgentSummary): boolean {
  return status === 'succeeded' && answer !== ''
}

export function ownAnswer({ label, answer, sources, isOverridden }: AgentSummary, isCited: boolean): string {
  const numbers = sources.map(({ n }) => n)
  const changed = isOverridden ? `(What was asked of ${label} was changed during approval.) ` : ''
  return changed + (isCited ? withMarks(answer, numbers) : answer)
}

/**
 * What failed, each reason once, for people. When others answered, what was found to be nobody's business is not missed; when
 * nobody did, all that was tried is told in one paragraph.
 */
export function failuresOf(summaries: readonly AgentSummary[]): string[] {
  const isAnswered = summaries.some(({ status }) => status === 'succeeded')
  // The same part may have been tried again, with what others found in the meantime.
  const isDone = ({ agent, part }: AgentSummary): boolean =>
    summaries.some((one) => one.status === 'succeeded' && one.agent === agent && one.part === part)
  const isMissed = (one: AgentSummary): boolean =>
    one.status !== 'succeeded' && !(one.declined && isAnswered) && !isDone(one)
  const reasons = new Map<string, AgentSummary[]>()
  for (const summary of mostTelling(summaries.filter(isMissed))) {
    const why = summary.error === '' ? 'nobody was asked' : summary.error
    reasons.set(why, [...(reasons.get(why) ?? []), summary])
  }
  if (isAnswered) return [...reasons].flatMap(([why, those]) => missedOf(those, why))
  const [only] = reasons
  if (only === undefined) return []
  const [why, those] = only
  if (reasons.size === 1) return [those.every(isRefused) ? refusedFor(why) : `This could not be answered: ${why}.`]
  const tried = [...reasons].map(([why, those]) => `${capital(subjectOf(those))}: ${why}.`)
  return [['This could not be answered.', ...tried].join(' ')]
}

/**
 * Each part once, with the first reason of those that tried it; where there are no parts, a last resort only if nobody before
 * it told why.
 */
function mostTelling(failed: readonly AgentSummary[]): readonly AgentSummary[] {
  const isTried = ({ status }: AgentSummary): boolean => status !== 'skipped'
  return failed.filter((one, place) => {
    const others = failed.filter((other) => other.part === one.part)
    if (one.part !== undefined) return one === (others.find(isTried) ?? others[0])
    // What was left out for what failed before it has no reason of its own.
    if (!isTried(one) && others.some(isTried)) return false
    return one.isLastResort !== true || !others.some((other) => isTried(other) && failed.indexOf(other) < place)
  })
}

const isRefused = (one: AgentSummary): boolean => one.isRefused === true

/** Who decided says so themselves. */
function refusedFor(why: string): string {
  return `Not done: ${why}.`
}

/** The parts of a question that nobody answered are named; without parts, those who did not. */
function missedOf(summaries: readonly AgentSummary[], why: string): string[] {
  const isDecided = summaries.every(isRefused)
  const parts = summaries.filter(({ part }) => part !== undefined)
  const others = summaries.filter(({ part }) => part === undefined)
  return [
    ...(parts.length === 0 ? [] : [`Not ${isDecided ? 'done' : 'answered'}: ${subjectOf(parts)}: ${why}.`]),
    ...(others.length === 0
      ? []
      : [isDecided ? refusedFor(why) : `${capital(subjectOf(others))} gave no answer: ${why}.`]),
  ]
}

/** The part of the question that is missed, or else where it was looked for. */
function subjectOf(summaries: readonly AgentSummary[]): string {
  const names = summaries.map(({ part, label }) => (part === undefined ? label : `“${part.replace(/[\s.?!]+$/, '')}”`))
  return [...new Set(names)].join(' and ')
}

export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** Said in the answer of a run that reached its limit. */
export function limitSentence(limit: string): string {
  return `${limit} The answer uses what there was.`
}
