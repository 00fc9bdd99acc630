import type { Agent, RoleContext } from '../../domain/actor.ts'
import { latestAttempt } from '../../domain/job.ts'
import type { Task } from '../../domain/plan.ts'
import type { ToolInfo } from '../../domain/tool.ts'
import { detectLanguage } from '../../documents/search/detect-language.ts'
import { agentProblem, keywordScore } from '../../strategies/planning/usable-agents.ts'
import { wholeTask } from '../../strategies/planning/plan-parts.ts'
import { wasDeclined } from '../../strategies/steps.ts'
import { toolsNamed } from '../tools/tool-names.ts'
import type { Connected } from '../conversation/small-talk.ts'
import { ruleText } from '../../shared/rule-text.ts'
import { mask } from '../tools/mask.ts'

/** Openings of a question or a lookup. They contain no condition and do not introduce a text. */
const QUESTION =
  /^\W*(?:what|which|who|whose|how|where|(?:when|why) (?:must|should|can|will|is|are|was|were|do|does|did|has|have)|list|show|find|was|welche[rs]?|wer|wie|wo|wann|zeige?|suche?)\b(?!.*(?:\b(?:if|unless|wenn|falls)\b|[:\n]))/is

/** Returns whether a question is in another language than English, judged by its words. */
export function isOtherLanguage(question: string): boolean {
  return ![undefined, 'en'].includes(detectLanguage(question))
}

/** A part of the question and its agent. */
interface Part {
  readonly agent: Agent
  readonly text: string
  /** Whether it changes something. It then waits for all parts before it, and all later parts wait for it. */
  readonly acts?: boolean
}

/** Gives agents the longest stretches that they understand, and the rest to documents or the default agent. */
export async function planTasks(ctx: RoleContext, question: string): Promise<readonly Task[]> {
  const agents = enabledAgents(ctx)
  const parts = await partsOf(ctx, question, agents)
  const missed = agents.filter(
    ({ name }) => ctx.request.preferAgents.includes(name) && !parts.some(({ agent }) => agent.name === name),
  )
  const whole = missed.map((agent) => ({ agent, text: question }))
  const [waiting, ready] = [true, false].map((isLate) => whole.filter(({ agent }) => isWaiting(agent) === isLate))
  return toTasks([...ready!, ...parts, ...waiting!], ctx.request.question)
}

/** Returns whether an agent understands a text verbatim and would only read. */
export async function isUnderstood(ctx: RoleContext, text: string): Promise<boolean> {
  return (await understood(ctx, text, enabledAgents(ctx), false)) !== undefined
}

/** Plans each declined task again with the next agent that has not been asked. */
export async function replan(ctx: RoleContext): Promise<readonly Task[]> {
  const { question } = ctx.request
  const { tasks } = ctx.state.plan!.plan
  const all = await searchers(ctx)
  const parts = tasks.flatMap(({ id, text = question }): Part[] => {
    if (!wasDeclined(latestAttempt(ctx.state, id))) return []
    const asked = new Set(tasks.flatMap((task) => ((task.text ?? question) === text ? [task.agent] : [])))
    const agent = all.find(({ name }) => !asked.has(name))
    return agent === undefined ? [] : [{ agent, text }]
  })
  return toTasks(parts, question)
}

/** The agents that the request allows, preferred ones first, then by rank. */
function enabledAgents({ agents, request: { preferAgents, disableAgents } }: RoleContext): readonly Agent[] {
  const place = ({ name, planning }: Agent): number =>
    preferAgents.includes(name) ? preferAgents.indexOf(name) - preferAgents.length : (planning?.rank ?? 100)
  return agents.filter(({ name }) => !disableAgents.includes(name)).toSorted((a, b) => place(a) - place(b))
}

