/** Tutti as a library: put it together with `createApp`, extend it with `defineAgent`, `defineTool` and `definePrompt`. */
import type { App, AppOptions } from './app.ts'

export type { App, AppOptions }
export { defineConfig, type Config, type ConfigInput } from './config.ts'
export {
  defineAgent,
  defineRole,
  type ActorContext,
  type Agent,
  type AgentTask,
  type Limits,
  type Planning,
  type Role,
  type RoleContext,
} from './core/actor.ts'
export { toolAgent, type ToolAgentOptions } from './agents/tool-agent/tool-agent.ts'
export type { Conversation, ConversationMessage, ConversationSummary, Recollection } from './core/conversation.ts'
export { ERROR_CODES, TuttiError, type ErrorCode, type ErrorInfo } from './core/errors.ts'
export type { Citation } from './core/citation.ts'
export type { HttpCall, HttpReply } from './core/http.ts'
export type { RunEvent, RunId } from './core/events.ts'
export type { Execution } from './core/execution.ts'
export type { Profile, ProfileChange, ProfileEntry, ProfileField } from './core/memory.ts'
export type { Owner } from './core/owner.ts'
export { definePrompt, type Prompt } from './core/prompt.ts'
export { combine, ownData, TRUSTED, untrusted, type Provenance } from './core/provenance.ts'
export { parseRequest, type Budget, type RequestInput, type RunRequest } from './core/request.ts'
export { responseOf, type AgentResult, type RunResponse } from './core/response.ts'
export type { Outcome, Result, Source } from './core/result.ts'
export { fold, type RunState } from './core/state.ts'
export type { Finish, RegisteredStrategy, Strategy } from './core/strategy.ts'
export type { Table } from './core/table.ts'
export { defineTool, type EarlierCall, type Effect, type Leaving, type Reach, type Tool } from './core/tool.ts'
export { traceOf, type TraceEvent } from './core/trace.ts'
export { Engine } from './engine/engine.ts'
export type { EngineOptions } from './engine/options.ts'
export type { OwnedRuns } from './engine/owned-runs.ts'
export { graph } from './strategies/graph/graph.ts'
export { pipeline } from './strategies/pipeline/pipeline.ts'

/**
 * Puts Tutti together. Loaded when it is called, so that importing the library for `defineAgent` alone stays cheap.
 * @throws TuttiError `ConfigurationError` or `StorageError` with one clear sentence
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { createApp: create } = await import('./app.ts')
  return create(options)
}
