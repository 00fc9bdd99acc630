import type { Task } from '../../../core/plan.ts'
import type { RunState } from '../../../core/state.ts'
import { unansweredIn } from '../../../core/unanswered.ts'
import { candidatesFor, isAble, isSource, type Team } from './choose.ts'

/**
 * Each part that was declined, for the next agent that has not been asked it; undefined where nothing was answered at
 * all, and the whole question needs another look.
 */
export function retriesFor(state: RunState, question: string, team: Team): Task[] | undefined {
  const tasks = state.plan!.plan.tasks
  const declined = unansweredIn(state).filter(({ error }) => error?.type === 'PlanningDeclined')
  if (!tasks.some(({ id }) => state.jobs.get(id)?.status === 'succeeded')) return undefined
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
  const other = team.agents.find(
    (agent) => isFree(agent.name) && isSource(agent) && isAble(agent, team.context) && agent.planning?.isLastResort,
  )
  return best?.agent.name ?? other?.name
}
