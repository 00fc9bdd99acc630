import type { ActorContext } from '../../core/actor.ts'
import { latestAttempt } from '../../core/attempts.ts'
import type { Result } from '../../core/result.ts'
import type { RunState } from '../../core/state.ts'
import { planOf, type Team } from '../../core/team.ts'
import { teamRequest } from './team-agent.ts'

/** What came of a check of a team. */
export interface Tried {
  readonly question: string
  /** Why it did not pass. */
  readonly flaws: readonly string[]
  /** Calls that were held back, since they would have changed something. */
  readonly heldBack: readonly string[]
}

/** Puts a team to each of its checks, in runs that change nothing and ask nobody. */
export async function tryTeam(team: Team, ctx: ActorContext): Promise<readonly Tried[]> {
  const tried: Tried[] = []
  const { models, attached, locale, context } = ctx.request
  for (const { question, contains } of team.checks) {
    const more = {
      models,
      context,
      shadow: true,
      interactive: false,
      ...(attached && { attached }),
      ...(locale && { locale }),
    }
    tried.push(judged(question, contains, team, await ctx.startRun(teamRequest(team, question, more))))
  }
  return tried
}

function judged(question: string, contains: readonly string[], team: Team, state: RunState): Tried {
  const ends = planOf(team).tasks.map(({ id }) => ({ id, result: latestAttempt(state, id)?.result }))
  const heldBack = ends.flatMap(({ result }) => heldBackIn(result))
  const flaws = ends.flatMap(({ id, result }) => {
    if (result?.status === 'succeeded' || (heldBack.length > 0 && isFor(result))) return []
    return [
      `“${id}” ${result === undefined ? 'was not asked' : `gave nothing: ${result.error?.message ?? result.status}`}`,
    ]
  })
  const answer = state.answer?.text ?? ''
  const missing = contains.filter((text) => !answer.toLowerCase().includes(text.toLowerCase()))
  const unfinished = state.status === 'finished' ? [] : [`the run was ${state.status}: ${state.error?.message ?? ''}`]
  return {
    question,
    heldBack,
    flaws: [...unfinished, ...flaws, ...missing.map((text) => `the answer does not hold “${text}”`)],
  }
}

/** The tool that a member was kept from calling. */
function heldBackIn(result: Result | undefined): readonly string[] {
  const error = result?.error
  return error?.type === 'ApprovalDenied' && error.details?.reason === 'trial_run' ? [error.details.tool ?? ''] : []
}

/** Whether it came to nothing because of a call that was held back, of its own or of one that it waits for. */
function isFor(result: Result | undefined): boolean {
  return result === undefined || heldBackIn(result).length > 0 || result.error?.type === 'DependencyFailed'
}
