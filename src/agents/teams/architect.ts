import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import { toTuttiError, TuttiError } from '../../core/errors.ts'
import { given } from '../../core/given.ts'
import { cut } from '../../core/outside.ts'
import type { Owner } from '../../core/owner.ts'
import type { RunRequest } from '../../core/request.ts'
import type { Outcome } from '../../core/result.ts'
import { parseTeam, teamName, type Team, type TeamStore, type TeamVersion } from '../../core/team.ts'
import { wishesOf } from '../user-words.ts'
import { leftOutOf } from './asked.ts'
import { beside, type Placed } from './beside.ts'
import { teamByRules, type KnownDatabase, type KnownDatabases, type Material } from './by-rules.ts'
import { diagramOf } from './diagram.ts'
import { isUnusable, TEAM_TIMEOUT_MS } from './members.ts'
import { designTeam } from './prompts.ts'
import { flawsOf, nameTaken, type Registry } from './registry.ts'
import { SAVE_TEAM, teamTools } from './tools.ts'
import { tryTeam, type Tried } from './trial.ts'
import { vagueFlaws, vagueIn } from '../team-words.ts'

/** A first design and, when it cannot be used, one more with the reason told. */
const MAX_ASKS = 2
const MOST_TABLES = 60
/** Of a trial's answer, as the architect is told of it. */
const MAX_ANSWER = 2_000

/** Keys of a request's context. */
export const TEAM_GIVEN = 'team_given'
export const TEAM_CHANGED = 'team_changed'
/** What a person calls the team that they want. */
export const TEAM_NAMED = 'team_named'

export interface ArchitectParts {
  readonly store: () => TeamStore
  /** What of the databases is known, by calls of this job. */
  readonly databasesOf: (ctx: ActorContext, leftOut: readonly string[]) => Promise<KnownDatabases>
  readonly plan: Material['plan']
  readonly registryOf: (owner: Owner) => Promise<Registry>
}

/**
 * Builds teams (SPEC W8): designs one for a goal from the tools at hand, or takes one that is given as data; a person
 * approves exactly that; it is tried on its own checks in runs that change nothing; then it is one agent among the others.
 */
export function architectAgent(parts: ArchitectParts): Agent {
  return defineAgent({
    name: 'architect',
    label: 'the architect',
    description: 'Builds and changes teams of agents for work that comes again, from the tools that are there.',
    capabilities: ['teams of agents as data, approved and tried before they are used'],
    useCases: ['building a team for work that comes again', 'changing a team'],
    keywords: VERBS.flatMap((verb) => [`${verb} a team`, `${verb} me a team`, `${verb} us a team`]),
    planning: { takes: 'rest', rank: 200 },
    tools: [SAVE_TEAM],
    limits: { timeoutMs: TEAM_TIMEOUT_MS, retries: 0 },
    run: (task, ctx) => build(task, ctx, parts),
  })
}

const VERBS = ['build', 'create', 'make', 'design', 'set up', 'assemble', 'put together']

async function build(task: AgentTask, ctx: ActorContext, parts: ArchitectParts): Promise<Outcome> {
  const registry = await parts.registryOf(ctx.owner)
  const toolsFor = (remark = '', version?: number) =>
    teamTools(parts.store(), ctx.owner, () => ctx.now(), remark, version)
  const handedOver = ctx.request.context[TEAM_GIVEN]
  if (handedOver !== undefined && wishesOf(task).length > 0) throw impossible(NOT_FOLLOWED)
  if (handedOver !== undefined) {
    const { team } = await ctx.call(toolsFor().receive, { team: handedOver })
    const settled = await saveAndTry({ team: checked(team, registry, vagueFlaws) }, ctx, registry, toolsFor)
    return settled.outcome
  }
  const placed = await design(task, ctx, registry, parts)
  const { team, standing } = placed
  if (standing !== undefined) return thereAlready(standing, diagramOf(team), ctx.owner)
  const first = await saveAndTry(placed, ctx, registry, toolsFor)
  if (first.failed === undefined || placed.isByModel !== true) return first.outcome
  ctx.note('DECISION', 'The team failed its trial and is designed once more', { flaws: first.failed.problem })
  const again = await design(task, ctx, registry, parts, first.failed)
  return (await saveAndTry(again, ctx, registry, toolsFor)).outcome
}

/** A design that did not pass its trial, and what was missing. */
interface FailedDesign {
  readonly team: Team
  readonly problem: string
}

