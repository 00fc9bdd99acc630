import type { Agent } from '../../domain/actor.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { validatePlan, type Task } from '../../domain/plan.ts'
import { agentNamed } from './usable-agents.ts'
import type { ModelPlan } from '../graph/prompts.ts'

/** A plan with more tasks is most likely wrong. */
export const MAX_TASKS = 20

/** Why a model's output cannot be used; undefined if it can. */
export function problemIn(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (thrown) {
    return toTuttiError(thrown).message
  }
}

/** A model's plan in the form that runs. */
export interface PlannedTasks extends Pick<
  ModelPlan,
  'intent' | 'rationale' | 'confidence' | 'standalone' | 'not_possible'
> {
  readonly entities: Readonly<Record<string, unknown>>
  readonly tasks: readonly Task[]
}

/**
 * A model's plan with tidied names. Only its structure is checked.
 * @throws TuttiError `UnknownAgent` or `InvalidPlan`, fit to be shown to the model
 */
export function readPlan(plan: ModelPlan, question: string, agents: readonly Agent[]): PlannedTasks {
  return {
    intent: plan.intent.trim(),
    entities: readEntities(plan.entities),
    tasks: readTasks(plan.tasks, question, agents),
    rationale: plan.rationale.trim(),
    confidence: plan.confidence,
    standalone: plan.standalone,
    not_possible: plan.not_possible,
  }
}

/**
 * Tasks of a model with tidied names.
 * @throws TuttiError `UnknownAgent` or `InvalidPlan`
 */
export function readTasks(tasks: ModelPlan['tasks'], question: string, agents: readonly Agent[]): readonly Task[] {
  if (tasks.length > MAX_TASKS) {
    throw new TuttiError('InvalidPlan', `The plan has ${tasks.length} tasks; at most ${MAX_TASKS} are allowed.`)
  }
  const tidied = tasks.map(({ id, agent: name, text, tools: named, dependsOn }): Task => {
    const agent = agentNamed(name, agents)
    const tools = (named ?? []).map((tool) => tool.trim())
    const task = text.trim()
    return {
      id: idOf(id),
      agent: agent?.name ?? name.trim(),
      ...(task === '' || task === question ? {} : { text: task }),
      ...(tools.length === 0 ? {} : { tools }),
      dependsOn: [...new Set(dependsOn.map(idOf))],
    }
  })
  const valid = (): readonly Task[] => validatePlan({ tasks: tidied }, new Set(agents.map(({ name }) => name))).tasks
  const strange = tidied.flatMap(({ id, agent: name, tools = [] }) => {
    const agent = agentNamed(name, agents)
    return tools
      .filter((tool) => agent !== undefined && !hasTool(agent, tool))
      .map((tool) => `Unknown tool: task "${id}" names "${tool}", which "${name}" does not have.`)
  })
  if (strange.length === 0) return valid()
  throw new TuttiError('InvalidPlan', [problemIn(valid) ?? [], ...strange].flat().join(' '))
}

function hasTool({ tools = [] }: Agent, name: string): boolean {
  return tools.some((tool) => tool.name === name.trim())
}

/**
 * The plan without tasks of unknown, disabled or unusable agents, without dependencies on those, and without tools that
 * an agent does not have.
 */
export function usableTasksOnly(plan: ModelPlan, agents: readonly Agent[]): ModelPlan {
  const strangers = new Set(plan.tasks.filter((task) => !agentNamed(task.agent, agents)).map(({ id }) => idOf(id)))
  const tasks = plan.tasks.flatMap((task) => {
    const agent = agentNamed(task.agent, agents)
    if (agent === undefined) return []
    const dependsOn = task.dependsOn.filter((id) => !strangers.has(idOf(id)))
    return [{ ...task, dependsOn, tools: task.tools?.filter((tool) => hasTool(agent, tool)) ?? null }]
  })
  return { ...plan, tasks }
}

function idOf(text: string): string {
  return text.trim().replaceAll(/\s+/g, '_')
}

function readEntities({
  date_range: range,
  doc_type,
  metric,
  names,
  others,
}: ModelPlan['entities']): Readonly<Record<string, unknown>> {
  const dates = range === null ? {} : Object.fromEntries(Object.entries(range).filter(([, day]) => isDay(day)))
  const word = (text: string | null): string | undefined => text?.trim() || undefined
  const docType = word(doc_type)?.toLowerCase().replace(/^\./, '')
  const unique = [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))]
  return {
    ...Object.fromEntries(
      others.flatMap(({ name, value }) => (word(name) && word(value) ? [[name.trim(), value.trim()]] : [])),
    ),
    ...(Object.keys(dates).length === 0 ? {} : { date_range: dates }),
    ...(docType === undefined ? {} : { doc_type: docType }),
    ...(word(metric) === undefined ? {} : { metric: word(metric)! }),
    ...(names.length === 0 ? {} : { names: unique }),
  }
}

function isDay(text: string | null): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && !Number.isNaN(Date.parse(text!))
}
