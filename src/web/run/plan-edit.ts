import type { Task } from '../../client/run.ts'

/** A plan that a person works on; each change gives a new one. */
export type Draft = readonly Task[]

/** All that must have ended before this task may begin. */
function dependenciesOf(tasks: Draft, id: string): ReadonlySet<string> {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const found = new Set<string>()
  const visit = (one: string): void => {
    for (const other of byId.get(one)?.dependsOn ?? []) {
      if (found.has(other)) continue
      found.add(other)
      visit(other)
    }
  }
  visit(id)
  return found
}

/** Tasks that can be added as its dependencies: those that do not wait for it. */
export function possibleDependencies(tasks: Draft, id: string): Task[] {
  const dependencies = tasks.find((task) => task.id === id)?.dependsOn ?? []
  return tasks.filter((task) => !dependencies.includes(task.id) && !isCircular(tasks, task.id, id))
}

/** Whether `to` would wait for itself if it waited for `from`. */
export function isCircular(tasks: Draft, from: string, to: string): boolean {
  return from === to || dependenciesOf(tasks, from).has(to)
}

export function connectTasks(tasks: Draft, from: string, to: string): Draft {
  const isPossible = possibleDependencies(tasks, to).some(({ id }) => id === from)
  return isPossible ? updateTask(tasks, to, ({ dependsOn }) => ({ dependsOn: [...dependsOn, from] })) : tasks
}

export function disconnectTasks(tasks: Draft, from: string, to: string): Draft {
  return updateTask(tasks, to, ({ dependsOn }) => ({ dependsOn: dependsOn.filter((id) => id !== from) }))
}

/** Removes a task. Tasks that waited for it wait for its dependencies instead. */
export function removeTask(tasks: Draft, id: string): Draft {
  const removedTask = tasks.find((task) => task.id === id)
  if (removedTask === undefined) return tasks
  return tasks
    .filter((task) => task.id !== id)
    .map((task) => {
      if (!task.dependsOn.includes(id)) return task
      return {
        ...task,
        dependsOn: [...new Set(task.dependsOn.flatMap((one) => (one === id ? removedTask.dependsOn : [one])))],
      }
    })
}

export function addTask(tasks: Draft, agent: string): Draft {
  const ids = new Set(tasks.map(({ id }) => id))
  let n = tasks.length + 1
  while (ids.has(`task-${n}`)) n++
  return [...tasks, { id: `task-${n}`, agent, text: '', dependsOn: [] }]
}

/** Some places down, or up if negative: in a strategy that works in order, that is when it comes. */
export function moveTask(tasks: Draft, id: string, by: number): Draft {
  const at = tasks.findIndex((task) => task.id === id)
  const to = at + by
  const isPossible = at >= 0 && to >= 0 && to < tasks.length && by !== 0
  return isPossible ? tasks.toSpliced(at, 1).toSpliced(to, 0, tasks[at]!) : tasks
}

/** Changes a task's text or agent. Removes the entities and tools that the planner derived from the old text. */
export function changeTask(
  tasks: Draft,
  id: string,
  change: { readonly text?: string; readonly agent?: string },
): Draft {
  return tasks.map((task) => {
    if (task.id !== id) return task
    const { entities: _entities, tools: _tools, ...rest } = task
    return { ...rest, ...change }
  })
}

function updateTask(tasks: Draft, id: string, change: (task: Task) => Partial<Task>): Draft {
  return tasks.map((task) => (task.id === id ? { ...task, ...change(task) } : task))
}
