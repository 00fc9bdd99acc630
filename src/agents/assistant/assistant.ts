import type { AgentTask, LeadAgent, LeadContext } from '../../domain/actor.ts'
import { latestAttempt } from '../../domain/job.ts'
import { isOfApproval, toTuttiError, TuttiError } from '../../domain/errors.ts'
import { questionText, sentenceActOf, type UserQuestion } from '../../domain/approvals.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Citation } from '../../domain/answer.ts'
import { combine } from '../../domain/provenance.ts'
import type { Outcome, Source } from '../../domain/result.ts'
import { tableIn, type Table } from '../../domain/table.ts'
import type { LoopTool, Toolkit } from '../../domain/tool.ts'
import { numberCitations } from '../../grounding/citations.ts'
import { assistantResult } from '../../strategies/direct/next.ts'
import { ASSISTANT } from '../../strategies/direct/types.ts'
import { DEFAULT_MAX_TURNS, END_IS_MISSING } from '../../tool-loop/loop.ts'
import type { EndingCall, LoopResult, MadeCall } from '../../tool-loop/loop.ts'
import { answerTable, lastTable, reportGap, unknownRemarks } from '../../tool-loop/outcome.ts'
import { ASK_USER } from '../../tool-loop/tool-list.ts'
import { runAgentLoop } from '../../tool-loop/agent-loop.ts'
import { mergeableAgents, openToolkit } from '../../tool-loop/open-toolkit.ts'
import { answersFor, delegated, problemWithDelegation, type AskedAgents } from './delegation.ts'
import { ASSISTANT_INSTRUCTIONS, askAgentTool, askUserTool, delegateTool } from './tools.ts'

const TIMEOUT_MS = 900_000
/** MCP servers with more tools are delegated to as one agent. */
const MAX_MERGED_TOOLS = 8

/**
 * The agent of the strategy `direct`: has the tools of all agents, the conversation and general knowledge. It may delegate tasks, hand
 * the question over to another strategy, or ask the user.
 */
export const assistant: LeadAgent = Object.freeze({
  name: ASSISTANT,
  description: 'Answers directly, with the tools of all agents, or delegates.',
  capabilities: [],
  useCases: [],
  keywords: [],
  limits: { timeoutMs: TIMEOUT_MS, retries: 1 },
  run: answer,
})

interface OpenTools {
  readonly toolkits: readonly Toolkit[]
  readonly asked: AskedAgents
}

async function answer(task: AgentTask, ctx: LeadContext): Promise<Outcome> {
  if ((await ctx.transcript.model()) === undefined) {
    throw new TuttiError(
      'ModelUnavailable',
      'The strategy "direct" needs a language model. Connect one, or choose "auto".',
    )
  }
  const usable = ctx.agents.filter(({ name, unavailable }) => {
    return unavailable === undefined && !ctx.request.disableAgents.includes(name)
  })
  const { toolkits, asked } = await openTools(task, ctx)
  const { continues, answers } = continued(task, ctx)
  const { maxTurns = DEFAULT_MAX_TURNS } = ctx.request
  const loop = {
    rules: ASSISTANT_INSTRUCTIONS,
    instructions: toolkits
      .map(({ instructions }) => instructions)
      .filter(Boolean)
      .join('\n\n'),
    aboutQuestion: toolkits.flatMap(({ aboutQuestion = [] }) => aboutQuestion),
    tools: toolkits.flatMap(({ tools }) => tools),
    sources: toolkits.flatMap(({ sources = [] }) => sources),
    provenance: combine(toolkits.map(({ provenance }) => provenance)),
    ending: [
      reportGap,
      askUserTool,
      ...(usable.length === 0 ? [] : [delegateTool(usable)]),
      ...[...asked.values()].map(askAgentTool),
    ],
    problemWith: problemWithDelegation.bind(undefined, ctx, asked),
    maxTurns: Math.min(maxTurns, DEFAULT_MAX_TURNS),
    stream: true,
    ...omitUndefined({ continues, answers }),
  }
  const lacking = [...ctx.agents, ...toolkits].flatMap((one) => one.lacking ?? [])
  for (;;) {
    const result = await runAgentLoop(task, ctx, loop)
    const data = delegated(ctx, result.endings, asked)
    if (data?.strategy !== undefined) return { status: 'skipped', data }
    if (data !== undefined) {
      const tabular = lastTable(result.calls)
      return { answer: result.text, data, sources: result.sources, ...omitUndefined({ tabular }) }
    }
    const question = result.endings.find(({ name }) => name === ASK_USER)
    if (question === undefined) return answered(ctx, result, loop.tools, lacking)
    if (ctx.request.interactive === false) {
      const text = `${result.text}\n\n${questionText(questionIn(question))}`.trim()
      return answered(ctx, { ...result, text }, loop.tools, lacking, question)
    }
    await askUser(ctx, question)
  }
}

/** The merged toolkits of the usable agents, and the agents that work in a loop of their own. */
async function openTools(task: AgentTask, ctx: LeadContext): Promise<OpenTools> {
  const opened = await Promise.all(
    mergeableAgents(task, ctx).map(async (agent) => {
      const toolkit = await openToolkit(agent, ctx)
      const isLarge = agent.name.startsWith('mcp_agent_') && (toolkit?.tools.length ?? 0) > MAX_MERGED_TOOLS
      return toolkit === undefined || isLarge ? { agent } : { toolkit }
    }),
  )
  const subagents = opened.flatMap(({ agent }) => agent ?? [])
  return {
    toolkits: opened.flatMap(({ toolkit }) => toolkit ?? []),
    asked: new Map(subagents.map((agent) => [askAgentTool(agent).name, agent])),
  }
}

