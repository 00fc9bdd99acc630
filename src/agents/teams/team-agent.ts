import { z } from 'zod'
import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import { TuttiError, type ErrorInfo } from '../../core/errors.ts'
import { given } from '../../core/given.ts'
import type { Owner } from '../../core/owner.ts'
import { combine, ownData, type Provenance } from '../../core/provenance.ts'
import { requestSchema, type RunRequest } from '../../core/request.ts'
import { agentResultsOf, uncitedSources } from '../../core/response.ts'
import type { Outcome } from '../../core/result.ts'
import type { RunState } from '../../core/state.ts'
import { unansweredIn } from '../../core/unanswered.ts'
import { TEAM_TOOL, type Team, type TeamStore, type TeamVersion } from '../../core/team.ts'
import { defineTool } from '../../core/tool.ts'
import { splitClauses } from '../../language/clauses.ts'
import { replaceMarks } from '../citations.ts'
import { TEAM_TIMEOUT_MS } from './members.ts'
import { keywordsOf, saidIn, unlooked, unreadBy } from '../team-words.ts'

/** Of what another user wrote in a team. */
const SHARED_TEAM = ownData('a team that somebody shared')

/** The labels that a run with a team inherits. */
export function teamLabels({ owner, provenance }: Pick<TeamVersion, 'owner' | 'provenance'>, user: Owner): Provenance {
  return combine([provenance, owner === user ? undefined : SHARED_TEAM])
}

/**
 * A team as one agent: its work is a run of its own. The version that a job begins with is in the journal, so that the
 * job goes on with it when another one has become the current one meanwhile. What another user wrote
 * in it is not in the words of the one who uses it.
 */
export function teamAgent(current: TeamVersion, store: Pick<TeamStore, 'versions'>, user: Owner): Agent {
  const { team } = current
  const pin = defineTool({
    name: `${TEAM_TOOL}${team.name}`,
    description: team.purpose,
    effect: 'read',
    reach: 'inside',
    provenance: teamLabels(current, user),
    input: z.object({ team: z.string() }),
    run: async () => ({ version: `v${current.version}` }),
  })
  const parts = team.agents.map(({ purpose }) => purpose)
  return defineAgent({
    name: team.name,
    label: `the team “${team.name}”`,
    description: `${team.purpose} A team of ${team.agents.length}: ${parts.join(' ')}`,
    capabilities: parts,
    useCases: team.useCases,
    keywords: keywordsOf(team),
    planning: { takes: 'known' },
    tools: [pin],
    limits: { timeoutMs: TEAM_TIMEOUT_MS, retries: 0 },
    async run(task, ctx) {
      const { version } = await ctx.call(pin, { team: team.name })
      const begun =
        version === `v${current.version}`
          ? current
          : (await store.versions(current.owner, team.name)).find((one) => `v${one.version}` === version)
      if (begun === undefined)
        throw new TuttiError('ConfigurationError', `The team “${team.name}” is not there any more.`)
      const isOffline = (await ctx.transcript.model()) === undefined
      const open = isOffline ? passedOver(begun.team, task.text, ctx.request.question) : NOTHING_OPEN
      if (open.isAll) {
        const message = `The team “${team.name}” does its steps as they were built, and none of them is about this.`
        return { status: 'failed', error: { type: 'PlanningDeclined', message } }
      }
      return outcomeOf(
        await ctx.startRun(requestFor(begun.team, task, ctx)),
        begun,
        isOffline ? task : undefined,
        open.parts,
      )
    },
  })
}

/** What a team is asked, with what its caller knows. */
export function requestFor(team: Team, task: AgentTask, { request }: ActorContext): RunRequest {
  const found = task
    .inputs()
    .flatMap(({ actor, result }) => (result.answer === undefined ? [] : [`${actor}: ${result.answer}`]))
  const { context, models, disableAgents, attached, collections, locale, systemPrompt } = request
  return teamRequest(team, task.text, {
    context: { ...context, ...(found.length === 0 ? {} : { found: found.join('\n') }) },
    models,
    disableAgents,
    ...given({ attached, collections, locale, systemPrompt }),
  })
}

