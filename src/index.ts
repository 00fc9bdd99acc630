/**
 * Tutti as a library: put it together with `createApp`, extend it with `defineAgent`, `defineTool`, `definePrompt`,
 * `defineRole` and strategies of your own.
 */
import type { App, AppOptions } from './app.ts'
import type { Setup, SetupOptions } from './setup/setup.ts'

export type { App, AppOptions, Setup, SetupOptions }
export { defineConfig, type Config, type ConfigInput } from './app/config.ts'
export type { ApiSettings } from './agents/api/api.ts'
export { toolAgent, type ToolAgentOptions } from './agents/tool-agent/tool-agent.ts'
export type { ModelOptions, ProviderOptions, StoragePlace } from './app/options.ts'
export {
  dataOf,
  defineAgent,
  defineRole,
  type ActorContext,
  type Agent,
  type AgentTask,
  type AskSettings,
  type Limits,
  type NoteKind,
  type Planning,
  type Role,
  type RoleContext,
  type RoleType,
  type TaskFeedback,
  type TaskInput,
} from './core/actor.ts'
export { latestAttempt } from './core/attempts.ts'
export type { ArtifactFile, ArtifactRef, Artifacts, ArtifactStore } from './core/artifacts.ts'
export type { Citation } from './core/citation.ts'
export { systemClock, type Clock } from './core/clock.ts'
export type {
  Conversation,
  ConversationMessage,
  ConversationStore,
  ConversationSummary,
  Recollection,
} from './core/conversation.ts'
export {
  categoryOf,
  ERROR_CODES,
  TuttiError,
  type ErrorCategory,
  type ErrorCode,
  type ErrorDetails,
  type ErrorInfo,
  type TuttiErrorOptions,
} from './core/errors.ts'
export type { EffectState } from './core/effect-state.ts'
export type { ApprovalDecision, BudgetLimit, EventBody, ParentRef, RunEvent, RunId } from './core/events.ts'
export type { Execution, ExecutionStore } from './core/execution.ts'
export type { Facts } from './core/facts.ts'
export type { HttpCall, HttpReply } from './core/http.ts'
export type { ActorName, Feedback, Job } from './core/job.ts'
export type {
  MemorySource,
  Profile,
  ProfileChange,
  ProfileEntry,
  ProfileField,
  ProfileStore,
  ProfileValue,
} from './core/memory.ts'
export type { Answered, AskOptions, Estimate, ModelPort, Settle } from './core/model.ts'
export type { Owner } from './core/owner.ts'
export type { Plan, Task } from './core/plan.ts'
export type { PlanProgress } from './core/plan-progress.ts'
export { definePrompt, type Message, type Prompt, type RenderedPrompt } from './core/prompt.ts'
export { BY_USER, combine, outsideData, ownData, publicData, type Provenance } from './core/provenance.ts'
export { parseRequest, type Budget, type RequestInput, type RunRequest, type StrategyName } from './core/request.ts'
export {
  responseOf,
  type AgentResult,
  type PlannerDecision,
  type ResponseMetadata,
  type RunResponse,
} from './core/response.ts'
export type { EffectiveTask, Outcome, Passage, Result, Source } from './core/result.ts'
export {
  fold,
  freeTurns,
  isSettled,
  type AnswerState,
  type ApprovalState,
  type CallRecord,
  type JobState,
  type PlanState,
  type RunState,
} from './core/state.ts'
export type {
  ApprovalFilter,
  ApprovalRecord,
  RunFilter,
  RunRecord,
  RunStatus,
  RunStore,
  Wakeups,
} from './core/store.ts'
export type { Finish, RegisteredStrategy, Strategy } from './core/strategy.ts'
export type { Table } from './core/table.ts'
export {
  defineTool,
  type EarlierCall,
  type Effect,
  type EffectCheck,
  type Leaving,
  type Reach,
  type Tool,
  type ToolInfo,
  type ToolIo,
} from './core/tool.ts'
export { traceOf, type TraceEvent } from './core/trace.ts'
export type { Usage, UsageTotals } from './core/usage.ts'
export { Engine } from './engine/engine.ts'
export type { EngineOptions } from './engine/options.ts'
export type { OwnedRuns } from './engine/owned-runs.ts'
export type { LiveText } from './core/live-text.ts'
export type { LiveItem } from './engine/readers/live.ts'
export type { StreamOptions } from './engine/readers/stream.ts'
export type { ForkChanges } from './engine/run/fork.ts'
export type { PlannedQuestion } from './engine/run/plan-question.ts'
export type { ProxySettings } from './http/policy.ts'
export type { EmbeddingConfig } from './knowledge/embedding/config.ts'
export type { QdrantConfig } from './knowledge/qdrant/config.ts'
export type { IngestProgress } from './knowledge/types.ts'
export type { MailConfig } from './mail/open.ts'
export type { ModelsConfig, ProviderConfig } from './models/config.ts'
export type { Environment } from './setup/environment.ts'
export { graph } from './strategies/graph/graph.ts'
export { pipeline } from './strategies/pipeline/pipeline.ts'
export {
  composeThenFinish,
  lastStep,
  latestRound,
  planJob,
  plannerFailure,
  roundsOf,
  stepAgain,
  stepJob,
  taskAgain,
  taskJob,
  turnsLeft,
} from './strategies/steps.ts'
export type { Receiver, TracingConfig } from './tracing/config.ts'
export type { WebSearchConfig } from './web-search/config.ts'

/**
 * Puts Tutti together. Without options it keeps nothing, reads nothing of the machine and answers by rules. Loaded when it
 * is called, so that importing the library for `defineAgent` alone stays cheap.
 * @throws TuttiError `ConfigurationError` or `StorageError` with one clear sentence
 */
export async function createApp(options: AppOptions = {}): Promise<App> {
  const { createApp: create } = await import('./app.ts')
  return create(options)
}

/**
 * Reads environment variables and the configuration file, as `tutti ask` does, as options for `createApp`:
 * `createApp({ ...(await readSetup()), agents: [mine] })`.
 * @throws TuttiError `ConfigurationError` naming the variable, or the file and line, that is wrong
 */
export async function readSetup(options: SetupOptions = {}): Promise<Setup> {
  const { readSetup: read } = await import('./setup/setup.ts')
  return read(options)
}
