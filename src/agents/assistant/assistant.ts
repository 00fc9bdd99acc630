import type { AgentTask, LeadAgent, LeadContext } from '../../core/actor.ts'
import { toTuttiError, TuttiError } from '../../core/errors.ts'
import { given } from '../../core/given.ts'
import type { Citation } from '../../core/citation.ts'
import { combine } from '../../core/provenance.ts'
import type { Outcome, Source } from '../../core/result.ts'
import type { Table } from '../../core/table.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import { numberCitations, placeKey } from '../../grounding/citations.ts'
import { dataOf } from '../../strategies/direct/direct.ts'
import { ASSISTANT } from '../../strategies/direct/types.ts'
import { DEFAULT_MAX_TURNS, type EndingCall, type LoopResult } from '../../tool-loop/loop.ts'
import { reportGap, tableFor, unknownRemarks } from '../../tool-loop/outcome.ts'
import { tableIn } from '../../tool-loop/result-text.ts'
import { runAgentLoop } from '../agent-loop.ts'
import { mergeableAgents, openToolkit } from '../open-toolkit.ts'
import { answersFor, delegated, problemWithDelegation, type AskedAgents } from './delegation.ts'
import { ASSISTANT_INSTRUCTIONS } from './prompt.ts'
import { ASK_USER, askAgentTool, askUserTool, delegateTool } from './tools.ts'

const TIMEOUT_MS = 900_000
/** An MCP server with more tools is asked as one agent. */
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
  const { toolkits, asked } = await openTools(ctx)
  const { continues, answers } = continued(task, ctx)
  const { maxTurns = DEFAULT_MAX_TURNS } = ctx.request
  const loop = {
    rules: ASSISTANT_INSTRUCTIONS,
    instructions: toolkits.map(({ instructions }) => instructions).join('\n\n'),
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
    ...given({ continues, answers }),
  }
  const lacking = [...ctx.agents, ...toolkits].flatMap((one) => one.lacking ?? [])
  for (;;) {
    const result = await runAgentLoop(task, ctx, loop)
    const data = delegated(ctx, result.endings, asked)
    if (data?.strategy !== undefined) return { status: 'skipped', data }
    if (data !== undefined) {
      const tabular = tableFor({ cited: [], unknown: [] }, result.calls)
      return { answer: result.text, data, sources: result.sources, ...given({ tabular }) }
    }
    const question = result.endings.find(({ name }) => name === ASK_USER)
    if (question === undefined) return answered(ctx, result, lacking)
    if (ctx.request.interactive === false)
      return answered(ctx, { ...result, text: withQuestion(result.text, question) }, lacking, question)
    await askUser(ctx, question)
  }
}

/** The merged toolkits of the usable agents, and the agents that work in a loop of their own. */
async function openTools(ctx: LeadContext): Promise<OpenTools> {
  const opened = await Promise.all(
    mergeableAgents(ctx).map(async (agent) => {
      const toolkit = await openToolkit(agent, ctx)
      const isLarge = agent.name.startsWith('mcp_agent_') && (toolkit?.tools.length ?? 0) > MAX_MERGED_TOOLS
      return toolkit === undefined || isLarge ? { agent } : { toolkit }
    }),
  )
  const asked = opened.flatMap(({ agent }) => agent ?? [])
  return {
    toolkits: opened.flatMap(({ toolkit }) => toolkit ?? []),
    asked: new Map(asked.map((agent) => [askAgentTool(agent).name, agent])),
  }
}

/** The transcript that this job continues, with results for the calls by which it delegated. */
function continued(task: AgentTask, ctx: LeadContext) {
  const jobs = [...ctx.state.jobs.values()].filter(({ actor, key }) => actor === ASSISTANT && key !== ctx.job.key)
  const last = jobs.at(-1)
  return last === undefined
    ? {}
    : { continues: last.key, answers: answersFor(ctx, dataOf(last), last.key, task.inputs()) }
}

function withQuestion(text: string, { input }: EndingCall): string {
  const { question, choices = [] } = input as { readonly question?: unknown; readonly choices?: readonly unknown[] }
  const list = choices.map((choice) => `- ${String(choice)}`).join('\n')
  return [text, String(question), list].filter((part) => part !== '').join('\n\n')
}

/** Waits for the user's reply, for days if need be; it is the result of the call. */
async function askUser(ctx: LeadContext, question: EndingCall): Promise<void> {
  const reply = await ctx.question(withQuestion('', question)).then(
    (text) => ({ text }),
    (thrown: unknown) => {
      if (ctx.signal.aborted) throw thrown
      return { text: `The user did not answer: ${toTuttiError(thrown).message}` }
    },
  )
  ctx.transcript.answer(question.position, reply)
}

/**
 * @param lacking sources that could not be opened, told beside an answer that rests on others
 * @param question that stays open, where nobody is there to reply
 */
function answered(ctx: LeadContext, result: LoopResult, lacking: readonly string[], question?: EndingCall): Outcome {
  const { calls, sources, gaps } = result
  const { text, cited, unknown } = numberCitations(result.text || (gaps.at(-1)?.reason ?? ''), sources)
  const allFailed = calls.length > 0 && calls.every(({ error }) => error !== undefined)
  const missing = [
    ...gaps.map((gap) => gap.missing),
    ...(question === undefined ? [] : [String(question.input['question'])]),
    ...(gaps.length === 0 && allFailed ? [ctx.request.question] : []),
  ]
  const isAnswered = missing.length === 0 || (cited.length > 0 && question === undefined)
  const citations = cited.map((source, at): Citation => ({ n: at + 1, source, agent: ASSISTANT }))
  // What stands in the instructions is a source only where it is cited.
  const inHead = new Set(ctx.transcript.state.head.sources?.map(({ id }) => id))
  const found = cited.filter(({ id }) => !inHead.has(id))
  const used = sources.filter((source) => cited.includes(source) || !inHead.has(source.id))
  const isOfSources = used.some(({ kind }) => kind !== 'computation')
  const tabular =
    found.flatMap((source) => tableOfSource(ctx, source) ?? [])[0] ?? tableFor({ cited: [], unknown }, calls)
  ctx.emit({
    type: 'answer.composed',
    answer: text,
    by: 'model',
    citations,
    isAnswered,
    unanswered: missing,
    isWhole: true,
    notes: [...unknownRemarks({ unknown }), ...(isOfSources ? lacking : [])],
    ...given({ data: tabular }),
  })
  return { answer: text, data: {}, sources: used, ...given({ tabular }) }
}

/** The table of a source: that of the delegated task that found it, else of the assistant's own call. */
function tableOfSource({ state, transcript }: LeadContext, source: Source): Table | undefined {
  const others = [...state.jobs.values()].filter(({ actor }) => actor !== ASSISTANT)
  const finder = others.find(({ result }) => result?.sources?.some((other) => placeKey(other) === placeKey(source)))
  return finder?.result?.tabular ?? tableIn(transcript.recall(source.id!)?.output)
}
