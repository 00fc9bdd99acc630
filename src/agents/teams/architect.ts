import { z } from 'zod'
import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../domain/actor.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { omitUndefined, truncate } from '../../shared/json.ts'
import type { Owner } from '../../domain/events.ts'
import { BY_USER } from '../../domain/provenance.ts'
import type { RunRequest } from '../../domain/request.ts'
import type { Outcome } from '../../domain/result.ts'
import { parseTeam, teamName, type Team, type TeamStore } from '../../domain/team.ts'
import { defineTool } from '../../domain/tool.ts'
import { contextLines } from '../../domain/context.ts'
import { replaceMarks } from '../citations.ts'
import { excludedNames, excludedTools } from './architect-request.ts'
import { withFreeName, versionRemark, teamProblems, nameConflict, type Registry } from './registry.ts'
import { failingCalls } from './fixed-call.ts'
import { isUnusable, TEAM_TIMEOUT_MS } from './members.ts'
import { designTeam } from './prompts.ts'
import { SAVE_TEAM, teamTools } from './tools.ts'
import { tryTeam, type CheckResult } from './trial.ts'

/** A first design, and a second one with the error of the first if that cannot be used. */
const MAX_ASKS = 2
/** Maximum characters of a trial's answer that are shown. */
const MAX_ANSWER = 2_000

/** Keys of a request's context. */
export const TEAM_GIVEN = 'team_given'
/** The user's name for the team. */
export const TEAM_NAMED = 'team_named'

/** The database schemas for the architect. */
export interface KnownDatabases {
  /** As the SQL agent sees them: tables, columns and stored values. */
  readonly text: string
  /** Sentences about unreadable databases, or that there are none. */
  readonly lacking: readonly string[]
}

export interface ArchitectParts {
  readonly store: TeamStore
  /** Describes the databases, by a call of this job. */
  readonly databasesOf: (ctx: ActorContext, excluded: readonly string[]) => Promise<KnownDatabases>
  readonly registryOf: (owner: Owner) => Promise<Registry>
}

/**
 * Builds teams: designs one for a goal from the available tools, or takes one that is given as data. A user approves
 * exactly that team. It is tested with its own checks in runs that change nothing, and then becomes one of the agents.
 */
export function architectAgent(parts: ArchitectParts): Agent {
  return defineAgent({
    name: 'architect',
    label: 'the architect',
    description: 'Builds and changes teams of agents for recurring work, from the tools that are there.',
    capabilities: ['teams of agents as data, approved and tried before they are used'],
    useCases: [],
    keywords: VERBS.flatMap((verb) => [`${verb} a team`, `${verb} me a team`, `${verb} us a team`]),
    planning: { rank: 200 },
    tools: [SAVE_TEAM],
    limits: { timeoutMs: TEAM_TIMEOUT_MS, retries: 0 },
    followsInstructions: true,
    run: (task, ctx) => build(task, ctx, parts),
  })
}

const DESIGN_TEAM = {
  name: 'design_team',
  description: 'Designs a team for the goal.',
  effect: 'read',
  reach: 'inside',
  provenance: BY_USER,
  input: z.object({ round: z.number() }),
} as const

/** Designs, each but the first with the instructions of an approval. */
const MAX_ROUNDS = 5

const VERBS = ['build', 'create', 'make', 'design', 'set up', 'assemble', 'put together']

async function build(task: AgentTask, ctx: ActorContext, parts: ArchitectParts): Promise<Outcome> {
  const registry = await parts.registryOf(ctx.owner)
  const toolsFor = (remark = '', version?: number) =>
    teamTools(parts.store, ctx.owner, () => ctx.now(), remark, version)
  const handedOver = ctx.request.context[TEAM_GIVEN]
  if (handedOver !== undefined) {
    const { team } = await ctx.call(toolsFor().receive, { team: handedOver })
    return saveAndTry(await checked(team, registry, ctx), ctx, registry, toolsFor)
  }
  // Journalled, so that the design after a restart is the approved one.
  const designed = (round: number, text: string): Promise<Team> => {
    const run = () => design({ ...task, text }, ctx, registry, parts)
    return ctx.call(defineTool({ ...DESIGN_TEAM, run }), { round })
  }
  let text = task.text
  for (let round = 1; ; round++) {
    try {
      return await saveAndTry(await designed(round, text), ctx, registry, toolsFor)
    } catch (thrown) {
      const instructed = TuttiError.is(thrown, 'ApprovalInstructed') ? thrown.details?.task : undefined
      if (instructed === undefined || round === MAX_ROUNDS) throw thrown
      text = instructed
    }
  }
}

