import type { Agent } from '../../../core/actor.ts'
import type { Part } from './assign.ts'
import { candidatesFor, defaultAgent, isSource, type Team } from './choose.ts'
import { MASK, mask } from './mask.ts'
import { refersBack, refersToAll, refersToResults } from './references.ts'

/** A part with the parts that it waits for, by their place in the list. */
export interface Step {
  readonly agent: Agent
  readonly kind: Part['kind']
  readonly text: string
  readonly dependsOn: readonly number[]
}

/** Things that are looked up before anything can be computed of them. */
const LOOKED_UP =
  /\b(?:revenue|sales|turnover|profit|margin|costs?|prices?|spend(?:ing)?|budgets?|orders?|customers?|products?|invoices?|returns?|refunds?|suppliers?|employees?|stock|inventory|tickets?|shipments?|payments?|salar(?:y|ies)|headcount|churn)\b/i

/**
 * Who waits for whom. “Then” waits for all before it; a pronoun for what it points at; work on results for the findings
 * that it follows; an action for everything found so far that nothing else was made of.
 */
export function arrange(parts: readonly Part[], team: Team): Step[] {
  const steps: Step[] = []
  /** What the present group of “and”s came after. */
  let base: readonly number[] = []
  for (const part of parts) {
    if (part.link === 'sentence') base = []
    if (part.link === 'then') base = leaves(steps)
    const dependsOn = part.isTwin === true ? steps.at(-1)!.dependsOn : dependenciesOf(part, steps, base, team)
    const { agent, kind, text } = part
    steps.push({ agent, kind, text, dependsOn: [...new Set(dependsOn)].sort((a, b) => a - b) })
  }
  return steps
}

function dependenciesOf(part: Part, steps: Step[], base: readonly number[], team: Team): readonly number[] {
  switch (part.kind) {
    case 'find':
      return refersBack(part.head) && base.length === 0 ? latest(steps) : base
    case 'act':
      return dependenciesOfAct(part, steps, base)
    case 'work':
      return dependenciesOfWork(part, steps, base, team)
  }
}

function dependenciesOfAct(
  { head: text, link }: Part,
  steps: readonly Step[],
  base: readonly number[],
): readonly number[] {
  const informed = indices(steps, ({ kind }) => kind !== 'act')
  // A message whose words are given needs nothing but those.
  if (hasOwnWords(text) && !refersToResults(text)) return base
  if (refersToAll(text)) return informed
  const found = leaves(steps).filter((i) => steps[i]!.kind !== 'act')
  return link === 'then' ? base : found
}

function dependenciesOfWork(part: Part, steps: Step[], base: readonly number[], team: Team): readonly number[] {
  const { head: text, link } = part
  if (isSelfContained(text)) return base
  const own = sourceWithin(text, steps, team)
  const found = link === 'then' || refersToResults(text) ? leaves(steps) : indices(steps, isFinding(steps))
  const dependsOn = refersToAll(text) && link !== 'then' ? indices(steps, ({ kind }) => kind !== 'act') : found
  const informed = dependsOn.filter((i) => steps[i]!.kind !== 'act')
  if (own === undefined) return informed
  steps.push({ ...own, kind: 'find', dependsOn: [] })
  return [...informed, steps.length - 1]
}

/**
 * The data that a computation needs and nobody was asked for: a source that its own words name, or, when it comes
 * first, whoever knows such things.
 */
function sourceWithin(text: string, steps: readonly Step[], team: Team): Pick<Step, 'agent' | 'text'> | undefined {
  const [best] = candidatesFor(text, team, isSource)
  const isAsked = steps.some(({ agent }) => agent === best?.agent)
  if (best !== undefined && best.strong > 0 && !isAsked) {
    return { agent: best.agent, text: steps.length === 0 ? text : secondOperand(text) }
  }
  if (steps.length > 0 || !(best !== undefined || LOOKED_UP.test(text))) return undefined
  const agent = best?.agent ?? defaultAgent(team)
  return agent === undefined ? undefined : { agent, text }
}

/** “compare it with public benchmarks online”: what is to be found are the benchmarks. */
function secondOperand(text: string): string {
  const operand = /\b(?:with|against|to|and)\s+((?!(?:it|that|this|them)\b).+)$/i.exec(text)?.[1]
  return operand === undefined ? text : `Find ${operand}`
}

/** All numbers that it needs are in it: “15 % of 230”, or code to be run as it is. */
function isSelfContained(text: string): boolean {
  if (/```/.test(text)) return true
  if (refersBack(text)) return false
  const numbers = text.replaceAll(/\b(?:19|20)\d\d\b|\bq[1-4]\b/gi, '').match(/\d+(?:[.,]\d+)*/g) ?? []
  return numbers.length >= 2
}

/** Quoted words, or what is said after “saying”. */
function hasOwnWords(text: string): boolean {
  return (
    /\b(?:saying|that says|with the (?:text|words|subject|message)|to say|telling (?:him|her|them))\b/i.test(text) ||
    quotes(text)
  )
}

function quotes(text: string): boolean {
  return /["“«]/.test(text) && mask(text).includes(MASK)
}

/** Steps that nothing else was made of. */
function leaves(steps: readonly Step[]): number[] {
  const used = new Set(steps.flatMap((step) => step.dependsOn))
  return indices(steps, (_step, i) => !used.has(i))
}

/** Findings, and not what was made of them; a finding from which another one was looked up has done its part. */
function isFinding(steps: readonly Step[]) {
  const looked = new Set(steps.flatMap((step) => (step.kind === 'find' ? step.dependsOn : [])))
  return ({ kind }: Step, i: number): boolean => kind === 'find' && !looked.has(i)
}

function latest(steps: readonly Step[]): number[] {
  const informed = indices(steps, ({ kind }) => kind !== 'act')
  return informed.slice(-1)
}

function indices(steps: readonly Step[], isMeant: (step: Step, i: number) => boolean): number[] {
  return steps.flatMap((step, i) => (isMeant(step, i) ? [i] : []))
}
