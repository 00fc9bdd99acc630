import { z } from 'zod'
import type { UserQuestion } from './approvals.ts'
import type { Action } from './effects.ts'
import type { Recollection } from './conversation.ts'
import type { Message } from './blackboard.ts'
import type { Answered } from './model.ts'
import type { Artifacts } from './artifacts.ts'
import { TuttiError } from './errors.ts'
import type { EventBody, Owner } from './events.ts'
import type { Tool, ToolInfo, LoopTool, OpenToolkit } from './tool.ts'
import type { ActorName, Feedback, Job, Rejection } from './job.ts'
import type { Prompt } from './prompt.ts'
import type { Provenance } from './provenance.ts'
import type { RunRequest, UserWords } from './request.ts'
import type { FoundResult, Outcome, Result, Source } from './result.ts'
import type { JobState, RunState } from './state.ts'
import type { Table } from './table.ts'
import type { Transcript } from './transcript-port.ts'
import { assertAgent } from './assert-agent.ts'

export interface Limits {
  /** Per attempt, in milliseconds; waiting for an approval does not count. */
  readonly timeoutMs?: number
  /** Attempts after the first, made only if the error is retryable. */
  readonly retries?: number
}

export type NoteKind = 'MESSAGE' | 'TOOL' | 'DECISION' | 'RESULT' | 'ERROR'

export interface AskSettings<O> {
  /**
   * Returns the problem of a value of the right form, such as an unknown name. The model is asked again, as for a wrong
   * form.
   */
  readonly problemWith?: (value: O) => string | undefined
  /**
   * Streams the text as the answer of the run: all of it, or the part that this function returns for the text so far.
   * Its result for a longer text must begin with its previous result.
   */
  readonly streamAnswer?: boolean | ((soFar: string) => string)
  /** The actor whose model is used; by default the actor itself. */
  readonly modelOf?: ActorName
  /** Put before the user's message: hints that may contain third-party text. Ignored by prompts without memory. */
  readonly about?: string
}

export interface QuestionOptions extends Pick<UserQuestion, 'choices'> {
  /** Minimum time to answer in milliseconds, if the approval timeout is shorter. */
  readonly leastMs?: number
}

/** An actor's only door to the world. Everything behind it is journalled, budgeted, traced and checked. */
export interface ActorContext {
  readonly runId: string
  /** The owner of the run; other owners' data must not be accessed. */
  readonly owner: Owner
  readonly job: Job
  /** 1 for the first attempt. */
  readonly attempt: number
  readonly request: RunRequest
  readonly userRequest: readonly UserWords[]
  /** Calls behind the results that the job is given that changed something; for roles, all such calls of the run. */
  readonly actions: readonly Action[]
  /**
   * The user's profile and the earlier conversation. Every model call receives it; the actor does not need to add it.
   */
  readonly recollection: Recollection
  /** Aborted on cancel, timeout and loss of the run. */
  readonly signal: AbortSignal
  now(): number
  readonly transcript: Transcript
  ask<I, O>(prompt: Prompt<I, O>, input: I, settings?: AskSettings<O>): Promise<Answered<O>>
  call<I, O, P>(tool: Tool<I, O, P>, input: I): Promise<O>
  /**
   * Ends the job because the task is not for this agent: nothing failed, and other agents may handle it. `rest` is
   * added to the result.
   * @throws TuttiError `PlanningDeclined`, always
   */
  decline(reason: string, rest?: Pick<Outcome, 'data' | 'confidence' | 'sources' | 'remarks'>): never
  /**
   * Rejects this attempt's result; the next attempt is given the rejection. Returns the reason when no new attempt is
   * made: `done` if the job performed an irreversible call or ran a nested run, `limit` after `most` rejections.
   * @throws TuttiError `ResultRejected`, which must not be caught
   */
  sendBack(rejection: Rejection, most: number): 'done' | 'limit'
  /** Writes a line of the trace. */
  note(kind: NoteKind, message: string, data?: Readonly<Record<string, unknown>>): void
  /** Stores large files for the owner of the run, and opens the large values of the run. */
  readonly artifacts: Artifacts
  /** The blackboard of the run: values that jobs have written, under names of their choice. */
  readonly shared: Shared
  /** Sends a message to another actor, or to `all`. It is delivered once this job has succeeded. */
  send(to: ActorName, kind: string, content: string): void
  /** Messages to this actor or to `all`, oldest first. @param most how many of the latest; 5 by default */
  messages(most?: number): readonly Message[]
  /**
   * Asks the user a question and waits for the answer, for `approvals.timeoutMs`. The answer counts as the user's own
   * words.
   * @throws TuttiError `ApprovalDenied` if no user can answer or the user declines, `ApprovalTimedOut`
   */
  question(text: string, options?: QuestionOptions): Promise<string>
  /** Runs a whole request as a child of this job and returns its final state (teams). */
  startRun(request: RunRequest): Promise<RunState>
}

