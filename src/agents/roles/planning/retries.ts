import type { Agent } from '../../../core/actor.ts'
import { plannedAttempt } from '../../../core/attempts.ts'
import type { Task } from '../../../core/plan.ts'
import type { RunState } from '../../../core/state.ts'
import { unansweredIn } from '../../../core/unanswered.ts'
import { ASKING_WORDS, plainWords } from '../../../language/asking-words.ts'
import { candidatesFor, isAble, isSource, type Team } from './choose.ts'
import { ownersNamed } from './named.ts'
import { asksForRecords } from './needs.ts'
import { isElliptical, refersBack } from './references.ts'

/**
 * Each part that was declined, for the next agent that has not been asked it; undefined where nothing was answered of a
 * question without parts, which needs another look as a whole.
 */
export function retriesFor(state: RunState, question: string, team: Team): Task[] | undefined {
  const tasks = state.plan!.plan.tasks
  const declined = unansweredIn(state).filter(({ error }) => error?.type === 'PlanningDeclined')
  const isFruitless = !tasks.some(({ id }) => plannedAttempt(state, id)?.status === 'succeeded')
  if (isFruitless && declined.length < 2) return undefined
  return declined.flatMap(({ task }): Task[] => {
    const text = task.text ?? question
    const asked = new Set(tasks.filter((other) => (other.text ?? question) === text).map(({ agent }) => agent))
    const agent = nextFor(text, team, asked)
    return agent === undefined ? [] : [{ ...task, id: agent.replaceAll(/[^\w-]/g, '_'), agent, text }]
  })
}

function nextFor(text: string, team: Team, asked: ReadonlySet<string>): string | undefined {
  const isFree = (name: string): boolean => !asked.has(name)
  const [best] = candidatesFor(text, team, (agent) => isFree(agent.name) && isAble(agent, team.context))
  if (best !== undefined) return best.agent.name
  if (!standsAlone(text) || ownersNamed(text, team) !== undefined) return undefined
  const isOther = (agent: Agent): boolean => isFree(agent.name) && isSource(agent) && isAble(agent, team.context)
  const others = team.agents.filter(isOther)
  const usual = others.find(({ planning }) => planning?.isDefault === true && asksForRecords(text))
  return (others.find(({ planning }) => planning?.isLastResort === true) ?? usual)?.name
}

const SAYS_LITTLE = new Set([...ASKING_WORDS, 'about', 'same', 'one', 'else', 'other', 'more', 'too'])

/** Whether a part says by itself what it asks about. */
function standsAlone(text: string): boolean {
  if (isElliptical(text) || refersBack(text)) return false
  return plainWords(text).some((word) => !SAYS_LITTLE.has(word) && !/^\d+$/.test(word))
}
