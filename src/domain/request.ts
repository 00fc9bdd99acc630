import { z } from 'zod'
import { TuttiError } from './errors.ts'
import { problemTexts } from './schema-problems.ts'
import { teamSchema } from './team.ts'
import { isQuestion } from './approvals.ts'
import type { RunState } from './state.ts'

/** The engine refuses names of strategies that are not registered when a run starts. */
export type StrategyName = string

/** Hard limits of a run. Absent means unlimited. */
export const budgetSchema = z
  .object({
    maxCostUsd: z.number().positive().optional(),
    maxTokens: z.number().int().positive().optional(),
    maxCalls: z.number().int().positive().optional(),
    /** Wall-clock time of the whole run in milliseconds, without waiting for users. */
    maxTimeMs: z.number().int().positive().optional(),
  })
  .strict()
export type Budget = Readonly<z.infer<typeof budgetSchema>>

/** All limits of a run: its budget, and how many specialist jobs it may start. */
export type RunLimits = Budget & Pick<RunRequest, 'maxTurns'>

const agentNames = z
  .array(z.string().nullish())
  .nullish()
  .transform((names) => [...new Set((names ?? []).flatMap((name) => name?.trim() || []))])

/** Documents that the user attached to one run. */
const attachedSchema = z
  .object({
    /** Their path, or their names. */
    address: z.string(),
    /** Where they are kept for the runs that name them. */
    collection: z.string(),
  })
  .strict()
export type Attached = Readonly<z.infer<typeof attachedSchema>>

/** Maximum characters of a question, checked at every entry point; users paste whole letters. */
export const MAX_QUESTION_LENGTH = 100_000

/** The request of a caller. */
export const requestSchema = z
  .object({
    question: z.string().trim().min(1, 'must not be empty').max(MAX_QUESTION_LENGTH),
    context: z.record(z.string(), z.unknown()).default({}),
    preferAgents: agentNames,
    disableAgents: agentNames,
    /** How many specialist jobs the run may start; absent means as many as planned. */
    maxTurns: z.number().int().positive().optional(),
    /** Maximum number of rejections and failures, in total, for the strategy `review`; 5 by default. */
    maxRetries: z.number().int().positive().optional(),
    includeData: z.boolean().default(true),
    trace: z.boolean().default(false),
    systemPrompt: z.string().trim().min(1).optional(),
    strategy: z.string().trim().min(1).default('pipeline'),
    /** The reason for the strategy, if it was chosen by the question. */
    strategyReason: z.string().optional(),
    budget: budgetSchema.default({}),
    /** Model by actor name, `provider:model`; the key `default` is for all others. */
    models: z.record(z.string(), z.string().min(1)).default({}),
    attached: z.array(attachedSchema).optional(),
    /** Addresses of databases, APIs, hosts and MCP files of this run alone; to continue it, they are named again. */
    ownSources: z.array(z.string()).optional(),
    /** The configuration file that the run was started with. */
    configFile: z.string().optional(),
    /** Collections of documents, by id or name: only these documents are searched, and before other sources. */
    collections: z.array(z.string().trim().min(1).max(200)).min(1).max(50).optional(),
    /** The conversation that it continues with; a new one when absent. */
    conversationId: z
      .string()
      .regex(/^[\w.:-]{1,100}$/, 'may hold letters, digits and . : _ - only, at most 100')
      .optional(),
    /** `false`: nothing of earlier runs is used, and nothing of this one is remembered. */
    memory: z.boolean().optional(),
    /** `false`: no user can answer while it runs, so a call that needs approval fails at once. */
    interactive: z.boolean().optional(),
    /** `true`: the user sees the plan before it starts, and may change it. */
    confirmPlan: z.boolean().optional(),
    /** Time for a decision in milliseconds; the installation's default when absent. */
    approvalTimeoutMs: z.number().int().positive().optional(),
    /** The team that works on it, in place of all other agents and of a plan by the question. */
    team: teamSchema.optional(),
    /** For a nested run, whose question a job wrote: the user's question. */
    said: z.string().optional(),
    /** `true`: a trial. Tools that would change something are not called, in nested runs either. */
    shadow: z.boolean().optional(),
    /** Number and currency style of the answer, a BCP 47 tag such as `en-IN`. */
    locale: z.string().min(2).optional(),
  })
  .strict()

export type RequestInput = z.input<typeof requestSchema>
export type RunRequest = Readonly<z.output<typeof requestSchema>>

/** Other names of agents, which programs know. */
const AGENT_ALIASES: Readonly<Record<string, string>> = {
  api_docs: 'api',
  rag_agent: 'rag',
  mail_agent: 'mail',
  code_agent: 'code',
  web_agent: 'web',
}

/** An agent's exact name; users and models write names in any case. */
export function knownAgentName(name: string, knownAgents: ReadonlySet<string>): string {
  const plain = name.trim().toLowerCase()
  if (knownAgents.has(name)) return name
  return [...knownAgents].find((known) => known.toLowerCase() === plain) ?? AGENT_ALIASES[plain] ?? plain
}