/** The transcript that this job continues, with results for its delegating calls. */
function continued(task: AgentTask, ctx: LeadContext) {
  const jobs = [...ctx.state.jobs.values()].filter(({ actor, key }) => actor === ASSISTANT && key !== ctx.job.key)
  const last = jobs.at(-1)
  return last === undefined
    ? {}
    : { continues: last.key, answers: answersFor(ctx, assistantResult(last), task.inputs()) }
}

function questionIn({ input }: EndingCall): UserQuestion {
  const { question, choices } = input
  const texts = Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : []
  return { question: String(question), choices: texts }
}

/** Waits for the user's reply, which is the result of the call. */
async function askUser(ctx: LeadContext, call: EndingCall): Promise<void> {
  const { question, ...options } = questionIn(call)
  const reply = await ctx.question(question, options).then(
    (text) => ({ text }),
    (thrown: unknown) => {
      if (ctx.signal.aborted) throw thrown
      return { text: `The user did not answer: ${toTuttiError(thrown).message}` }
    },
  )
  ctx.transcript.answer(call.position, reply)
}

/**
 * @param lacking sources that could not be opened, mentioned with an answer from other sources
 * @param question of the assistant that stays open, if no user can reply
 */
function answered(
  ctx: LeadContext,
  result: LoopResult,
  tools: readonly LoopTool[],
  lacking: readonly string[],
  question?: EndingCall,
): Outcome {
  const { calls, sources, gaps, hasReported } = result
  const written = numberCitations(result.text || (gaps.at(-1)?.reason ?? ''), sources)
  const { text, cited, unknown } = written
  const allFailed = calls.length > 0 && calls.every(({ error }) => error !== undefined)
  const refused = hasReported ? [] : refusedActions(calls, tools)
  const missing = [
    ...gaps.map((gap) => gap.missing),
    ...(question === undefined ? [] : [String(question.input['question'])]),
    ...(gaps.length === 0 && refused.length === 0 && allFailed ? [ctx.request.question] : []),
    ...refused,
    ...(hasReported ? [] : openParts(ctx)),
  ]
  const actions = [...ctx.actions, ...changes(calls, tools)]
  const hasDone = cited.length > 0 || actions.some(({ error }) => error === undefined)
  const isAnswered = missing.length === 0 || (hasDone && question === undefined)
  const citations = cited.map((source, at): Citation => ({ n: at + 1, source, agent: ASSISTANT }))
  // Sources in the instructions only count if they are cited.
  const inHead = new Set(ctx.transcript.state.head.sources?.map(({ id }) => id))
  const firstFound = cited.find(({ id }) => !inHead.has(id))
  const used = sources.filter((source) => cited.includes(source) || !inHead.has(source.id))
  const isOfSources = used.some(({ kind }) => kind !== 'computation')
  const changed = changes(calls, tools).flatMap(({ ids }) => ids)
  // An answer that first cites a change needs no rows that were read before it.
  const isOfChange = changed.includes(firstFound?.id ?? '')
  const tableOf = ({ id }: Source): Table | undefined =>
    inHead.has(id) || isOfChange ? undefined : shownTable(tableIn(ctx.transcript.recall(id!).output))
  const tabular = answerTable(written, tableOf, shownTable(lastTable(calls)))
  ctx.emit({
    type: 'answer.composed',
    answer: text,
    by: 'model',
    citations,
    isAnswered,
    unanswered: missing,
    isWhole: true,
    notes: [
      ...unknownRemarks({ unknown }),
      ...(gaps.includes(END_IS_MISSING) ? [END_IS_MISSING.reason] : []),
      ...(isOfSources ? lacking : []),
    ],
    ...omitUndefined({ data: tabular }),
  })
  return { answer: text, data: {}, sources: used, ...omitUndefined({ tabular }) }
}

/** Empty tables are not shown. */
function shownTable(table: Table | undefined): Table | undefined {
  return table !== undefined && table.rows.length > 0 ? table : undefined
}

/** Calls of tools that change something, whether they were made or not. */
function changes(calls: readonly MadeCall[], tools: readonly LoopTool[]): readonly MadeCall[] {
  const reads = new Set(tools.flatMap(({ tool }) => (tool.effect === 'read' ? [tool.name] : [])))
  return calls.filter(({ name }) => !reads.has(name))
}

/** Changing calls that were not approved. */
function refusedActions(calls: readonly MadeCall[], tools: readonly LoopTool[]): readonly string[] {
  const refused = changes(calls, tools).filter(({ name, error }, at, all) => {
    const isMadeLater = all.slice(at + 1).some((other) => other.name === name && other.error === undefined)
    return isOfApproval(error) && !isMadeLater
  })
  return [...new Set(refused.map(({ name }) => sentenceActOf(name)))]
}

/**
 * Parts that delegated jobs left open and that the assistant has not reported: gaps, refused calls, and failed runs.
 */
function openParts({ state }: LeadContext): readonly string[] {
  const hasRun = (key: string): boolean => [...state.children.keys()].some((path) => path.startsWith(`${key}/`))
  return (state.plan?.plan.tasks ?? []).flatMap(({ id, text = state.request.question }) => {
    const { key, result } = latestAttempt(state, id) ?? {}
    if (key === undefined || id === ASSISTANT) return []
    const { unanswered = [], status, error } = result ?? {}
    const isOpen = status !== 'succeeded' && (hasRun(key) || isOfApproval(error))
    return isOpen && unanswered.length === 0 ? [text] : unanswered
  })
}