/** A request that a team works on. */
export function teamRequest(team: Team, question: string, more: Partial<RunRequest> = {}): RunRequest {
  const told = [more.systemPrompt, team.supervisor].filter((text) => text !== undefined)
  return Object.freeze({
    ...requestSchema.parse({ question, strategy: team.strategy, budget: team.budget ?? {}, memory: false }),
    ...more,
    team,
    context: { ...more.context, request: question },
    ...(told.length === 0 ? {} : { systemPrompt: told.join('\n\n') }),
  })
}

/** What a user asks one team; the first of its checks where they say nothing. Words of another one's team are not theirs. */
export function askedOf({ team, owner }: TeamVersion, user: Owner, question?: string): RunRequest {
  const said = owner === user ? {} : { said: question ?? '' }
  return teamRequest(team, question ?? team.checks[0]!.question, said)
}

/** @param task without a model: what it says that is none of the team's is left open */
function outcomeOf(
  state: RunState,
  { team, version }: TeamVersion,
  task: AgentTask | undefined,
  open: readonly string[],
): Outcome {
  const { status, answer, error, runId, jobs } = state
  if (status === 'failed' && error !== undefined) throw TuttiError.fromInfo(error)
  if (status !== 'finished' || answer === undefined) {
    throw new TuttiError('Cancelled', `The run of the team “${team.name}” was ${status}.`)
  }
  const ofMembers = [...jobs.values()].flatMap(({ result }) => result?.unanswered ?? [])
  const missed = unansweredIn(state).filter((one) => one.error === undefined || heldBackBy(one.error) === undefined)
  const whole = missed.map((one) => one.task.text ?? one.task.id)
  const { remarks: unread, parts } = task === undefined ? { remarks: [], parts: [] } : unlooked(team, task.text)
  const ofJobs = [...jobs.values()].flatMap(({ result }) => result?.remarks ?? [])
  const remarks = [...new Set([...ofJobs, ...unread])]
  // Whoever asked the team says them beside the answer.
  const text = answer.text.split('\n\n').filter((paragraph) => !remarks.includes(paragraph))
  const unanswered = [...new Set([...whole, ...ofMembers, ...(answer?.unanswered ?? []), ...open, ...parts])]
  const models = [...new Set([...jobs.values()].flatMap(({ result }) => result?.models ?? []))]
  // Whoever asked the team checks its own answer against them.
  const figures = answer.checks?.figures.flatMap(({ text, status: how }) => (how === 'not_found' ? [] : [text]))
  const data = { team: team.name, version, runId, ...given({ figures }) }
  const { citations = [] } = answer
  const sources = [
    ...citations.map(({ source }) => source),
    ...uncitedSources({ agentResults: agentResultsOf(state), citations }),
  ]
  if (answer.isAnswered === false) {
    return { status: 'failed', data, error: { type: 'ToolError', message: answer.text } }
  }
  return {
    // Marks stand for the sources in their order. Without a model whoever asked the team numbers them anew.
    answer: models.length > 0 ? text.join('\n\n') : replaceMarks(text.join('\n\n'), () => undefined),
    data,
    ...(models.length === 0 ? {} : { models }),
    ...given({ tabular: answer.data, confidence: answer.confidence }),
    ...(sources.length === 0 ? {} : { sources }),
    ...(unanswered.length === 0 ? {} : { unanswered }),
    ...(remarks.length === 0 ? {} : { remarks }),
  }
}

/** The tool that a trial was kept from calling. */
export function heldBackBy({ type, details }: ErrorInfo): string | undefined {
  return type === 'ApprovalDenied' && details?.reason === 'trial_run' ? (details.tool ?? '') : undefined
}

const NOTHING_OPEN = { parts: [], isAll: false }

/**
 * Without a model: parts of a task that are about something else than the team is: most of what they say is none of its. Whoever asks it for one thing
 * alone has chosen it, and is told which words it did not look at.
 */
function passedOver(
  team: Team,
  task: string,
  question: string,
): { readonly parts: readonly string[]; readonly isAll: boolean } {
  const parts = splitClauses(task).map(({ text }) => text)
  if (parts.length === 1 && task === question) return { parts: [], isAll: false }
  const open = parts.filter((part) => 2 * unreadBy(team, part).length > saidIn(part).length)
  return { parts: open, isAll: open.length === parts.length }
}