async function saveAndTry(
  team: Team,
  ctx: ActorContext,
  registry: Registry,
  toolsFor: (remark?: string, sinceVersion?: number) => ReturnType<typeof teamTools>,
): Promise<Outcome> {
  const { version: next } = await ctx.call(toolsFor().count, { name: team.name })
  const before = registry.versions.find(({ name, owner }) => name === team.name && owner === ctx.owner)
  const compared = next === 1 ? '' : versionRemark(team, next, before)
  const tools = toolsFor(compared, next)
  ctx.note('DECISION', `A team of ${team.agents.length} was designed`, { team })
  const { version } = await ctx.call(tools.save, { team })
  const tried = await tryTeam(team, ctx, excludedNames(ctx.request))
  const flaws = tried.flatMap((one) => one.flaws)
  const status = flaws.length === 0 ? 'ready' : 'failed'
  const remark = tried.map(inWords).join(' ')
  await ctx.call(tools.settle, { name: team.name, version, status, remark })
  // The figures of the trials are the evidence for an answer that mentions them.
  const data = { team, version, status, checks: tried, figures: tried.flatMap((one) => one.figures) }
  if (flaws.length > 0) {
    const message = `The team “${team.name}” (version ${version}) is saved and not used, since it did not pass its checks. ${remark} It can be changed and tried again on its page (/teams/${team.name}).`
    const remarks = compared === '' ? {} : { remarks: [`${compared}.`] }
    return { status: 'failed', data, error: { type: 'ToolError', message }, ...remarks }
  }
  const members = team.agents.map(({ name, purpose }) => `- ${name}: ${purpose}`)
  const replaced = before === undefined ? '' : ` It is used in place of version ${before.version}.`
  const ready = `The team “${team.name}” (version ${version}) is ready: ${howToAsk(team)}${replaced}`
  const sources = tried.flatMap((one) => one.sources)
  const trials = tried.flatMap((one, at) => {
    const before = tried.slice(0, at).flatMap((other) => other.sources).length
    const renumbered = replaceMarks(one.answer, (n) => (n > one.sources.length ? undefined : n + before))
    return [inWords(one), truncate(renumbered, MAX_ANSWER).replace(/^/gm, '> ')]
  })
  const answer = [ready, members.join('\n'), ...trials].join('\n\n')
  return { answer, data, ...(sources.length === 0 ? {} : { sources }) }
}

function howToAsk({ name, keywords: [phrase] }: Team): string {
  return phrase === undefined ? `ask “the ${name} team”.` : `ask for “${phrase}”, or name it.`
}

async function design(task: AgentTask, ctx: ActorContext, registry: Registry, parts: ArchitectParts): Promise<Team> {
  const excluded = excludedNames(ctx.request)
  const isLeft = ({ name }: { readonly name: string }): boolean => excluded.includes(name)
  const agents = registry.agents.filter((agent) => !isLeft(agent))
  const outside = excludedTools(registry.agents, ctx.request)
  const { tools, versions } = registry
  const named = nameIn(ctx.request.context, registry)
  const { text, lacking } = await parts.databasesOf(ctx, excluded)
  let problem: string | undefined
  let last: string | undefined
  if ((await ctx.transcript.model()) === undefined) throw impossible(NEEDS_MODEL)
  for (let attempt = 0; attempt < MAX_ASKS; attempt++) {
    const input = {
      goal: task.text,
      tools: [...tools.values()]
        .flatMap((known) => (outside.has(known.info.name) || isUnusable(known, registry) ? [] : [known]))
        .map(({ info: { name, description, effect }, ...known }) => ({
          name,
          description,
          effect,
          agent: agents.find((agent) => agent.tools?.some((tool) => tool.name === name))?.name ?? '',
          ...('bound' in known ? { input: known.bound.inputSchema } : {}),
        })),
      tables: text,
      context: contextLines(ctx.request.context),
      teams: versions.filter((one) => !isLeft(one)).map(({ team }) => ({ name: team.name, purpose: team.purpose })),
      ...omitUndefined({ last, problem }),
    }
    const { value, by, reason: fault } = await ctx.ask(designTeam, input)
    if (by === 'fallback') {
      problem = fault
      break
    }
    if (value.team === null) {
      const reason = value.reason || 'No team can reach this goal with what is at hand.'
      throw impossible([reason, ...lacking].join(' '))
    }
    try {
      return withFreeName(await checked({ ...value.team, ...named }, registry, ctx), registry)
    } catch (thrown) {
      problem = toTuttiError(thrown).message
    }
    last = JSON.stringify(value.team)
    ctx.note('ERROR', `The design of the model cannot be used: ${problem}`, { team: value.team })
  }
  throw impossible(`No design of the model could be used: ${problem?.replace(/\.$/, '') ?? 'no reason is known'}.`)
}

/**
 * The user's name for the team, which wins over the design's.
 * @throws TuttiError `InvalidRequest` for an invalid name
 */
function nameIn(
  { [TEAM_NAMED]: wanted }: RunRequest['context'],
  { agents, reserved }: Registry,
): Pick<Team, 'name'> | undefined {
  if (wanted === undefined) return undefined
  const { data: name, error } = teamName.safeParse(wanted)
  if (error !== undefined) throw impossible(`A team cannot be called "${String(wanted)}": ${error.issues[0]!.message}.`)
  if (reserved.includes(name) || agents.some((agent) => agent.name === name)) throw impossible(nameConflict(name))
  return { name }
}

const NEEDS_MODEL =
  'Designing a team in words needs a language model. Connect one, or send the team as JSON to POST /teams/NAME/versions.'

/** An error that no other agent could avoid. */
function impossible(reason: string): TuttiError {
  return new TuttiError('InvalidRequest', reason)
}

/** @throws TuttiError `InvalidRequest` for an invalid team, or one that this installation cannot run */
async function checked(input: unknown, registry: Registry, ctx: ActorContext): Promise<Team> {
  const team = parseTeam(input)
  const problems = teamProblems(team, registry)
  const flaws =
    problems.length > 0
      ? problems
      : await failingCalls(team.agents, registry.tools, excludedTools(registry.agents, ctx.request), ctx)
  if (flaws.length === 0) return team
  throw new TuttiError('InvalidRequest', `The team “${team.name}” cannot be used here. ${flaws.join(' ')}`)
}

function inWords({ question, flaws, heldBack }: CheckResult): string {
  const blockedNote = heldBack.length === 0 ? '' : ` Held back in the trial: ${[...new Set(heldBack)].join(', ')}.`
  const verdict = flaws.length === 0 ? 'passed' : `failed: ${flaws.join('; ')}`
  return `Its check “${question}” ${verdict}.${blockedNote}`
}
