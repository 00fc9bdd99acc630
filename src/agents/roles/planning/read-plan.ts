import type { Agent } from '../../../core/actor.ts'
import { TuttiError } from '../../../core/errors.ts'
import { validatePlan, type Task } from '../../../core/plan.ts'
import type { ModelPlan } from '../graph/master-planner-prompt.ts'
import { afterChanges } from './after-changes.ts'
import type { Team } from './choose.ts'
import { entitiesFor, rangeOf, type Entities } from './entities.ts'
import type { Understanding } from './plan-by-rules.ts'

/** More tasks than a person could follow are a plan gone wrong. */
export const MAX_TASKS = 20

/**
 * What a model planned, checked: names are tidied, dates are put right, and whatever cannot be run is an error that
 * says so, fit to be shown to the model.
 * @throws TuttiError `UnknownAgent` or `InvalidPlan`
 */
export function readPlan(plan: ModelPlan, question: string, team: Team, today: string | undefined): Understanding {
  const byName = new Map(team.agents.map((agent) => [agent.name, agent]))
  if (plan.tasks.length > MAX_TASKS) {
    throw new TuttiError('InvalidPlan', `The plan has ${plan.tasks.length} tasks; at most ${MAX_TASKS} are allowed.`)
  }
  const tidied = plan.tasks.map((task): Task => {
    const name = task.agent.trim()
    const text = task.text.trim()
    const tools = task.tools?.map((tool) => tool.trim()) ?? []
    return {
      id: idOf(task.id),
      agent: byName.has(name) ? name : name.toLowerCase(),
      ...(text === '' || text === question ? {} : { text }),
      ...(tools.length === 0 ? {} : { tools }),
      dependsOn: [...new Set(task.dependsOn.map(idOf))],
    }
  })
  const valid = validatePlan({ tasks: tidied }, new Set(byName.keys())).tasks
  const tasks = afterChanges(valid, question, team)
  for (const task of tasks) assertTools(task, byName.get(task.agent)!)
  const entities = readEntities(plan.entities, question, today)
  const texts = tasks.map(({ text }) => text ?? question)
  return {
    intent: plan.intent.trim(),
    entities,
    tasks: tasks.map((task, i) => {
      const concerning = entitiesFor(texts[i]!, entities, texts.toSpliced(i, 1), today)
      return Object.keys(concerning).length === 0 ? task : { ...task, entities: concerning }
    }),
    rationale: plan.rationale.trim(),
    confidence: plan.confidence,
  }
}

/** A plan by rules in the form of a model's, for the journal. */
export function asModelPlan({ intent, entities, tasks, rationale, confidence }: Understanding): ModelPlan {
  const { date_range: range, doc_type = null, metric = null, names = [], emails = [] } = entities
  return {
    intent,
    entities: {
      date_range: range === undefined ? null : { from: range.from ?? null, to: range.to ?? null },
      doc_type,
      metric,
      names: [...names],
      emails: [...emails],
      others: [],
    },
    tasks: tasks.map(({ id, agent, text = '', tools = null, dependsOn }) => ({ id, agent, text, tools, dependsOn })),
    rationale,
    confidence,
    standalone: '',
  }
}

function idOf(text: string): string {
  return text.trim().replaceAll(/\s+/g, '_')
}

function assertTools({ id, agent: name, tools = [] }: Task, agent: Agent): void {
  const own = (agent.tools ?? []).map((tool) => tool.name)
  const strange = tools.filter((tool) => !own.includes(tool))
  if (strange.length === 0) return
  const known = own.length === 0 ? 'it has none' : `its tools are ${own.join(', ')}`
  throw new TuttiError(
    'InvalidPlan',
    `Task "${id}" names tools that "${name}" does not have: ${strange.join(', ')}; ${known}.`,
  )
}

/** A model is often wrong about dates; where rules can read the period, theirs counts. */
function readEntities(given: ModelPlan['entities'], question: string, today: string | undefined): Entities {
  const { date_range: range, doc_type, metric, names, emails, others } = given
  const read = today === undefined ? undefined : rangeOf(question, today)
  const dates = read ?? (range === null ? undefined : datesOf(range))
  const word = (text: string | null): string | undefined => text?.trim() || undefined
  const docType = word(doc_type)?.toLowerCase().replace(/^\./, '')
  return {
    ...Object.fromEntries(
      others.flatMap(({ name, value }) => (word(name) && word(value) ? [[name.trim(), value.trim()]] : [])),
    ),
    ...(dates === undefined ? {} : { date_range: dates }),
    ...(docType === undefined ? {} : { doc_type: docType }),
    ...(word(metric) === undefined ? {} : { metric: word(metric)! }),
    ...(names.length === 0 ? {} : { names: unique(names) }),
    ...(emails.length === 0 ? {} : { emails: unique(emails) }),
  }
}

function datesOf({ from, to }: { from: string | null; to: string | null }): Entities['date_range'] {
  const isDate = (text: string | null): text is string =>
    /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && !Number.isNaN(Date.parse(text!))
  const range = { ...(isDate(from) ? { from } : {}), ...(isDate(to) ? { to } : {}) }
  return Object.keys(range).length === 0 ? undefined : range
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))]
}
