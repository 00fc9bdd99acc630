import type { Task } from '../../domain/plan.ts'
import type { PlannedQuestion } from '../../engine/run/plan-question.ts'
import type { Style } from './style.ts'
import { safeLine } from './text.ts'

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
