import type { ActorContext } from '../../core/actor.ts'
import { latestAttempt } from '../../core/attempts.ts'
import type { Result } from '../../core/result.ts'
import type { RunState } from '../../core/state.ts'
import type { Table } from '../../core/table.ts'
import { planOf, type Team } from '../../core/team.ts'
import { figuresIn } from '../../language/figures/read.ts'
import { tokensOf } from '../../language/tokens.ts'
import { comparedIn, isNamed, shortly } from './compared-tables.ts'
import { heldBackBy, teamRequest } from './team-agent.ts'

/** What came of a check of a team. */
export interface Tried {
  readonly question: string
  /** Why it did not pass. */
  readonly flaws: readonly string[]
  /** Calls that were held back, since they would have changed something. */
  readonly heldBack: readonly string[]
  /** What no program held it against, in sentences. */
  readonly unsure: readonly string[]
}

/** Puts a team to each of its checks, in runs that change nothing and ask nobody. @param leftOut whom it may not work with */
export async function tryTeam(team: Team, ctx: ActorContext, leftOut: readonly string[]): Promise<readonly Tried[]> {
  const tried: Tried[] = []
  const { models, attached, collections, locale, context, systemPrompt } = ctx.request
  for (const { question, contains } of team.checks) {
    const more = {
      models,
      context,
      disableAgents: [...leftOut],
      shadow: true,
      interactive: false,
      ...(attached && { attached }),
      ...(collections && { collections }),
      ...(locale && { locale }),
      ...(systemPrompt && { systemPrompt }),
    }
    const state = await ctx.startRun(teamRequest(team, question, more))
    tried.push(judged({ question, contains }, team, state))
  }
  return tried
}

function judged({ question, contains }: Team['checks'][number], team: Team, state: RunState): Tried {
  const ends = planOf(team).tasks.map(({ id }) => ({ id, result: latestAttempt(state, id)?.result }))
  const heldBack = ends.flatMap(({ result }) => heldBackIn(result))
  const flaws = ends.flatMap(({ id, result }) => {
    const open = result?.unanswered ?? []
    if (result?.status === 'succeeded') return open.length === 0 ? [] : [`“${id}” left open: ${open.join('; ')}`]
    if (heldBack.length > 0 && isFor(result)) return []
    // Whoever waited for somebody who failed says no more than that.
    if (result?.error?.type === 'DependencyFailed') return []
    return [
      `“${id}” ${result === undefined ? 'was not asked' : `gave nothing: ${(result.error?.message ?? result.status).replace(/\.$/, '')}`}`,
    ]
  })
  const answer = state.answer?.text ?? ''
  const held = ends.flatMap(({ id, result }) => {
    const compared = comparedIn(result?.data)
    return compared === undefined ? [] : [{ id, ...compared }]
  })
  // What the program put in place of it is no work of the team.
  const lacking = held.flatMap(({ due, missing }) => [...missing, ...due.filter((text) => !isNamed(text, answer))])
  const undone = [
    ...(lacking.length === 0 ? [] : [`the answer lacks what a program finds: ${shortly([...new Set(lacking)])}`]),
    ...held.flatMap(({ id, extra }) =>
      extra.length === 0 ? [] : [`“${id}” finds what a program does not find so: ${shortly(extra)}`],
    ),
  ]
  const missing = contains.filter((text) => !answer.toLowerCase().includes(text.toLowerCase()))
  const unfinished = state.status === 'finished' ? [] : [`the run was ${state.status}: ${state.error?.message ?? ''}`]
  return {
    question,
    heldBack,
    unsure: held.flatMap(({ id, unsure }) =>
      unsure === undefined ? [] : [`No program could tell whether “${id}” misses anything: ${unsure}.`],
    ),
    flaws: [
      ...unfinished,
      ...flaws,
      ...undone,
      ...untoldIn(team, state),
      ...missing.map((text) => `the answer does not hold “${text}”`),
    ],
  }
}

/** The tool that a member was kept from calling. */
function heldBackIn(result: Result | undefined): readonly string[] {
  const tool = result?.error && heldBackBy(result.error)
  return tool === undefined ? [] : [tool]
}

/** Whether it came to nothing because of a call that was held back, of its own or of one that it waits for. */
function isFor(result: Result | undefined): boolean {
  return result === undefined || heldBackIn(result).length > 0 || result.error?.type === 'DependencyFailed'
}

/**
 * Members whose own work the answer holds nothing of: of a table, its figures where it is one row, else how many rows it has, or
 * one of their names; of a text, a word that its task does not say. Whoever works on a table tells of it in another way.
 */
function untoldIn({ agents }: Team, state: RunState): readonly string[] {
  const answer = state.answer?.text ?? ''
  const words = new Set(tokensOf(answer))
  return agents.flatMap(({ name, task, tools }) => {
    const { status, tabular, answer: said } = latestAttempt(state, name)?.result ?? {}
    const isWorkedOn = agents.some((other) => other.after.includes(name) && other.tools.length > 0)
    if (status !== 'succeeded' || tools.length === 0 || isWorkedOn) return []
    const own = new Set(tokensOf(task))
    const texts = tokensOf(said ?? '').filter((word) => !own.has(word))
    const isTold =
      tabular === undefined ? texts.length === 0 || texts.some((word) => words.has(word)) : isTableTold(tabular, answer)
    return isTold ? [] : [`the answer holds nothing of what “${name}” found`]
  })
}

function isTableTold({ columns, rows, rowCount }: Table, answer: string): boolean {
  const [first] = rows
  if (first === undefined) return true
  const readings = figuresIn(answer).flatMap((one) => (one.kind === 'number' ? one.readings : []))
  const holds = (cell: unknown): boolean =>
    typeof cell === 'number'
      ? readings.some(({ from, to }) => from <= cell && cell <= to)
      : isNamed(String(cell ?? ''), answer)
  const numbers = columns.map((column) => first[column]).filter((cell) => typeof cell === 'number')
  if (rows.length === 1 && numbers.length > 0) return numbers.every(holds)
  return holds(rowCount) || rows.some((row) => holds(row[columns[0]!]))
}
