import type { Agent } from '../../../core/actor.ts'
import type { Task } from '../../../core/plan.ts'
import { splitClauses } from '../../../language/clauses.ts'
import { tokensOf } from '../../../language/tokens.ts'
import { awaitedFor } from './arrange.ts'
import { assign, kindOf, type Part } from './assign.ts'
import type { Team } from './choose.ts'
import { mayChange } from './may-change.ts'
import { takenTogether } from './taken.ts'

/**
 * A model's tasks, where what comes after a change in the question waits for it as in a plan by rules: side by side, what stood
 * there before would be answered as if it were after. Nothing is changed where the model has it the other way round.
 */
export function afterChanges(tasks: readonly Task[], question: string, team: Team): Task[] {
  const said = assign(question, takenTogether(question, splitClauses(question), team), team)
  const agents = new Map(team.agents.map((agent) => [agent.name, agent]))
  const isOfTeam = tasks.every(({ agent }) => agents.has(agent))
  if (tasks.length < 2 || said.length === 0 || !isOfTeam) return [...tasks]
  const partOf = partsFor(tasks, said, question)
  const parts = said.flatMap((part, place) => {
    const own = tasks.filter((_task, i) => partOf[i] === place)
    return own.map((task, i) => ({
      ...of(agents.get(task.agent)!, task, part, own.length),
      ...(i > 0 ? AND : {}),
      task,
    }))
  })
  const added = new Map(tasks.map((task) => [task.id, [...task.dependsOn]]))
  const leadsTo = (from: string, to: string): boolean =>
    from === to || added.get(from)!.some((id) => added.has(id) && leadsTo(id, to))
  for (const [part, awaited] of awaitedFor(parts, team)) {
    // A change that needs something is not made of what it only comes after: any of those would do for it to be begun.
    if (part.task.dependsOn.length > 0 && mayChange(part, team)) continue
    for (const one of awaited) {
      if (!leadsTo(one.task.id, part.task.id) && !leadsTo(part.task.id, one.task.id))
        added.get(part.task.id)!.push(one.task.id)
    }
  }
  return tasks.map((task) => ({ ...task, dependsOn: added.get(task.id)! }))
}

const AND = { link: 'and', isBefore: false } as const

/** A task as the part of the question that it is of; a model's words for it say, too, whether it changes something. */
function of(agent: Agent, { text }: Task, part: Part, siblings: number): Part {
  const said = siblings === 1 ? part.text : (text ?? part.text)
  return { ...part, agent, text: said, kind: kindOf(agent, said) }
}

/** By place, of which part each task is: each part has one whose words are the nearest; others go where theirs are. */
function partsFor(tasks: readonly Task[], parts: readonly Part[], question: string): readonly number[] {
  const words = tasks.map(({ text }) => new Set(tokensOf(text ?? question)))
  const near = parts.map((part) => {
    const own = new Set(tokensOf(part.text))
    return words.map((said) => [...said].filter((word) => own.has(word)).length / new Set([...said, ...own]).size)
  })
  const pairs = tasks
    .flatMap((_task, i) => parts.map((_part, place) => ({ i, place, score: near[place]![i]! })))
    .sort((a, b) => b.score - a.score || a.i - b.i || a.place - b.place)
  const found = new Map<number, number>()
  const taken = new Set<number>()
  for (const { i, place } of pairs) {
    if (found.has(i) || taken.has(place)) continue
    found.set(i, place)
    taken.add(place)
  }
  for (const { i, place } of pairs) if (!found.has(i)) found.set(i, place)
  return tasks.map((_task, i) => found.get(i)!)
}
