import { z } from 'zod'
import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../domain/actor.ts'
import { TuttiError, type ErrorInfo } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Owner } from '../../domain/events.ts'
import { combine, ownData, type Provenance } from '../../domain/provenance.ts'
import { requestSchema, type RunRequest } from '../../domain/request.ts'
import { agentResultsOf } from '../../domain/agent-results.ts'
import { answeredOf, uncitedSources } from '../../domain/response.ts'
import type { Outcome } from '../../domain/result.ts'
import type { RunState } from '../../domain/state.ts'
import { unansweredIn } from '../../domain/answer-status.ts'
import { TEAM_TOOL, type Team, type TeamStore, type TeamVersion } from '../../domain/team.ts'
import { defineTool } from '../../domain/tool.ts'
import { replaceMarks } from '../citations.ts'
import { TEAM_TIMEOUT_MS } from './members.ts'

/** Labels of another user's text in a team. */
const SHARED_TEAM = ownData('a team that somebody shared')

/** The labels that a run with a team inherits. */
export function teamLabels({ owner, provenance }: Pick<TeamVersion, 'owner' | 'provenance'>, user: Owner): Provenance {
  return combine([provenance, owner === user ? undefined : SHARED_TEAM])
}

/**
 * A team as one agent, whose work is a nested run. The version that a job starts with is journalled, so that the job
 * continues with it even if another version becomes the current one. Another user's text in the team does not count as
 * the asking user's words.
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
    description: team.purpose,
    capabilities: parts,
    useCases: team.useCases,
    keywords: [team.name, ...team.keywords],
    tools: [pin],
    limits: { timeoutMs: TEAM_TIMEOUT_MS, retries: 0 },
    async run(task, ctx) {
      const { version } = await ctx.call(pin, { team: team.name })
      const begun =
        version === `v${current.version}`
          ? current
          : (await store.versions(current.owner, team.name)).find((one) => `v${one.version}` === version)
      if (begun === undefined) throw new TuttiError('ConfigurationError', `The team “${team.name}” no longer exists.`)
      return outcomeOf(await ctx.startRun(requestFor(begun.team, task, ctx)), begun)
    },
  })
}

/** The request to a team, with its caller's data. */
export function requestFor(team: Team, task: AgentTask, { request }: ActorContext): RunRequest {
  const found = task
    .inputs()
    .flatMap(({ actor, result }) => (result.answer === undefined ? [] : [`${actor}: ${result.answer}`]))
  const { context, models, disableAgents, attached, collections, locale, systemPrompt } = request
  return teamRequest(team, task.text, {
    context: { ...context, ...(found.length === 0 ? {} : { found: found.join('\n') }) },
    models,
    disableAgents,
    ...omitUndefined({ attached, collections, locale, systemPrompt }),
  })
}

/** A request that a team works on. */
export function teamRequest(team: Team, question: string, more: Partial<RunRequest> = {}): RunRequest {
  const prompts = [more.systemPrompt, team.supervisor].filter((text) => text !== undefined)
  return Object.freeze({
    ...requestSchema.parse({ question, strategy: team.strategy, budget: team.budget ?? {}, memory: false }),
    ...more,
    team,
    context: { ...more.context, request: question },
    ...(prompts.length === 0 ? {} : { systemPrompt: prompts.join('\n\n') }),
  })
}

/**
 * A request to one team; without a question, its first check is used. For another user's team that check is not the
 * user's own words.
 */
export function teamRunRequest({ team, owner }: TeamVersion, user: Owner, question?: string): RunRequest {
  const context = owner === user ? {} : { said: question ?? '' }
  return teamRequest(team, question ?? team.checks[0]!.question, context)
}

function outcomeOf(state: RunState, { team, version }: TeamVersion): Outcome {
  const { status, answer, error, runId, jobs } = state
  if (status === 'failed' && error !== undefined) throw TuttiError.fromInfo(error)
  if (status !== 'finished' || answer === undefined) {
    throw new TuttiError('Cancelled', `The run of the team “${team.name}” was ${status}.`)
  }
  const { isAnswered, unanswered: open } = answeredOf(state)
  // Parts that a trial held back are not the team's fault.
  const heldBack = unansweredIn(state).flatMap(({ task, error }) =>
    error !== undefined && blockedTool(error) !== undefined ? [task.text ?? state.request.question] : [],
  )
  const unanswered = open.filter((part) => !heldBack.includes(part))
  const ofJobs = [...jobs.values()].flatMap(({ result }) => result?.remarks ?? [])
  const remarks = [...new Set(ofJobs)]
  // The calling run shows the remarks beside its own answer.
  const text = answer.text.split('\n\n').filter((paragraph) => !remarks.includes(paragraph))
  const models = [...new Set([...jobs.values()].flatMap(({ result }) => result?.models ?? []))]
  // The calling run checks the figures of its own answer against these.
  const figures = answer.checks?.figures.flatMap(({ text, status: how }) => (how === 'not_found' ? [] : [text]))
  const data = { team: team.name, version, runId, ...omitUndefined({ figures }) }
  const { citations = [] } = answer
  const sources = [
    ...citations.map(({ source }) => source),
    ...uncitedSources({ agentResults: agentResultsOf(state), citations }),
  ]
  if (answer.isAnswered === false || (!isAnswered && heldBack.length === 0)) {
    return { status: 'failed', data, error: { type: 'ToolError', message: answer.text } }
  }
  return {
    // Marks number the sources in order. Without a model the calling run numbers them again, so they are removed.
    answer: models.length > 0 ? text.join('\n\n') : replaceMarks(text.join('\n\n'), () => undefined),
    data,
    ...(models.length === 0 ? {} : { models }),
    ...omitUndefined({ tabular: answer.data, confidence: answer.confidence }),
    ...(sources.length === 0 ? {} : { sources }),
    ...(unanswered.length === 0 ? {} : { unanswered }),
    ...(remarks.length === 0 ? {} : { remarks }),
  }
}

/** The tool that a trial was kept from calling. */
export function blockedTool({ type, details }: ErrorInfo): string | undefined {
  return type === 'ApprovalDenied' && details?.reason === 'trial_run' ? (details.tool ?? '') : undefined
}
