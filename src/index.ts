/**
 * Tutti as a library: put it together with `createApp`, extend it with `defineAgent`, `defineTool`, `definePrompt`,
 * `defineRole` and strategies of your own.
 */
import type { App } from './app/user-app.ts'
import type { AppOptions } from './app/config/options.ts'
import type { Setup, SetupOptions } from './app/setup.ts'

export type { App, AppOptions, Setup, SetupOptions }
export type { Config, ConfigInput } from './app/config/schema.ts'
export type { ApiSettings } from './agents/api/open.ts'
export { toolAgent, type ToolAgentOptions } from './agents/tool-agent/tool-agent.ts'
export type { ModelOptions, ProviderOptions, StoragePlace } from './app/config/options.ts'
export {
  dataOf,
  defineAgent,
  defineRole,
  type ActorContext,
  type Agent,
  type AgentTask,
  type AskSettings,
  type Limits,
  type Planning,
  type Role,
  type RoleContext,
  type RoleType,
  type TaskFeedback,
  type TaskInput,
} from './domain/actor.ts'
export { latestAttempt } from './domain/job.ts'
export type { ArtifactFile, ArtifactRef, Artifacts } from './domain/artifacts.ts'
export type { Citation } from './domain/answer.ts'
export type { Clock } from './shared/clock.ts'
export {
  TuttiError,
  type ErrorCode,
  type ErrorDetails,
  type ErrorInfo,
  type TuttiErrorOptions,
} from './domain/errors.ts'
export type { ApprovalDecision, RunEvent, RunId } from './domain/events.ts'
export type { Feedback, Job } from './domain/job.ts'
export type { Answered, AskOptions, Estimate, ModelPort, Settle } from './domain/model.ts'
export type { Owner } from './domain/events.ts'
export type { Plan, Task } from './domain/plan.ts'
export { definePrompt, type Message, type Prompt, type RenderedPrompt } from './domain/prompt.ts'
export type { AgentResult } from './domain/agent-results.ts'
export { BY_USER, outsideData, ownData, publicData, type Provenance } from './domain/provenance.ts'
export type { Budget, RequestInput, RunRequest } from './domain/request.ts'
export type { PlannerDecision, ResponseMetadata, RunResponse } from './domain/response.ts'
export type { Outcome, Passage, Result, Source } from './domain/result.ts'
export { fold, freeTurns, isSettled, type JobState, type RunState } from './domain/state.ts'
export type { ApprovalRecord, RunRecord, RunStatus } from './domain/store.ts'
export type { Finish, RegisteredStrategy, Strategy } from './domain/strategy.ts'
export type { Table } from './domain/table.ts'
export { defineTool, type Effect, type Reach, type Tool, type ToolInfo } from './domain/tool.ts'
export type { Usage } from './domain/usage.ts'
export type { LiveItem } from './engine/readers/live.ts'
export type { ProxySettings } from './http/policy.ts'
export type { EmbeddingConfig } from './documents/embedding/config.ts'
export type { QdrantConfig } from './documents/qdrant/client.ts'
export type { MailConfig } from './mail/open.ts'
export type { ModelsConfig, ProviderConfig } from './models/config.ts'
export type { Environment } from './app/config/environment.ts'
export { graph } from './strategies/graph/next.ts'
export { pipeline } from './strategies/pipeline/next.ts'
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
 * Creates an app. Without options it stores nothing on disk, reads no environment variables or files, and answers without a
 * model. Its modules load when it is called, so that importing the library for `defineAgent` alone stays cheap.
 * @throws TuttiError `ConfigurationError` or `StorageError` with one clear sentence
 */
export async function createApp(options: AppOptions = {}): Promise<App> {
  const { createApp: create } = await import('./app/create-app.ts')
  return create(options)
}

/**
 * Reads environment variables and the configuration file, as `tutti ask` does, as options for `createApp`:
 * `createApp({ ...(await readSetup()), agents: [mine] })`.
 * @throws TuttiError `ConfigurationError` naming the variable, or the file and line, that is wrong
 */
export async function readSetup(options: SetupOptions = {}): Promise<Setup> {
  const { readSetup: read } = await import('./app/setup.ts')
  return read(options)
}