async function saveAndTry(
  { team, remark: more }: Placed,
  ctx: ActorContext,
  registry: Registry,
  toolsFor: (remark?: string, told?: number) => ReturnType<typeof teamTools>,
): Promise<{ readonly outcome: Outcome; readonly failed?: FailedDesign }> {
  const diagram = diagramOf(team)
  const { version: next } = await ctx.call(toolsFor().count, { name: team.name })
  const before = registry.versions.find(({ name, owner }) => name === team.name && owner === ctx.owner)
  const placed = [...(next === 1 ? [] : [versionOf(team, next, before)]), ...(more === undefined ? [] : [more])].join(
    '. ',
  )
  const tools = toolsFor(placed, next)
  ctx.note('DECISION', `A team of ${team.agents.length} was designed`, { team, diagram })
  const { version } = await ctx.call(tools.save, { team, diagram })
  const tried = await tryTeam(team, ctx, leftOutOf(ctx.request))
  const flaws = tried.flatMap((one) => one.flaws)
  const status = flaws.length === 0 ? 'ready' : 'failed'
  const remark = tried.map(inWords).join(' ')
  await ctx.call(tools.settle, { name: team.name, version, status, remark })
  const data = { team, version, status, diagram, checks: tried }
  if (flaws.length > 0) {
    const message = `The team “${team.name}” (version ${version}) is saved and not used, since it did not pass its checks. ${remark} It is among the teams (/teams/${team.name}), where it can be changed and tried again, exported or removed; on the command line: "teams export ${team.name} team.json", edit, "teams import team.json".`
    const outcome: Outcome = {
      status: 'failed',
      data,
      error: { type: 'ToolError', message },
      ...(placed === '' ? {} : { remarks: [`${placed}.`] }),
    }
    return { outcome, failed: { team, problem: tried.map(missingIn).join('\n\n') } }
  }
  const members = team.agents.map(({ name, purpose }) => `- ${name}: ${purpose}`)
  const ready = `The team “${team.name}” (version ${version}) is ready: ${howToAsk(team)}`
  const trials = tried.flatMap((one) => [inWords(one), cut(one.answer, MAX_ANSWER).replace(/^/gm, '> ')])
  const answer = [ready, ...(placed === '' ? [] : [`${placed}.`]), members.join('\n'), ...trials, shown(diagram)].join(
    '\n\n',
  )
  return { outcome: { answer, data } }
}

/** A team keeps its name over its versions; whoever approves one is told which it is. */
function versionOf({ name }: Team, version: number, used: TeamVersion | undefined): string {
  const said = `This is version ${version} of the team “${name}”`
  if (used === undefined) return said
  return `${said}: version ${used.version} (${used.team.purpose}) is used until this one has passed its checks`
}

/** Nothing is saved, nobody is asked. */
function thereAlready({ team, version, owner }: TeamVersion, diagram: readonly string[], user: Owner): Outcome {
  const use = `There is this team already: “${team.name}” (version ${version}${owner === user ? '' : `, of ${owner}`}). ${howToAsk(team).replace(/^a/, 'A')}`
  const change = `To change it as a new version: "teams edit ${team.name} …" with a language model, or "teams export ${team.name} team.json", edit, "teams import team.json".`
  return { answer: [use, change, shown(diagram)].join('\n\n'), data: { team, version, status: 'ready', diagram } }
}

function howToAsk({ name, keywords: [phrase] }: Team): string {
  return phrase === undefined ? `ask “the ${name} team”.` : `ask for “${phrase}”, or name it.`
}

function shown(diagram: readonly string[]): string {
  return ['```mermaid', ...diagram, '```'].join('\n')
}

interface Designed extends Placed {
  readonly isByModel?: true
}