/**
 * Validates a request and normalises its agent names.
 * @throws TuttiError `InvalidRequest`, or `UnknownAgent` listing the known ones
 */
export function parseRequest(input: unknown, knownAgents: ReadonlySet<string>): RunRequest {
  const parsed = requestSchema.safeParse(input)
  if (!parsed.success) {
    const issues = problemTexts(parsed.error, 'request')
    throw new TuttiError('InvalidRequest', `The request is not valid: ${issues.join('; ')}.`, { details: { issues } })
  }
  const resolve = (names: readonly string[]): string[] => [
    ...new Set(names.map((name) => knownAgentName(name, knownAgents))),
  ]
  const { chosen, question } = chosenIn(parsed.data.question, knownAgents)
  const preferAgents = [...chosen, ...parsed.data.preferAgents]
  const disableAgents = resolve(parsed.data.disableAgents)
  const request = { ...parsed.data, question, preferAgents: resolve(preferAgents), disableAgents }
  assertDay(request.context)
  const unknown = [...request.preferAgents, ...request.disableAgents].filter((name) => !knownAgents.has(name))
  if (unknown.length > 0) {
    const known = [...knownAgents].sort().join(', ')
    throw new TuttiError('UnknownAgent', `Unknown agent: ${unknown.join(', ')}. Known agents: ${known}.`)
  }
  return Object.freeze(request)
}

/**
 * The agent that a question names with a leading `@agent`, and the rest of the question.
 * @throws TuttiError `UnknownAgent`; `InvalidRequest` if the rest is empty
 */
function chosenIn(whole: string, knownAgents: ReadonlySet<string>): { chosen: string[]; question: string } {
  const name = /^@([\p{L}\p{N}_-]+)(?=\s|$)/u.exec(whole)?.[1]
  if (name === undefined) return { chosen: [], question: whole }
  if (!knownAgents.has(knownAgentName(name, knownAgents))) {
    const known = [...knownAgents].sort().join(', ')
    const message = `Unknown agent “@${name}”. A leading @ selects an agent. Known agents: ${known}.`
    throw new TuttiError('UnknownAgent', message)
  }
  const rest = whole.slice(name.length + 1).trim()
  if (rest === '') throw new TuttiError('InvalidRequest', `Add the question after “@${name}”.`)
  const { chosen, question } = chosenIn(rest, knownAgents)
  return { chosen: [name, ...chosen], question }
}

/** A wrong day would make “last month” another month without a word. */
function assertDay(context: RunRequest['context']): void {
  const day = context[DAY]
  if (day === undefined || (typeof day === 'string' && isIsoDay(day))) return
  throw new TuttiError('InvalidRequest', `The context's "${DAY}" is not a day: write it as 2026-01-31.`)
}

const DAY = 'current_date'
/** Of the day, such as Europe/Berlin; UTC when absent. */
export const TIME_ZONE = 'current_date_time_zone'

function isIsoDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && isoDate(new Date(time)) === text
}

/** Adds missing date and time keys; the caller's values are never overwritten. */
export function withTemporalContext(request: RunRequest, nowMs: number): RunRequest {
  const now = new Date(nowMs)
  const supplied = Object.fromEntries(Object.entries(request.context).filter(([, value]) => value !== undefined))
  const date = typeof supplied['current_date'] === 'string' ? supplied['current_date'] : dayIn(supplied[TIME_ZONE], now)
  return Object.freeze({
    ...request,
    context: {
      current_datetime_utc: now.toISOString(),
      current_date: date,
      current_date_start_hour: `${date} 00`,
      current_date_end_hour: `${date} 23`,
      ...supplied,
    },
  })
}

function dayIn(zone: unknown, now: Date): string {
  try {
    // Sweden writes days as ISO 8601 does.
    return typeof zone === 'string' ? new Intl.DateTimeFormat('sv', { timeZone: zone }).format(now) : isoDate(now)
  } catch (cause) {
    throw new TuttiError(
      'InvalidRequest',
      `There is no time zone "${String(zone)}"; write one such as Europe/Berlin.`,
      { cause },
    )
  }
}

function isoDate(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** Words of the user, and the question of a model that they reply to. */
export interface UserWords {
  readonly text: string
  readonly asked?: string
}

/**
 * The user's words: the request, then replies and instructions given with decisions. In a nested run, the user's
 * request comes first, then the nested run's question.
 */
export function userRequestOf({ request, approvals }: Pick<RunState, 'request' | 'approvals'>): readonly UserWords[] {
  const { question, said } = request
  const isPart = said !== undefined && said !== '' && said !== question
  const replies = [...approvals.values()].flatMap(({ tool, decision, instructions: text, question: asked }) => {
    if (decision === undefined || text === undefined) return []
    return isQuestion({ tool })
      ? [{ text, asked: asked ?? '' }]
      : [{ text: `On the call of "${tool}", ${decision}: ${text}` }]
  })
  return [
    ...(isPart ? [{ text: said }, { text: `The part asked for here: ${question}` }] : [{ text: question }]),
    ...replies,
  ]
}
