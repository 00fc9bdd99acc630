import { lastOf, planForTeam, type Team, type TeamMember } from '../../domain/team.ts'
import { stages } from '../../domain/plan.ts'
import type { Style } from './style.ts'
import { safeLine, escapeHidden } from './text.ts'

/**
 * All of a team as a person reads it: who follows whom, what each member does with which tools, the checks, the limits.
 * Nothing is left out or cut, since it is what a person approves.
 */
export function teamText(team: Team, style: Style, version?: number): string {
  const { name, purpose, strategy, keywords, useCases, supervisor, agents, checks } = team
  const phrases = [...keywords, ...useCases]
  const instructions = supervisor === undefined ? [] : [`Told       ${quoteLine(supervisor)}`]
  return [
    `${style.bold(quoteLine(name))}${version === undefined ? '' : `  version ${version}`}: ${quoteLine(purpose)}`,
    `Order      ${orderOf(team)} (${strategy})`,
    ...agents.flatMap((member) => memberLines(member, style)),
    ...instructions,
    ...(phrases.length === 0 ? [] : [`Asked for  ${phrases.map(quoted).join(', ')}`]),
    'Must pass, before it is used',
    ...checks.map(({ question, contains }) => {
      const needed = contains.length === 0 ? '' : `; the answer must hold ${contains.map(quoted).join(', ')}`
      return `  ${quoted(question)}${needed}`
    }),
    `Limits     ${limitsOf(team)}`,
  ].join('\n')
}

/** As a row of arrows: members side by side are joined by a plus. */
function orderOf(team: Team): string {
  const rows = stages(planForTeam(team)).map((row) => row.map(({ id }) => id))
  const joint = team.strategy === 'pipeline' ? ' → ' : ' + '
  return [...rows.map((row) => row.join(joint)), `answer of ${lastOf(team).join(' and ')}`].join(' → ')
}

function memberLines({ name, purpose, tools, task, after, call }: TeamMember, style: Style): string[] {
  const waits = after.length === 0 ? '' : `, after ${after.join(' and ')}`
  const has = tools.length === 0 ? 'no tools' : tools.map(quoteLine).join(', ')
  return [
    `  ${style.bold(name)}${waits}: ${quoteLine(purpose)}`,
    `    with   ${has}`,
    `    does   ${quoteLine(task)}`,
    ...(call === undefined
      ? []
      : [`    calls  ${quoteLine(call.tool)} ${safeLine(escapeHidden(JSON.stringify(call.input)))}, each time`]),
  ]
}

function limitsOf({ budget = {} }: Team): string {
  const { maxCalls, maxTokens, maxCostUsd } = budget
  const limits = [
    ...(maxCalls === undefined ? [] : [`${maxCalls} calls`]),
    ...(maxTokens === undefined ? [] : [`${maxTokens} tokens`]),
    ...(maxCostUsd === undefined ? [] : [`${maxCostUsd} USD`]),
  ]
  const share = 'half of what the run that asks it has left'
  return limits.length === 0 ? `at most ${share}` : `at most ${limits.join(', ')}, and ${share}`
}

function quoted(text: string): string {
  return `“${quoteLine(text)}”`
}

/** On one line, complete, and escaped as in JSON: a line break cannot imitate the end of the text. */
function quoteLine(text: string): string {
  return safeLine(escapeHidden(JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')))
}
