import type { Agent } from '../../../core/actor.ts'
import { given } from '../../../core/given.ts'
import { letterIn } from '../../letter.ts'
import type { Part } from './assign.ts'
import type { Team } from './choose.ts'
import { requestOf } from '../../../language/clause-starts.ts'
import { mayChange } from './may-change.ts'
import { needsOfAct, needsOfWork, type Need } from './needs.ts'
import { refersBack, refersToAll, refersToResults } from './references.ts'

/** A part with the parts that it waits for, by their place in the list. */
export interface Step {
  readonly agent: Agent
  readonly kind: Part['kind']
  readonly text: string
  readonly dependsOn: readonly number[]
  readonly isCarried?: boolean
  readonly tools?: readonly string[]
  /** What is there after it may be another than before. */
  readonly changes?: boolean
}

/**
 * Who waits for whom. Whatever comes after a step that may change something waits for it: the same source is not asked
 * meanwhile. “Then” waits for all before it; a pronoun for what it points at; work on results for the findings
 * that it follows; an action for everything found so far that nothing else was made of.
 */
export function arrange(said: readonly Part[], team: Team): Step[] {
  const parts = inOrder(said, team)
  const steps: Step[] = []
  /** What the present group of “and”s came after. */
  let base: readonly number[] = []
  for (const part of parts) {
    if (part.link === 'sentence') base = []
    const changes = mayChange(part, team)
    if (part.link === 'then' && !isList(part, changes, steps.at(-1))) base = leaves(steps)
    const needed = part.isTwin === true ? steps.at(-1)!.dependsOn : dependenciesOf(part, steps, base, team)
    const dependsOn = [...needed, ...changesBefore(part, steps, base)]
    const { agent, kind, text, isCarried = false, tools } = part
    steps.push({
      agent,
      kind,
      text,
      dependsOn: [...new Set(dependsOn)].sort((a, b) => a - b),
      isCarried,
      changes,
      ...given({ tools }),
    })
  }
  return steps
}

/** “count the orders, then count the customers”: one after the other only for the tongue. */
function isList({ agent, kind, head }: Part, changes: boolean, before: Step | undefined): boolean {
  return kind === 'find' && agent === before?.agent && !changes && before.changes !== true && !refersBack(head)
}

/** “… and show order 915 first”; with what may change nothing, “the newest first” is said of how it is shown. */
const AT_FIRST = /(?<!\p{L}est )\bfirst[\s.!]*$/iu

/** “Cancel order 915 and show it first”: what is to be done before a change is put before it. */
function inOrder<P extends Part>(said: readonly P[], team: Team): readonly P[] {
  const parts: P[] = []
  const isEarlier = ({ isBefore, head }: Part): boolean => isBefore === true || AT_FIRST.test(head)
  for (const part of said) {
    const last = parts.at(-1)
    const isBefore = last !== undefined && isEarlier(part) && [last, part].some((one) => mayChange(one, team))
    if (isBefore) parts.splice(-1, 1, { ...part, link: last.link }, { ...last, link: 'then' })
    else parts.push(part)
  }
  return parts
}

/** The changes that a part comes after: those of its own source, and those that a “then” put before it. */
function changesBefore({ agent, kind }: Pick<Part, 'agent' | 'kind'>, steps: readonly Step[], base: readonly number[]) {
  return indices(steps, (step, i) => {
    // Two messages are in nobody’s way: one that a person does not allow holds up no other.
    const isOfOwn = step.agent === agent && !(kind === 'act' && step.kind === 'act')
    return step.changes === true && (isOfOwn || base.includes(i))
  })
}

function dependenciesOf(part: Part, steps: Step[], base: readonly number[], team: Team): readonly number[] {
  switch (part.kind) {
    case 'find':
      return refersBack(part.head) && base.length === 0 ? latest(steps) : base
    case 'act':
      return dependenciesOfAct(part, steps, base, team)
    case 'work':
      return dependenciesOfWork(part, steps, base, team)
  }
}

function dependenciesOfAct(part: Part, steps: Step[], base: readonly number[], team: Team): readonly number[] {
  const { head: text, link, agent } = part
  const informed = indices(steps, ({ kind }) => kind !== 'act')
  const letter = letterIn(requestOf(text).replace(/[\s.?!]+$/, ''))
  const hasOwnWords = letter.said !== undefined || /["“«]/.test(letter.rest)
  // A message whose words are given needs nothing but those, and what it is to hold besides.
  if (hasOwnWords && !refersToResults(letter.rest))
    return [...base, ...addNeeds(steps, needsOfAct(letter, agent, team))]
  if (informed.length === 0 && !refersBack(letter.rest)) return addNeeds(steps, needsOfAct(letter, agent, team))
  if (refersToAll(text)) return informed
  const found = leaves(steps).filter((i) => steps[i]!.kind !== 'act')
  return link === 'then' ? base : found
}

function dependenciesOfWork(part: Part, steps: Step[], base: readonly number[], team: Team): readonly number[] {
  const { head: text, link } = part
  if (isSelfContained(text)) return base
  const found = link === 'then' || refersToResults(text) ? leaves(steps) : indices(steps, isFinding(steps))
  const dependsOn = refersToAll(text) && link !== 'then' ? indices(steps, () => true) : found
  const informed = dependsOn.filter((i) => steps[i]!.kind !== 'act')
  return [...informed, ...addNeeds(steps, needsOfWork(part.text, agentsOf(steps), team))]
}

/** Puts what is needed before the step that needs it. */
function addNeeds(steps: Step[], needs: readonly Need[]): number[] {
  return needs.map((need) => {
    const dependsOn = changesBefore({ agent: need.agent, kind: 'find' }, steps, [])
    return steps.push({ ...need, kind: 'find', dependsOn }) - 1
  })
}

function agentsOf(steps: readonly Step[]): Agent[] {
  return steps.filter(({ kind }) => kind !== 'act').map(({ agent }) => agent)
}

/** All numbers that it needs are in it: “15 % of 230”, or code to be run as it is. */
function isSelfContained(text: string): boolean {
  if (/```/.test(text)) return true
  if (refersBack(text)) return false
  const numbers = text.replaceAll(/\b(?:19|20)\d\d\b|\bq[1-4]\b/gi, '').match(/\d+(?:[.,]\d+)*/g) ?? []
  return numbers.length >= 2
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
