import { withMarks } from './citing.ts'

/** What is known of each agent's work without a model. */
export interface AgentSummary {
  readonly agent: string
  /** What people call the place where it looked. */
  readonly label: string
  readonly status: string
  /** Its part of a question that was split. */
  readonly part?: string
  /** Its [n] are those of the run. */
  readonly answer: string
  /** The numbers by which its sources are cited. */
  readonly numbers: readonly number[]
  /** The error as a clean sentence, without full stop; empty when there is none. */
  readonly error: string
  /** A person decided against what it was about to do, or nobody decided in time. */
  readonly isRefused?: boolean
  /** It found that the question is not for it; worth saying only when nobody else answered. */
  readonly declined: boolean
  /** It declined, and is asked whatever the words of the question: the reason of whoever was asked before says more. */
  readonly isLastResort?: boolean
  /** The first rows of its table, one line each. */
  readonly preview: readonly string[]
  /** A person gave it another task while approving a call of it (SPEC R7). */
  readonly isOverridden: boolean
}

export interface Findings {
  readonly summaries: readonly AgentSummary[]
  /** The limit that ended the work early. */
  readonly limit?: string
}

/** The answer without a model: what the agents said themselves. What failed is said by `failuresOf`. */
export function answerOfAgents({ summaries, limit }: Findings): string {
  const answers = [...new Set(ownAnswers(summaries))]
  return [
    ...(answers.length === 0 ? ['No data was returned.'] : answers),
    ...(limit === undefined ? [] : [limitSentence(limit)]),
  ].join('\n\n')
}

/** What each of the agents said that had something to say. */
export function ownAnswers(summaries: readonly AgentSummary[]): string[] {
  // One source that stands below the answer needs no mark.
  const isCited = new Set(summaries.flatMap(({ numbers }) => numbers)).size > 1
  return summaries.flatMap((summary) => (isAnswer(summary) ? [ownAnswer(summary, isCited)] : []))
}

export function isAnswer({ status, answer }: AgentSummary): boolean {
  return status === 'succeeded' && answer !== ''
}

function ownAnswer({ label, answer, numbers, isOverridden }: AgentSummary, isCited: boolean): string {
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