/** Agents that can search for any question: preferred ones, documents, and the default agent, which reads English. */
async function searchers(ctx: RoleContext): Promise<readonly Agent[]> {
  const agents = enabledAgents(ctx).filter((agent) => agentProblem(agent, ctx) === undefined)
  const documents = agents.filter(({ name }) => name === 'rag')
  // Documents that cannot be read are asked, too: their agent reports the error.
  const offers = await Promise.all(documents.map((agent) => offersOf(agent, ctx)))
  return [
    ...agents.filter(({ name, planning }) => ctx.request.preferAgents.includes(name) && planning?.acts !== true),
    ...documents.filter((_, i) => offers[i]!.documents?.length !== 0),
    ...(isOtherLanguage(ctx.request.question) ? [] : agents.filter(({ planning }) => planning?.isDefault === true)),
  ]
}

async function offersOf({ planning }: Agent, ctx: RoleContext): Promise<Partial<Connected>> {
  return (await planning?.offers?.(ctx).catch(() => ({}))) ?? {}
}

async function partsOf(ctx: RoleContext, question: string, agents: readonly Agent[]): Promise<readonly Part[]> {
  const wholeParts = await understood(ctx, question, agents, true)
  if (wholeParts !== undefined) return wholeParts
  const pieces = splitQuestion(question)
  const textOf = (from: number, to: number): string => question.slice(pieces[from]!.start, pieces[to - 1]!.end).trim()
  const parts: Part[] = []
  let open = 0
  let mayAct = true
  /** Whether the words that no agent understood before a piece are a question. */
  const isQuestion = (to: number): boolean =>
    open === to || QUESTION.test(question.slice(pieces[open]!.start, pieces[to]?.start))
  const leave = async (to: number): Promise<void> => {
    if (open === to) return
    const text = textOf(open, to)
    mayAct &&= isQuestion(to)
    parts.push(...(await searchersFor(ctx, text, agents)).map((agent) => ({ agent, text })))
  }
  const longestFrom = async (from: number) => {
    for (let to = pieces.length; to > from; to--) {
      const found = await understood(ctx, textOf(from, to), agents, mayAct && isQuestion(from))
      if (found !== undefined) return { found, to }
    }
    return undefined
  }
  const callFrom = async (from: number) => {
    const first = textOf(from, from + 1)
    const agent = withNamedTool(agents, first, mayAct && isQuestion(from))
    if (agent === undefined) return undefined
    let to = from + 1
    // Words that no other agent understands belong to the call.
    while (to < pieces.length && !withNamedTool(agents, textOf(to, to + 1), true) && !(await longestFrom(to))) to++
    return { found: [{ agent, text: textOf(from, to), acts: isChange(agent, first) }], to }
  }
  for (let from = 0; from < pieces.length;) {
    const next = (await callFrom(from)) ?? (await longestFrom(from))
    if (next === undefined) {
      from++
      continue
    }
    await leave(from)
    parts.push(...next.found)
    open = from = next.to
  }
  await leave(pieces.length)
  return parts
}

/**
 * Returns the parts for an agent that understands a text verbatim, after the parts whose results it needs.
 * @param mayAct false after words that are neither understood nor a question, such as a condition or a pasted text
 */
async function understood(
  ctx: RoleContext,
  text: string,
  agents: readonly Agent[],
  mayAct: boolean,
): Promise<readonly Part[] | undefined> {
  for (const agent of agents) {
    const answer = await agent.planning?.understands?.(text, ctx)
    if (answer === undefined || (answer.acts === true && !mayAct)) continue
    const others = agents.filter((other) => other !== agent)
    const needed = answer.needs === undefined ? [] : await partsOf(ctx, answer.needs, others)
    return [...needed, { agent, text, acts: answer.acts === true }]
  }
  return undefined
}

/** The agent with a tool that the text names. */
function withNamedTool(agents: readonly Agent[], text: string, mayAct: boolean): Agent | undefined {
  const agent = agents.find((one) => namedTools(one, text).length > 0)
  return agent !== undefined && isChange(agent, text) && !mayAct ? undefined : agent
}

function isChange(agent: Agent, text: string): boolean {
  return namedTools(agent, text).some(({ effect }) => effect !== 'read')
}

