import type { Task } from '../../domain/plan.ts'
import type { PlannedQuestion } from '../../engine/run/plan-question.ts'
import type { Style } from './style.ts'
import { safeLine } from './text.ts'

/** Maximum length of a task's text in a box of the graph. */
const MAX_LABEL_CHARS = 60

/** A plan in readable form: what was understood, then the stages with agents and dependencies. */
export function planText(planned: PlannedQuestion, style: Style): string {
  const { intent, entities, stages, rationale, confidence, guardrails, strategy } = planned
  const { strategy: chosen } = guardrails
  const named = Object.entries(entities).map(entityLine)
  const sure = confidence === undefined ? '' : ` (confidence ${confidence})`
  return [
    ...(intent === undefined || intent === '' ? [] : [`Intent    ${safeLine(intent)}`]),
    ...(named.length === 0 ? [] : [`Entities  ${safeLine(named.join('; '))}`]),
    `Strategy  ${safeLine(typeof chosen === 'string' ? `${strategy}. ${chosen}` : strategy)}`,
    `Why       ${safeLine(rationale)}${sure}`,
    ...stages.flatMap((tasks, i) => [
      '',
      style.bold(stageTitle(i, tasks.length)),
      ...tasks.flatMap(taskLines(planned)),
    ]),
  ].join('\n')
}

function stageTitle(index: number, tasks: number): string {
  return `Stage ${index + 1}${tasks > 1 ? `, ${tasks} tasks side by side` : ''}`
}

function taskLines({ question, entities }: PlannedQuestion) {
  return ({ id, agent, text = question, dependsOn, tools, entities: own = {} }: Task): string[] => {
    const name = id === agent ? agent : `${id} (${agent})`
    const waits = dependsOn.length === 0 ? '' : `, after ${dependsOn.join(', ')}`
    const about = Object.entries(own).filter(([key, value]) => entityText(value) !== entityText(entities[key]))
    return [
      `  ${safeLine(name)}${waits}`,
      `    ${safeLine(text)}`,
      ...(tools === undefined ? [] : [`    with ${safeLine(tools.join(', '))}`]),
      ...(about.length === 0 ? [] : [`    ${safeLine(about.map(entityLine).join('; '))}`]),
    ]
  }
}

function entityLine([name, value]: readonly [string, unknown]): string {
  return `${name.replaceAll('_', ' ')}: ${entityText(value)}`
}

function entityText(value: unknown): string {
  if (Array.isArray(value)) return value.map(entityText).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  const { from, to } = value as { from?: unknown; to?: unknown }
  if (from === undefined && to === undefined) return JSON.stringify(value)
  if (to === undefined) return `from ${String(from)}`
  return from === undefined ? `to ${String(to)}` : `${String(from)} to ${String(to)}`
}

/** The plan as a Mermaid flowchart. A task of a later stage without dependencies follows the stage before it. */
export function planMermaid({ question, tasks, stages }: PlannedQuestion): string {
  const nodes = new Map(tasks.map((task, i) => [task.id, `t${i + 1}`]))
  const follows = stages.flatMap((stage, i) =>
    stage.map(({ id, dependsOn }) => {
      const before = dependsOn.length > 0 ? dependsOn : (stages[i - 1] ?? []).map((task) => task.id)
      return { id, before }
    }),
  )
  const used = new Set(follows.flatMap(({ before }) => before))
  const last = tasks.filter(({ id }) => !used.has(id)).map(({ id }) => nodes.get(id)!)
  return [
    'flowchart LR',
    '  planner(["Planner"])',
    ...stages.flatMap((stage, i) => [
      `  subgraph s${i + 1}["Stage ${i + 1}"]`,
      ...stage.map((task) => `    ${nodes.get(task.id)!}["${labelOf(task, question)}"]`),
      '  end',
    ]),
    '  answer(["Answer"])',
    ...follows.flatMap(({ id, before }) =>
      (before.length === 0 ? ['planner'] : before.map((other) => nodes.get(other)!)).map(
        (from) => `  ${from} --> ${nodes.get(id)!}`,
      ),
    ),
    ...(last.length === 0 ? ['planner'] : last).map((from) => `  ${from} --> answer`),
  ].join('\n')
}

/** Mermaid parses Markdown and HTML in labels, so all other characters are written as numeric entities. */
function labelOf({ id, agent, text = '' }: Task, question: string): string {
  const line = safeLine(text === '' ? question : text)
  const shown = line.length > MAX_LABEL_CHARS ? `${line.slice(0, MAX_LABEL_CHARS - 1)}…` : line
  return `${escaped(id === agent ? agent : `${id} (${agent})`)}<br/>${escaped(shown)}`
}

function escaped(text: string): string {
  return [...text]
    .map((char) => (/[\p{L}\p{N} .,:;!?…()/%+=_-]/u.test(char) ? char : `#${char.codePointAt(0)};`))
    .join('')
}
