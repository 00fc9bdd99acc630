import type { Agent } from '../../../core/actor.ts'
import { missingContext } from './candidates.ts'
import { evidenceFor, type Evidence, type Match } from './evidence.ts'
import { ownersNamed } from './named.ts'
import { isArithmetic } from './references.ts'

/** Below this a clause says nothing that an agent could be chosen by. */
const ENOUGH = 0.4
/** What an agent that works on results, or that acts, needs: it is nobody's guess. */
const ENOUGH_TO_WORK = 1
/** Less than one word that really points at another agent. */
const PREFERENCE = 0.9
/** Put off, not ruled out: better one that says what it lacks than one that has no idea of it. */
const UNABLE = 0.5

/** More than any words can say for others. */
const TAKEN = 100

/** The agents that there are for a plan, as the request and the set-up leave them. */
export interface Team {
  readonly agents: readonly Agent[]
  readonly preferred: readonly string[]
  readonly context: Readonly<Record<string, unknown>>
  /** Files came with the question. */
  readonly hasFiles?: boolean
  /** All that the request allows, also those that are not asked again; `agents` when absent. */
  readonly known?: readonly Agent[]
}

export interface Candidate extends Evidence {
  readonly agent: Agent
  /** Evidence, corrected by the caller's preferences and by whether it can work at all. */
  readonly rating: number
}

/** Whether it brings things of its own to an answer: neither works on others' results nor does anything else alone. */
export function isSource({ planning }: Agent): boolean {
  return planning?.worksOnResults !== true && planning?.acts !== true
}

export function isAble(agent: Agent, context: Team['context']): boolean {
  return agent.unavailable === undefined && missingContext(agent, context).length === 0
}

/** Agents for which a clause speaks, best first; of a clause that names a tool exactly, those that have it alone. */
export function candidatesFor(
  clause: string,
  team: Team,
  isEligible: (agent: Agent) => boolean = () => true,
): Candidate[] {
  const owners = ownersNamed(clause, team)?.agents
  const eligible = team.agents.filter((agent) => isEligible(agent) && (owners?.includes(agent) ?? true))
  const all = eligible.map((agent) => rated(agent, clause, team))
  if (owners !== undefined) return all.sort(byRating)
  const able = all.filter(({ agent }) => isAble(agent, team.context))
  return all
    .filter((one) => able.includes(one) || !able.some((other) => sharesWord(one, other)))
    .filter(({ agent, score, rating }) => {
      const isEnough = isSource(agent) || (agent.planning?.worksOnResults === true && isArithmetic(clause))
      const needed = isEnough ? ENOUGH : ENOUGH_TO_WORK
      return rating > 0 && (score >= needed || isWanted(agent, team))
    })
    .sort(byRating)
}

function byRating(a: Candidate, b: Candidate): number {
  return b.rating - a.rating || rankOf(a.agent) - rankOf(b.agent)
}

/** Whether the same word of a question speaks for both: one that cannot work then leaves it to the other. */
function sharesWord(one: Candidate, other: Candidate): boolean {
  return strongPairs(one.matches, other.matches).some(([a, b]) => a.start < b.end && b.start < a.end)
}

function rated(agent: Agent, clause: string, team: Team): Candidate {
  const evidence = evidenceFor(agent, clause)
  const taken = agent.planning?.takes !== undefined && evidence.strong > 0 ? TAKEN : 0
  const rating =
    taken + evidence.score + (isWanted(agent, team) ? PREFERENCE : 0) - (isAble(agent, team.context) ? 0 : UNABLE)
  return { agent, ...evidence, rating }
}

/** Whoever acts is not wanted for anything by a preference alone. */
function isWanted(agent: Agent, { preferred }: Team): boolean {
  return agent.planning?.acts !== true && preferred.includes(agent.name)
}

/** Whether an agent that works on results has nothing to do with a question: “what is” alone is no calculation. */
export function isIdle(agent: Agent, question: string, team: Team): boolean {
  return agent.planning?.worksOnResults === true && candidatesFor(question, team, (one) => one === agent).length === 0
}

/**
 * Who is asked when a clause says nothing by which to choose: the default agent, or where it cannot work another source
 * that can. Never one that ranks below it: nobody's own question is searched for on the web by a guess.
 */
export function defaultAgent({ agents, context }: Team): Agent | undefined {
  const sources = agents.filter(isSource)
  const usual = sources.find((agent) => agent.planning?.isDefault === true)
  const able = sources.filter((agent) => isAble(agent, context) && rankOf(agent) <= (usual?.planning?.rank ?? Infinity))
  const [first] = [...able].sort((a, b) => rankOf(a) - rankOf(b))
  return able.find((agent) => agent === usual) ?? first ?? usual ?? sources[0]
}

function rankOf(agent: Agent): number {
  return agent.planning?.rank ?? 100
}

/** Words that name two places at once: “my docs and the web”. */
const BETWEEN = /^\W*(?:and|or|as well as|plus|&|,)\W*(?:(?:the|my|our|your|on|in|from|also|through|across|at)\W+)*$/i
/** What stands before a place where something is looked for, and not before a thing that is looked for. */
const PLACE =
  /\b(?:in|on|from|through|across|at|both|search|check|via|using|consult|browse)\s+(?:(?:the|my|our|your)\s+)?$/i
const AFTER_PLACE =
  /^(?:\s+(?:files?|folders?|pages?|documents?|tables?|database|base|agent))?\s*(?:$|[.,;?!]|(?:for|about|on|to|and|which|what|how|whether|that)\b)/i
const ARTICLE = /(?:\b(?:the|my|our|your|on|in|from|through|across|at|both)\s+)+$/i

/**
 * Two sources that a clause names side by side, each with the clause as it would be asked of it alone: “search my docs
 * and the web for prices” is “search my docs for prices” and “search the web for prices”.
 */
export function sideBySide(clause: string, [first, ...others]: readonly Candidate[]): [Agent, string][] | undefined {
  if (first === undefined || !isSource(first.agent)) return undefined
  for (const other of others.filter(({ agent }) => isSource(agent))) {
    for (const [a, b] of strongPairs(first.matches, other.matches)) {
      const [left, right] = a.start < b.start ? [a, b] : [b, a]
      if (!BETWEEN.test(clause.slice(left.end, right.start)) || !PLACE.test(clause.slice(0, left.start))) continue
      if (!AFTER_PLACE.test(clause.slice(right.end))) continue
      const article = ARTICLE.exec(clause.slice(0, left.start))?.index ?? left.start
      const joint = /^\W*(?:and|or|as well as|plus|&|,)\W*/i.exec(clause.slice(left.end))![0].length
      const leftText = clause.slice(0, left.end) + clause.slice(right.end)
      const rightText = clause.slice(0, article) + clause.slice(left.end + joint)
      const leftAgent = left === a ? first.agent : other.agent
      const rightAgent = left === a ? other.agent : first.agent
      return [
        [leftAgent, leftText.replace(/\bboth\s+/i, '')],
        [rightAgent, rightText],
      ]
    }
  }
  return undefined
}

function strongPairs(some: readonly Match[], others: readonly Match[]): [Match, Match][] {
  const strong = (matches: readonly Match[]): Match[] => matches.filter(({ weight }) => weight >= 1)
  return strong(some).flatMap((a) => strong(others).map((b): [Match, Match] => [a, b]))
}
