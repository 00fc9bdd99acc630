import type { Agent } from '../../../core/actor.ts'
import { candidatesFor, defaultAgent, isSource, type Team } from './choose.ts'
import { requestOf, wordsOf } from './clause-starts.ts'
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
  const [best] = candidatesFor(text, team, isSource)
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

/** The one source that the words of a side point at; none for “it” and “the sum”. */
function sourceOf(side: string, team: Team): Agent | undefined {
  if (refersToResults(side) && wordsOf(side).length <= 2) return undefined
  const strong = candidatesFor(side, team, isSource).filter((candidate) => candidate.strong > 0)
  if (strong.length > 0) return strong[0]!.agent
  if (refersBack(side) || refersToResults(side)) return undefined
  return asksForRecords(side) ? defaultAgent(team) : undefined
}

const OBJECTS = [
  /\b(?:includ(?:e|ing)|mention(?:ing)?|attach(?:ing)?|quot(?:e|ing))\s+(?<object>.+)$/iu,
  // “e-mail me the list”, “send Anna the list”
  /^\S+\s+(?:me|us|him|her|them|\p{Lu}[\p{L}'’-]*)\s+(?<object>.+)$/u,
  // “send the list to Anna”
  /^\S+\s+(?<object>(?!an? (?:e-?mail|mail|message|note|reply|reminder)\b).+?)\s+(?:to|for|via|by|at)\s+\S.*$/iu,
  // “draft a mail to support with the list”
  /\b(?:about|with|containing|listing|regarding|on|summari[sz]ing)\s+(?<object>.+)$/iu,
]
const DEFINITE =
  /^(?:the|our|all|my|how|what|which|an? (?:list|summary|report|overview|table) of|last|this|top|number|total)\b/i

/** What a message that is asked for first thing has to say, where a source can be asked for that. */
export function needsOfAct(text: string, actor: Agent, team: Team): Need[] {
  const request = requestOf(text).replace(/[\s.?!]+$/, '')
  const object = OBJECTS.map((pattern) => pattern.exec(request)?.groups?.['object']).find(
    (found) => found !== undefined,
  )
  if (object === undefined || !(DEFINITE.test(object) || asksForFigure(object))) return []
  // “forward the last mail to Bob”: what is to be passed on is the agent's own.
  const [best] = candidatesFor(object, team)
  if (best?.agent === actor) return []
  const items = object.split(/\s*,?\s+and\s+|,\s+/)
  const needs = items.flatMap((item) => needFor(item, team))
  const isList = needs.length === items.length && new Set(needs.map(({ agent }) => agent)).size > 1
  return isList ? needs : needFor(object, team)
}

function needFor(object: string, team: Team): Need[] {
  const agent = sourceOf(object, team)
  return agent === undefined ? [] : [{ agent, text: /^(?:how|what|which)\b/i.test(object) ? object : `Show ${object}` }]
}

function withoutEnd(text: string): string {
  return text.trim().replace(/[\s.,;?!]+$/, '')
}