function namedTools({ tools = [] }: Agent, text: string): readonly ToolInfo[] {
  const all = tools.map(({ name }) => name)
  const named = new Set(toolsNamed(text, all).map(({ name }) => name))
  return tools.filter(({ name }) => named.has(name))
}

/** Agents for a text that none understands: those with keywords in it, else documents, else the default agent. */
async function searchersFor(ctx: RoleContext, text: string, agents: readonly Agent[]): Promise<readonly Agent[]> {
  const owner = withNamedTool(agents, text, true)
  if (owner !== undefined) return [owner]
  const named = agents.filter((agent) => keywordScore(agent, text) > 0)
  const ofKeywords = named.filter(({ planning }) => planning?.understands === undefined)
  if (ofKeywords.length > 0) return ofKeywords
  const [first] = await searchers(ctx)
  const usual = agents.filter(({ planning }) => planning?.isDefault === true)
  const able = named.filter((agent) => agentProblem(agent, ctx) === undefined)
  if (first === undefined) return [...able, ...usual, ...agents].slice(0, 1)
  // A database that cannot be read understands no question; its agent reports the error.
  const offers = await Promise.all(usual.map((agent) => offersOf(agent, ctx)))
  return [first, ...usual.filter((agent, i) => agent !== first && (offers[i]!.unreachable ?? []).length > 0)]
}

/** Whether the agent works on results, or acts on them. */
function isWaiting({ planning }: Agent): boolean {
  return planning?.worksOnResults === true || planning?.acts === true
}

/** Tasks that work on results or change something wait for all earlier parts. All later parts wait for a change. */
function toTasks(parts: readonly Part[], question: string): readonly Task[] {
  const tasks: Task[] = []
  let upToChange = 0
  for (const { agent, text, acts = false } of parts) {
    const { id } = wholeTask(agent.name)
    const same = tasks.filter((task) => task.agent === agent.name).length
    tasks.push({
      id: same === 0 ? id : `${id}-${same + 1}`,
      agent: agent.name,
      dependsOn: (isWaiting(agent) || acts ? tasks : tasks.slice(0, upToChange)).map((task) => task.id),
      ...(text === question ? {} : { text }),
    })
    if (acts) upToChange = tasks.length
  }
  return tasks
}

/** Maximum number of parts; a question with more parts is not split. */
const MAX_PARTS = 8

/** Openings of an independent clause. Other text belongs to the words before it (“Germany and Ireland together”). */
const CLAUSE =
  'how|what|which|who|whom|whose|when|where|why|by (?:what|which|when)|at (?:what|which)|up to|(?:with)?in (?:what|which|how)|from|is|are|was|do|does|did|can|could|must|should|will|has|' +
  'list|show|give|tell|say|find|search|look|get|fetch|count|compute|calculate|add|run|call|use|read|open|e?-?mail|send|write|draft|reply|answer|forward|archive|move|delete|mark|' +
  'make|create|draw|plot|remind|remember|note|summari[sz]e|explain|describe|compare|translate|please|wie|was|welche|wer|wann|wo|warum|zeig|schreib|sende|schick|finde'
/** Ends of sentences, semicolons, and commas and “and” before a clause. */
const JOINT = new RegExp(
  String.raw`(?<=[.?!])\s+(?=\S)|\s*;\s+|(?:,?\s+(?:and|und|then|also)(?:\s+(?:and|then|also))*|,)\s+(?=(?:${CLAUSE})\b)`,
  'giu',
)

/** A stretch of the question, by places of its characters. */
interface Piece {
  readonly start: number
  readonly end: number
}

/** Where a question could be cut. Quotes, code, addresses and numbers are not cut. */
function splitQuestion(question: string): readonly Piece[] {
  const text = mask(ruleText(question))
  const pieces: Piece[] = []
  let start = 0
  for (const { index, 0: joint } of text.matchAll(JOINT)) {
    if (index > start) pieces.push({ start, end: index })
    start = index + joint.length
  }
  if (start < text.length) pieces.push({ start, end: question.length })
  return pieces.length > MAX_PARTS ? [{ start: 0, end: question.length }] : pieces
}
