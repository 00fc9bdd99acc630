import type { offline } from '../offline/index.ts'
import type { Api } from '../agents/api/open.ts'
import type { Registry } from '../agents/teams/registry.ts'
import type { SqlSource } from '../agents/sql/source.ts'
import type { ArtifactStore } from '../domain/artifacts.ts'
import type { ConversationStore } from '../domain/conversation.ts'
import type { ProfileStore } from '../domain/profile.ts'
import type { RunStore } from '../domain/store.ts'
import type { FeedbackStore } from '../domain/feedback.ts'
import type { ExecutionStore } from '../domain/execution.ts'
import type { Owner, RunId } from '../domain/events.ts'
import type { SkillStore } from '../domain/skill.ts'
import type { TeamStore } from '../domain/team.ts'
import type { Engine } from '../engine/engine.ts'
import type { MailAccount } from '../mail/types.ts'
import type { McpServer } from '../mcp/tool-list.ts'
import type { Models } from '../models/registry.ts'
import type { People } from '../accounts/people.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Config } from './config/schema.ts'
import type { Housekeeping } from './housekeeping.ts'
import type { OpenEvaluations } from './evaluations.ts'
import type { Descriptions } from './descriptions.ts'
import type { OpenKnowledge } from './knowledge.ts'
import type { OwnMailboxes } from './mailboxes.ts'
import type { OpenSchedules } from './schedules.ts'
import type { StoredTables } from './stored-tables.ts'
import type { Tracing } from './tracing.ts'
import type { Agent } from '../domain/actor.ts'
import type { Provenance } from '../domain/provenance.ts'
import type { RequestInput } from '../domain/request.ts'
import type { RunResponse } from '../domain/response.ts'
import type { IsSourceAllowed, SourceName } from '../shared/source-name.ts'
import type { OwnedRuns } from '../engine/owned-runs.ts'
import type { PlannedQuestion } from '../engine/run/plan-question.ts'
import type { ClientMessage } from '../memory/recall.ts'

/** Tutti for one user: runs started here belong to this user, and no data of other users is visible. */
export interface AppOf {
  readonly runs: OwnedRuns
  /**
   * Checks a request, or a question alone, and starts it.
   * @param runId chosen by the caller, so that a request that is sent twice starts one run
   * @param earlier messages, from a client that stores its own conversations; Tutti then starts none
   * @param fingerprint of the request as it was sent, kept in the run's first event
   * @param provenance of the request; absent: the user's own words
   * @throws TuttiError `InvalidRequest`, `UnknownAgent`; `RunConflict` if the run id exists
   */
  start(
    request: RequestInput | string,
    runId?: RunId,
    earlier?: readonly ClientMessage[],
    fingerprint?: string,
    provenance?: Provenance,
  ): Promise<RunId>
  /**
   * Starts a request and waits for the response. A call that needs approval waits for `runs.decide` until it times out;
   * with `interactive: false` in the request it fails at once.
   */
  ask(request: RequestInput | string): Promise<RunResponse>
  /** The response of a run as far as it has got. */
  response(runId: RunId): Promise<RunResponse>
  /**
   * The request with the files of a collection, which are searched first.
   * @throws TuttiError `InvalidRequest` without any
   */
  withDocuments(request: RequestInput, collection: string): Promise<RequestInput>
  /** How a question would be worked on; nothing of it is done or kept. @throws TuttiError of the planner */
  plan(request: RequestInput | string): Promise<PlannedQuestion>
  /** The agents that work for this user, with the sources that they are given. */
  team(): Promise<readonly Agent[]>
  /** Which sources they may use. */
  isGiven(): Promise<IsSourceAllowed>
}

/** All parts of Tutti. Its own functions work for the owner named in the options. */
export interface App extends AppOf, Housekeeping {
  /** For another user. @throws TuttiError `InvalidRequest` for an invalid owner */
  as(owner: Owner): AppOf
  readonly config: Config
  /** Works for all owners; `runs` is limited to one user. */
  readonly engine: Engine
  readonly store: RunStore
  /** Users' memory. */
  readonly profiles: ProfileStore
  readonly conversations: ConversationStore
  /** How tasks were done before. */
  readonly skills: SkillStore
  /** Every job of every run, for an audit. */
  readonly executions: ExecutionStore
  readonly models: Models
  /** Accounts, groups, and grants. */
  readonly people: People
  /** Sources that can be granted to users. */
  readonly sources: readonly SourceName[]
  readonly agents: readonly Agent[]
  /** Suggested questions, from the schema of a database without terms. */
  readonly suggestQuestions: typeof offline.suggest
  /** Names of the strategies that a request may ask for. */
  readonly strategies: readonly string[]
  /** The sources of the SQL agent. */
  readonly databases: readonly SqlSource[]
  /** The tables of Tutti itself. */
  readonly storedTables: StoredTables
  /** The sources of the API agent. */
  readonly apis: readonly Api[]
  readonly sandbox: Sandbox
  readonly knowledge: Omit<OpenKnowledge, 'close'>
  /** Descriptions of documents, by a model. */
  readonly descriptions: Descriptions
  /** Servers that offer tools. */
  readonly mcp: readonly McpServer[]
  /** The mailbox of the mail agent. */
  readonly mail?: MailAccount
  /** Users' own mailboxes. */
  readonly mailboxes: OwnMailboxes
  readonly artifacts: ArtifactStore
  /** Teams in their versions. */
  readonly teams: TeamStore
  /** The agents, tools and names that a user's teams are validated against. */
  teamRegistry(owner: Owner): Promise<Registry>
  /** Users' feedback on answers. */
  readonly feedback: FeedbackStore
  /** Scheduled questions. */
  readonly schedules: OpenSchedules
  /** Questions with known answers. */
  readonly evaluations: OpenEvaluations
  /** Traces of runs as OpenTelemetry has them. */
  readonly tracing: Tracing
  /** Where runs are kept, in words. */
  readonly storage: string
  close(): Promise<void>
}
