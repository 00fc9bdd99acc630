import type { ActorContext } from '../../domain/actor.ts'
import { latestAttempt } from '../../domain/job.ts'
import type { Result, Source } from '../../domain/result.ts'
import type { RunState } from '../../domain/state.ts'
import { planForTeam, type Team } from '../../domain/team.ts'
import { removeMarks } from '../citations.ts'
import { blockedTool, teamRequest } from './team-agent.ts'

/** The result of one check of a team. */
export interface CheckResult {
  readonly question: string
  /** Why it did not pass. */
  readonly flaws: readonly string[]
  /** Calls that were held back, since they would have changed something. */
  readonly heldBack: readonly string[]
  /** It cites `sources` by their places. */
  readonly answer: string
  readonly sources: readonly Source[]
  /** Figures of the answer that its sources contain. */
  readonly figures: readonly string[]
}

/**
 * Runs a team with each of its checks, in trial runs that change nothing and ask no user.
 * @param excluded agents it must not use
 */
export async function tryTeam(
  team: Team,
  ctx: ActorContext,
  excluded: readonly string[],
): Promise<readonly CheckResult[]> {
  const tried: CheckResult[] = []
  const { models, attached, collections, locale, context, systemPrompt } = ctx.request
  for (const { question, contains } of team.checks) {
    const more = {
      models,
      context,
      disableAgents: [...excluded],
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

function judged({ question, contains }: Team['checks'][number], team: Team, state: RunState): CheckResult {
  const ends = planForTeam(team).tasks.map(({ id }) => ({ id, result: latestAttempt(state, id)?.result }))
  const heldBack = ends.flatMap(({ result }) => blockedTools(result))
  const flaws = ends.flatMap(({ id, result }) => {
    const open = result?.unanswered ?? []
    if (result?.status === 'succeeded') return open.length === 0 ? [] : [`“${id}” left open: ${open.join('; ')}`]
    if (heldBack.length > 0 && isFor(result)) return []
    // A failed dependency is reported by the dependency itself.
    if (result?.error?.type === 'DependencyFailed') return []
    return [
      `“${id}” ${result === undefined ? 'was not asked' : `gave nothing: ${(result.error?.message ?? result.status).replace(/\.$/, '')}`}`,
    ]
  })
  const { text: answer = '', citations = [] } = state.answer ?? {}
  const bare = removeMarks(answer)
  const missing = contains.filter((text) => !bare.toLowerCase().includes(text.toLowerCase()))
  const figures = (isMissing: boolean): string[] =>
    (state.answer?.checks?.figures ?? []).flatMap((one) =>
      (one.status === 'not_found') === isMissing ? [one.text] : [],
    )
  const missed = figures(true)
  const unsupported = missed.length === 0 ? [] : [`figures of the answer are in no source: ${missed.join(', ')}`]
  const unfinished = state.status === 'finished' ? [] : [`the run was ${state.status}: ${state.error?.message ?? ''}`]
  return {
    question,
    heldBack,
    answer,
    // Ids are only valid in the trial's own run.
    sources: citations.map(({ source: { id: _id, ...source } }) => source),
    figures: figures(false),
    flaws: [...unfinished, ...flaws, ...missing.map((text) => `the answer does not hold “${text}”`), ...unsupported],
  }
}

/** The tool that a member was kept from calling. */
function blockedTools(result: Result | undefined): readonly string[] {
  const tool = result?.error && blockedTool(result.error)
  return tool === undefined ? [] : [tool]
}

/** Whether it has no result because a call was held back, its own or one of a dependency. */
function isFor(result: Result | undefined): boolean {
  return result === undefined || blockedTools(result).length > 0 || result.error?.type === 'DependencyFailed'
}