/** The blackboard as an actor sees it, without values of superseded attempts. */
export interface Shared {
  /** All names, in the order in which they were first written. */
  names(): readonly string[]
  /** The value under a name, or undefined. Reading it adds the value's labels to the job. */
  get(name: string): unknown
  /**
   * Writes a JSON value and replaces the previous one. Others see it once this job has succeeded.
   * @param provenance labels to add to those of the job; they can only lower its trust
   */
  set(name: string, value: unknown, provenance?: Provenance): void
}

/** The context of a role: adds the state of the run, and the right to set the plan and the answer. */
export interface RoleContext<I = unknown> extends ActorContext {
  /** The input from the strategy, as its type declares it. */
  readonly input: I
  /** Results of the jobs that its job depends on, of roles and specialists, each in its latest attempt. */
  inputs(): readonly TaskInput[]
  /** The feedback that caused this attempt, and the previous attempt. */
  readonly feedback?: TaskFeedback
  readonly state: RunState
  /** All specialists that the owner has. */
  readonly agents: readonly Agent[]
  /** The table behind a source of the run; undefined if it has none. */
  tableOf(source: Source): Table | undefined
  /** Appended together with the job's result, so that a crash leaves both or neither. */
  emit(event: Extract<EventBody, { type: 'plan.set' | 'answer.composed' }>): void
}

/**
 * Input and result data of a role: the contract between the strategy that creates its jobs and the role that runs them.
 * Defined in the strategy's folder; the role is `{ ...type, run }`.
 */
export interface RoleType<I, D> {
  readonly name: ActorName
  readonly input: z.ZodType<I>
  readonly data: z.ZodType<D>
}

/** A job such as planner, composer or critic. Its input and result data are validated if it declares their schemas. */
export interface Role<I = unknown, D = unknown> extends Partial<RoleType<I, D>> {
  readonly name: ActorName
  readonly limits?: Limits
  run(ctx: RoleContext<I>): Promise<Outcome<D>>
}

/** The result of an earlier job, a task's or a role's, as input of a later one. */
export interface TaskInput {
  readonly key: string
  readonly actor: ActorName
  /** The agent's declared label for the place that it searched. */
  readonly label?: string
  readonly result: Result
  /** All findings, with the ids to read them again; those that the result rests on come first. */
  readonly found?: readonly FoundResult[]
}

/** Why a task is repeated: feedback of a critic, a user or a check on the previous attempt, and that attempt. */
export interface TaskFeedback extends Pick<Feedback, 'by' | 'text'> {
  readonly attempt?: Omit<TaskInput, 'result'> & { readonly result: Partial<Result> }
  /** Rejections within the job so far. */
  readonly rejections?: number
  /** The feedback on the attempts before that one, the oldest first. */
  readonly earlier?: readonly Pick<Feedback, 'by' | 'text'>[]
}

/** A task as its agent sees it. */
export interface AgentTask {
  readonly id: string
  readonly text: string
  readonly entities: Readonly<Record<string, unknown>>
  /** The user's instructions from approvals of this task's calls; `text` already contains them. */
  readonly instructions?: readonly string[]
  /** The task as planned, if instructions changed it. */
  readonly planned?: string
  readonly feedback?: TaskFeedback
  /** There is only this task, and none came before: its result may become the answer unchanged. */
  readonly isOnly: boolean
  /** Names of the tools that the plan allows it; absent means all of its own. */
  readonly tools?: readonly string[]
  /** Results of the jobs it depends on; in a pipeline, of all agents before it. */
  inputs(): readonly TaskInput[]
}

/** An agent's reading of a request that it understands. */
export interface Understood {
  /** Input that other agents must find first. */
  readonly needs?: string
  /** Whether it changes something. Such a task is not started if another part of the request is not understood. */
  readonly acts?: boolean
}

