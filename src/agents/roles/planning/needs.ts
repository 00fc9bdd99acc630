import type { Agent } from '../../../core/actor.ts'
import { DEFINITE, type Letter } from '../../letter.ts'
import { candidatesFor, defaultAgent, isAble, isSource, type Candidate, type Team } from './choose.ts'
import { wordsOf } from '../../../language/clause-starts.ts'
import { asksForFigure, refersBack, refersToResults } from './references.ts'

/** Something to be found before a computation can be made, or an action taken, that was not asked for by itself. */
export interface Need {
  readonly agent: Agent
  readonly text: string
}

/** Things that business data hold; in the singular a word such as “order” or “return” is as often something else. */
const LOOKED_UP =
  /\b(?:revenue|sales|turnover|profits?|margins?|costs|prices|spend(?:ing)?|budgets?|orders|customers|products|invoices|returns|refunds|suppliers|employees|stock|inventory|tickets|shipments|payments|salaries|headcount|churn)\b/i

export function asksForRecords(text: string): boolean {
  return LOOKED_UP.test(text) || asksForFigure(text)
}

const COMPARISON = [
  /\bcompar(?:e|ing)\s+(?<one>.+?)\s+(?:with|to|against|and)\s+(?<other>.+)$/i,
  /\b(?:difference|ratio) (?:between|of)\s+(?<one>.+?)\s+(?:and|to)\s+(?<other>.+)$/i,
]

/**
 * What a computation needs: the sides of a comparison, each from its source; else a source that its words name; else,
 * when nothing was found before, whoever knows such things.
 * @param asked agents that were asked before it
 */
export function needsOfWork(text: string, asked: readonly Agent[], team: Team): Need[] {
  const sides = sidesOf(text, asked, team)
  if (sides.length > 0) return sides
  const [best] = sourcesFor(text, team)
  if (best !== undefined && best.strong > 0) return asked.includes(best.agent) ? [] : [{ agent: best.agent, text }]
  if (asked.length > 0 || !(best !== undefined || asksForRecords(text))) return []
  const agent = best?.agent ?? defaultAgent(team)
  return agent === undefined ? [] : [{ agent, text }]
}

function sidesOf(text: string, asked: readonly Agent[], team: Team): Need[] {
  const match = COMPARISON.map((pattern) => pattern.exec(text)).find((found) => found !== null)
  const { one = '', other: said = '' } = match?.groups ?? {}
  // “our prices with those of our competitors”
  const other = said.replace(/^(?:those|that|the ones) (?=of|from|in|on)/i, `the ${wordsOf(one).at(-1) ?? ''} `)
  const needs = [one, other].flatMap((side): Need[] => {
    const agent = sourceOf(side, team)
    return agent === undefined || asked.includes(agent) ? [] : [{ agent, text: `Find ${withoutEnd(side)}` }]
  })
  const isSplit = needs.length === 2 ? needs[0]!.agent !== needs[1]!.agent : asked.length > 0
  return isSplit ? needs : []
}

/** The sources that a text speaks for; of those that lack theirs, only where none at all can be asked. */
function sourcesFor(text: string, team: Team): Candidate[] {
  const usual = defaultAgent(team)
  const isAnyAble = usual !== undefined && isAble(usual, team.context)
  return candidatesFor(text, team, (agent) => isSource(agent) && (!isAnyAble || isAble(agent, team.context)))
}

/** The one source that the words of a side point at; none for “it” and “the sum”. */
function sourceOf(side: string, team: Team): Agent | undefined {
  if (refersToResults(side) && wordsOf(side).length <= 2) return undefined
  const strong = sourcesFor(side, team).filter((candidate) => candidate.strong > 0)
  if (strong.length > 0) return strong[0]!.agent
  if (refersBack(side) || refersToResults(side)) return undefined
  return asksForRecords(side) ? defaultAgent(team) : undefined
}

/** What a message that is asked for first thing has to say, where a source can be asked for that. */
export function needsOfAct({ contents }: Pick<Letter, 'contents'>, actor: Agent, team: Team): Need[] {
  const objects = contents.filter((text) => DEFINITE.test(text) || asksForFigure(text))
  return objects.flatMap((text) => {
    // “forward the last mail to Bob”: what is to be passed on is the agent's own.
    const items = text.split(/\s*,?\s+and\s+(?:includ(?:e|ing)\s+)?|,\s+/)
    return needsOf(
      items.filter((item) => candidatesFor(item, team)[0]?.agent !== actor),
      team,
    )
  })
}

/** The things of a list, those beside each other that one source knows together. */
function needsOf(items: readonly string[], team: Team): Need[] {
  const groups: { agent: Agent | undefined; text: string }[] = []
  for (const item of items) {
    const agent = sourceOf(item, team)
    const last = groups.at(-1)
    if (last === undefined || (agent !== undefined && last.agent !== undefined && agent !== last.agent)) {
      groups.push({ agent, text: item })
    } else groups[groups.length - 1] = { agent: last.agent ?? agent, text: `${last.text} and ${item}` }
  }
  return groups.flatMap(({ agent, text }) => {
    if (agent === undefined) return []
    return [{ agent, text: /^(?:how|what|which)\b/i.test(text) ? text : `Show ${text}` }]
  })
}

function withoutEnd(text: string): string {
  return text.trim().replace(/[\s.,;?!]+$/, '')
}
