import { z } from 'zod'
import { TuttiError } from './errors.ts'

/** A planned job of a specialist. Without `text` the agent works on the request's question. */
export const taskSchema = z.object({
  id: z.string().regex(/^[\w-]+$/, 'may hold letters, digits, "_" and "-" only'),
  agent: z.string().min(1),
  text: z.string().optional(),
  dependsOn: z.array(z.string()).default([]),
  entities: z.record(z.string(), z.unknown()).optional(),
  tools: z.array(z.string()).optional(),
})
export type Task = Readonly<z.infer<typeof taskSchema>>

/** How a question was understood that is incomplete on its own. */
export interface Understood {
  /** The question rewritten to be understood alone, if it continued from the previous one. */
  readonly question?: string
  /** Parts that were given the period or place of another part. */
  readonly parts?: readonly string[]
  /** Why it is unclear what the question refers to, as a sentence. */
  readonly unclear?: string
}

/** A part of the question that no agent can do. */
export interface NotPossible {
  readonly part: string
  readonly reason: string
}

export interface Plan {
  readonly tasks: readonly Task[]
}

/**
 * Validates a plan and returns a frozen copy. Every error names the tasks concerned.
 * @throws TuttiError `UnknownAgent` or `InvalidPlan`
 */
export function validatePlan(plan: Plan, knownAgents: ReadonlySet<string>): Plan {
  const parsed = z.array(taskSchema).safeParse(plan.tasks)
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => `tasks.${issue.path.join('.')}: ${issue.message}`)
    throw invalid(`The plan is not well formed: ${issues.join('; ')}.`)
  }
  const tasks = parsed.data
  const ids = new Set<string>()
  const duplicates = new Set<string>()
  for (const task of tasks) (ids.has(task.id) ? duplicates : ids).add(task.id)
  if (duplicates.size > 0) throw invalid(`Task ids must be unique; used more than once: ${quoted(duplicates)}.`)

  const missing = tasks.flatMap((task) =>
    task.dependsOn.filter((id) => !ids.has(id)).map((id) => `"${task.id}" depends on "${id}"`),
  )
  const lack = missing.length === 0 ? [] : [`Unknown dependency: task ${missing.join(', ')}, which is not in the plan.`]
  const unknown = tasks.filter((task) => !knownAgents.has(task.agent))
  if (unknown.length > 0) {
    const list = unknown.map((task) => `"${task.id}" asks for "${task.agent}"`).join(', ')
    const message = `Unknown agent: task ${list}. Known agents: ${[...knownAgents].join(', ')}.`
    // One error names all problems, so that they can be repaired at once.
    throw new TuttiError('UnknownAgent', [message, ...lack].join(' '))
  }
  if (lack.length > 0) throw invalid(lack.join(' '))

  stages({ tasks })
  return deepFreeze({ tasks: jsonCopy(tasks) })
}

/**
 * Kahn's topological sort into stages, each in plan order. Stages only serve to show a plan; scheduling is by
 * readiness.
 * @throws TuttiError `InvalidPlan` naming the tasks of a cycle, or tasks that depend on a task which is not in the plan
 */
export function stages(plan: Plan): Task[][] {
  const waitsFor = plan.tasks.map((task) => new Set(task.dependsOn).size)
  const dependents = new Map<string, number[]>()
  for (const [place, task] of plan.tasks.entries()) {
    for (const id of new Set(task.dependsOn)) {
      const places = dependents.get(id)
      if (places === undefined) dependents.set(id, [place])
      else places.push(place)
    }
  }
  const result: Task[][] = []
  const done = new Set<string>()
  let ready = plan.tasks.filter((_task, place) => waitsFor[place] === 0)
  while (ready.length > 0) {
    result.push(ready)
    const next: number[] = []
    for (const { id } of ready) {
      if (done.has(id)) continue
      done.add(id)
      for (const place of dependents.get(id) ?? []) if (--waitsFor[place]! === 0) next.push(place)
    }
    ready = next.sort((a, b) => a - b).map((place) => plan.tasks[place]!)
  }
  const stuckTasks = plan.tasks.filter((_task, place) => waitsFor[place]! > 0)
  if (stuckTasks.length > 0) throw stuck(stuckTasks)
  return result
}

/** Follows unmet dependencies from any stuck task until one repeats, or leads out of the plan. */
function stuck(tasks: readonly Task[]): TuttiError {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const path: string[] = []
  let current = tasks[0]
  while (current !== undefined && !path.includes(current.id)) {
    path.push(current.id)
    current = current.dependsOn.map((id) => byId.get(id)).find((task) => task !== undefined)
  }
  if (current === undefined) return invalid(`Task ${quoted(path.slice(-1))} waits for a task that is not in the plan.`)
  const circle = [...path.slice(path.indexOf(current.id)), current.id].map((id) => `"${id}"`)
  return invalid(`These tasks wait for each other in a circle: ${circle.join(' → ')}.`)
}

function invalid(message: string): TuttiError {
  return new TuttiError('InvalidPlan', message)
}

function quoted(names: Iterable<string>): string {
  return [...names].map((name) => `"${name}"`).join(', ')
}

/** Plans are written to the log and shown, so values that are not JSON would be lost. */
function jsonCopy(tasks: readonly Task[]): Task[] {
  try {
    return JSON.parse(JSON.stringify(tasks)) as Task[]
  } catch (thrown) {
    throw invalid(`The plan holds values that are not plain JSON: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