/** @param failed the design before, which is repaired */
async function design(
  task: AgentTask,
  ctx: ActorContext,
  registry: Registry,
  parts: ArchitectParts,
  failed?: FailedDesign,
): Promise<Designed> {
  const leftOut = leftOutOf(ctx.request)
  const isLeft = ({ name }: { readonly name: string }): boolean => leftOut.includes(name)
  const agents = registry.agents.filter((agent) => !isLeft(agent))
  const outside = new Set(registry.agents.filter(isLeft).flatMap(({ tools = [] }) => tools.map((tool) => tool.name)))
  const { tools, versions } = registry
  const name = ctx.request.context[TEAM_CHANGED]
  const changed = name === undefined ? undefined : versions.find((one) => one.name === name && one.owner === ctx.owner)
  const before = failed ?? changed
  if (name !== undefined && changed === undefined) {
    throw impossible(`There is no team "${String(name)}" of yours that could be changed.`)
  }
  const named = nameIn(ctx.request.context, registry)
  const { databases, lacking } = await parts.databasesOf(ctx, leftOut)
  let problem = failed?.problem
  let last: string | undefined
  const hasModel = (await ctx.transcript.model()) !== undefined
  for (let asked = 0; asked < MAX_ASKS; asked++) {
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
      tables: databases.flatMap(linesOf),
      teams: versions.filter((one) => !isLeft(one)).map(({ team }) => ({ name: team.name, purpose: team.purpose })),
      ...given({ before: before && JSON.stringify(before.team), last, problem }),
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
    const vague = vagueIn(value.team)
    const left = vague.length === 0 ? undefined : `${LEFT_OUT}: ${vague.map((one) => `“${one}”`).join(', ')}`
    try {
      const keywords = value.team.keywords.filter((one) => !vague.includes(one))
      const made = checked({ ...value.team, keywords, ...named }, registry)
      if (before === undefined) return { ...told(beside(made, registry, true), left), isByModel: true }
      if (made.name === before.team.name) return { ...told({ team: made }, left), isByModel: true }
      problem = `Its name must stay "${before.team.name}".`
    } catch (thrown) {
      problem = toTuttiError(thrown).message
    }
    last = JSON.stringify(value.team)
    ctx.note('ERROR', `The design of the model cannot be used: ${problem}`, { team: value.team })
  }
  if (hasModel) {
    const aside = `No design of the model could be used: ${problem?.replace(/\.$/, '') ?? 'no reason is known'}.`
    throw impossible(before === undefined ? aside : `${aside} ${BY_FILE}`)
  }
  if (wishesOf(task).length > 0) throw impossible(NOT_FOLLOWED)
  const ruled =
    before === undefined
      ? teamByRules(task.planned ?? task.text, { agents, databases, lacking, plan: parts.plan })
      : 'A change in words takes a language model. Change the file: "teams export", edit, "teams import".'
  if (typeof ruled === 'string') throw impossible(ruled)
  const { team, ...placed } = beside({ ...ruled, ...named }, registry, named !== undefined)
  return { team: checked(team, registry), ...placed }
}

/** How the person calls the team, whatever its design says. @throws TuttiError `InvalidRequest` for what cannot be its name */
function nameIn(
  { [TEAM_NAMED]: wanted }: RunRequest['context'],
  { agents, reserved }: Registry,
): Pick<Team, 'name'> | undefined {
  if (wanted === undefined) return undefined
  const { data: name, error } = teamName.safeParse(wanted)
  if (error !== undefined) throw impossible(`A team cannot be called "${String(wanted)}": ${error.issues[0]!.message}.`)
  if (reserved.includes(name) || agents.some((agent) => agent.name === name)) throw impossible(nameTaken(name))
  return { name }
}

/** With something more for whoever approves it. */
function told(placed: Placed, more: string | undefined): Placed {
  if (more === undefined) return placed
  return { ...placed, remark: [more, ...(placed.remark === undefined ? [] : [placed.remark])].join('. ') }
}

const LEFT_OUT = 'Of the keywords of the design those are left out that would take questions which are for others'
const BY_FILE = 'Say the change in other words, or change the file: "teams export", edit, "teams import".'

const NOT_FOLLOWED =
  'Nothing was saved: a team that is given as a file or built without a language model cannot be changed by instructions. Approve it as it is shown, or deny it and say anew what it is for; "teams export", edit, "teams import" changes it.'

/** There is no use in asking anybody else. */
function impossible(reason: string): TuttiError {
  return new TuttiError('InvalidRequest', reason)
}

/** @throws TuttiError `InvalidRequest` for what is no team, or none that this installation can have */
function checked(input: unknown, registry: Registry, more: (team: Team) => readonly string[] = () => []): Team {
  const team = parseTeam(input)
  const flaws = [...flawsOf(team, registry), ...more(team)]
  if (flaws.length === 0) return team
  throw new TuttiError('InvalidRequest', `The team “${team.name}” cannot be used here. ${flaws.join(' ')}`)
}

function linesOf({ name, schema }: KnownDatabase): readonly string[] {
  return schema.tables
    .slice(0, MOST_TABLES)
    .map(
      (table) =>
        `database ${name} (${schema.dialect}): ${table.name}(${table.columns.map((column) => column.name).join(', ')})`,
    )
}

/** What the architect is told of a check that failed. */
function missingIn({ question, flaws, answer }: Tried): string {
  const came = flaws.length === 0 ? 'passed' : `failed: ${flaws.join('; ')}`
  return `The check “${question}” ${came}.\nThe answer was: ${cut(answer, MAX_ANSWER)}`
}

function inWords({ question, flaws, heldBack }: Tried): string {
  const held = heldBack.length === 0 ? '' : ` Held back in the trial: ${[...new Set(heldBack)].join(', ')}.`
  const came = flaws.length === 0 ? 'passed' : `failed: ${flaws.join('; ')}`
  return `Its check “${question}” ${came}.${held}`
}
