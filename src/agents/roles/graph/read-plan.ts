import type { Agent } from '../../../core/actor.ts'
import { TuttiError } from '../../../core/errors.ts'
import { validatePlan, type Task } from '../../../core/plan.ts'
import type { Entities } from '../planning/entities.ts'
import { agentNamed } from '../usable-agents.ts'
import type { ModelPlan } from './master-planner-prompt.ts'

/** More tasks than a person could follow are a plan gone wrong. */
export const MAX_TASKS = 20

/** A model's plan in the form that runs. */
export interface PlannedTasks extends Pick<ModelPlan, 'intent' | 'rationale' | 'confidence' | 'standalone'> {
  readonly entities: Entities
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
  }
}

/**
 * Tasks of a model with tidied names; tools that an agent does not have are left out.
 * @throws TuttiError `UnknownAgent` or `InvalidPlan`
 */
export function readTasks(tasks: ModelPlan['tasks'], question: string, agents: readonly Agent[]): readonly Task[] {
  if (tasks.length > MAX_TASKS) {
    throw new TuttiError('InvalidPlan', `The plan has ${tasks.length} tasks; at most ${MAX_TASKS} are allowed.`)
  }
  const tidied = tasks.map(({ id, agent: name, text, tools: named, dependsOn }): Task => {
    const agent = agentNamed(name, agents)
    const own = new Set((agent?.tools ?? []).map((tool) => tool.name))
    const tools = (named ?? []).map((tool) => tool.trim()).filter((tool) => own.has(tool))
    const task = text.trim()
    return {
      id: idOf(id),
      agent: agent?.name ?? name.trim(),
      ...(task === '' || task === question ? {} : { text: task }),
      ...(tools.length === 0 ? {} : { tools }),
      dependsOn: [...new Set(dependsOn.map(idOf))],
    }
  })
  return validatePlan({ tasks: tidied }, new Set(agents.map(({ name }) => name))).tasks
}

/** The plan without the tasks of unknown, disabled or unusable agents, and without what others wait for of them. */
export function withoutStrangers(plan: ModelPlan, agents: readonly Agent[]): ModelPlan {
  const tasks = plan.tasks.filter(({ agent }) => agentNamed(agent, agents) !== undefined)
  const ids = new Set(tasks.map(({ id }) => idOf(id)))
  return {
    ...plan,
    tasks: tasks.map((task) => ({ ...task, dependsOn: task.dependsOn.filter((id) => ids.has(idOf(id))) })),
  }
}

function idOf(text: string): string {
  return text.trim().replaceAll(/\s+/g, '_')
}

function readEntities({ date_range: range, doc_type, metric, names, emails, others }: ModelPlan['entities']): Entities {
  const dates = range === null ? {} : Object.fromEntries(Object.entries(range).filter(([, day]) => isDay(day)))
  const word = (text: string | null): string | undefined => text?.trim() || undefined
  const docType = word(doc_type)?.toLowerCase().replace(/^\./, '')
  return {
    ...Object.fromEntries(
      others.flatMap(({ name, value }) => (word(name) && word(value) ? [[name.trim(), value.trim()]] : [])),
    ),
    ...(Object.keys(dates).length === 0 ? {} : { date_range: dates }),
    ...(docType === undefined ? {} : { doc_type: docType }),
    ...(word(metric) === undefined ? {} : { metric: word(metric)! }),
    ...(names.length === 0 ? {} : { names: unique(names) }),
    ...(emails.length === 0 ? {} : { emails: unique(emails) }),
  }
}

function isDay(text: string | null): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && !Number.isNaN(Date.parse(text!))
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))]
}