/** How planners choose among agents without a model, or if it fails. Most agents need none of it. */
export interface Planning {
  /** Place in the heuristic order, lower first; 100 when absent. */
  readonly rank?: number
  /** Chosen when no keyword of any agent matches. */
  readonly isDefault?: boolean
  /** Works on results of other agents, rather than on its own data. */
  readonly worksOnResults?: boolean
  /** Acts on what other agents found, such as sending a mail: a request to act waits for the parts before it. */
  readonly acts?: boolean
  /** Whether it understands a request as it is written, without a model. */
  readonly understands?: (text: string, ctx: ActorContext) => Promise<Understood | undefined>
  /** Connected sources, and questions that it can answer without a model. */
  readonly offers?: (ctx: ActorContext) => Promise<object>
}

/** A specialist. It declares everything that planners use, so a new agent needs no change elsewhere. */
export interface Agent {
  readonly name: ActorName
  readonly description: string
  /** The user's name for the place that it searches, such as “the database”; the quoted agent name by default. */
  readonly label?: string
  readonly capabilities: readonly string[]
  readonly useCases: readonly string[]
  /** Substrings of a lower-cased question that speak for this agent. */
  readonly keywords: readonly string[]
  readonly planning?: Planning
  /** Context keys without which it cannot work; each entry may offer alternatives joined by `|`. */
  readonly requiredContext?: readonly string[]
  /**
   * Why it cannot work in this setup, such as a missing database. Planners omit it, and its tasks fail with this
   * message.
   */
  readonly unavailable?: string | undefined
  /** Configured parts that it cannot use, one sentence each; answers from any source mention them. */
  readonly lacking?: readonly string[]
  /** Whether it can do this task although it is `unavailable`. */
  worksAnyway?(task: AgentTask, ctx: ActorContext): boolean
  /** `provider:model` that it would like; the environment and `models.actors` of the configuration win. */
  readonly model?: string
  readonly typicalLatencyMs?: number
  readonly tools?: readonly ToolInfo[]
  readonly limits?: Limits
  /** It catches `ApprovalInstructed` and makes another call; by default that error ends its attempt. */
  readonly followsInstructions?: boolean
  /** Schema of the data of its results; reflection validates results with it, and repaired results as well. */
  readonly output?: z.ZodType
  /**
   * Makes the tools that `tools` only describes, for one task, with `defineTool`. Agents declared in YAML can then use
   * them by name. Not needed if `tools` holds tools with `run` and `input`.
   */
  createTools?(task: AgentTask, ctx: ActorContext): readonly (ToolInfo | LoopTool)[]
  /** Its tools and instructions, for its own tool loop and for the assistant's. */
  toolkit?: OpenToolkit
  /**
   * A short summary of its sources for planners: tables, titles of documents, endpoints, date ranges. Return only names
   * and dates given by the user or the operator, because a plan made from them is labelled as the user's words.
   */
  holds?(ctx: ActorContext): Promise<string>
  run(task: AgentTask, ctx: ActorContext): Promise<Outcome>
}

/**
 * An agent for `createApp` or a folder of agents.
 * @throws TuttiError `ConfigurationError` in one sentence for a declaration that is wrong
 */
export function defineAgent(agent: Agent): Agent {
  assertAgent(agent)
  return Object.freeze(agent)
}

/** The context of a strategy's lead agent. */
export type LeadContext = ActorContext & Pick<RoleContext, 'agents' | 'state' | 'emit'>

/** The agent that a strategy is led by: it has tools, and may set the plan and the answer of the run. No planner is offered it. */
export interface LeadAgent extends Omit<Agent, 'run'> {
  run(task: AgentTask, ctx: LeadContext): Promise<Outcome>
}

/** A role that a strategy can give jobs to, with its types checked. */
export function defineRole<I = unknown, D = unknown>(role: Role<I, D>): Role<I, D> {
  return Object.freeze(role)
}

/**
 * The data of a role's result; undefined while there is none, or when the role failed. The data are validated because
 * an older version may have written the log.
 * @throws TuttiError `StorageError` if they do not match the role's type
 */
export function dataOf<D>(
  { name, data }: Pick<RoleType<never, D>, 'name' | 'data'>,
  job: JobState | undefined,
): D | undefined {
  if (job?.result === undefined || job.status === 'failed') return undefined
  const read = data.safeParse(job.result.data)
  if (read.success) return read.data
  const message = `The result of "${job.key}" is none of the role "${name}"; another version may have written it. Ask anew.`
  throw new TuttiError('StorageError', message)
}
