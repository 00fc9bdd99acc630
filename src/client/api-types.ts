// Made from the OpenAPI document of the server by `npm run client`.

/** Types of the API, by the names of its OpenAPI document. */
export interface Schemas {
  readonly About: {
    /** Absent if no model is configured and answers are made by rules */
    readonly model?: string
    /** All configured models */
    readonly models: readonly string[]
    readonly sources: readonly {
      readonly kind: 'database' | 'documents' | 'api' | 'mcp' | 'mail'
      readonly name: string
      /** Its size, or its owner */
      readonly about?: string
      /** Number of tables, files, operations or tools */
      readonly count?: number
    }[]
    /** Example questions for the connected sources */
    readonly suggestions: readonly {
      readonly question: string
      readonly agents: readonly string[]
    }[]
  }
  /** An event of AG-UI */
  readonly AgUiEvent: {
    readonly data: {
      readonly type: string
      readonly [more: string]: unknown
    }
  }
  readonly Agent: {
    readonly name: string
    readonly description: string
    readonly capabilities: readonly string[]
    readonly useCases: readonly string[]
    readonly requiredContext: readonly string[]
    readonly tools: readonly {
      readonly name: string
      readonly description: string
      readonly effect: 'read' | 'write' | 'irreversible'
    }[]
    /** Why it cannot be used with the present configuration */
    readonly unavailable?: string
  }
  readonly AgentLately: {
    readonly name: string
    /** Its model; absent if answers are made by rules */
    readonly model?: string
    /** Of its latest 20 tasks in runs of the caller */
    readonly done: number
    readonly failed: number
    /** Tasks that it declined, or that the user denied or stopped */
    readonly declined: number
    /** Start of its latest task; absent if the caller never used it */
    readonly at?: string
    readonly errors: readonly {
      readonly runId: string
      /** ISO 8601 in UTC */
      readonly at: string
      readonly message: string
    }[]
  }
  readonly ApiKey: {
    readonly keyId: string
    readonly name: string
    readonly beginsWith: string
    /** `read`: view; `ask`: ask questions, and follow and change the runs; `decide`: approvals; `documents`: add and delete documents; `admin`: everything */
    readonly scopes: readonly ('read' | 'ask' | 'decide' | 'documents' | 'admin')[]
    /** ISO 8601 in UTC */
    readonly createdAt: string
    /** ISO 8601 in UTC */
    readonly expiresAt?: string
    /** ISO 8601 in UTC */
    readonly lastUsedAt?: string
  }
  readonly Approval: {
    readonly approvalId: string
    readonly runId: string
    /** Key of the waiting job */
    readonly key: string
    /** The same for all calls that one model reply requested; unique within a run */
    readonly step?: string
    readonly tool: string
    /** Exact input of the call */
    readonly payload: unknown
    readonly reason: string
    /** Origin of the data in the input */
    readonly provenance?: {
      readonly author: string
      readonly private: boolean
      readonly sources: readonly string[]
    }
    readonly status: 'pending' | 'approved' | 'denied' | 'timed_out' | 'expired'
    /** ISO 8601 in UTC */
    readonly requestedAt: string
    /** ISO 8601 in UTC */
    readonly expiresAt: string
    readonly decidedBy?: string
    /** ISO 8601 in UTC */
    readonly decidedAt?: string
    readonly instructions?: string
    /** Destination of the call, if more than this call can be approved */
    readonly destination?: string
    /** Scopes that can be approved, the default first; `once` if absent */
    readonly scopes?: readonly ('once' | 'run' | 'conversation' | 'always')[]
    /** Approved scope; `once` if absent */
    readonly scope?: 'once' | 'run' | 'conversation' | 'always'
    readonly conversationId?: string
    /** The input that was used instead, if a person edited it */
    readonly editedPayload?: unknown
    /** ISO 8601 in UTC */
    readonly revokedAt?: string
    readonly revokedBy?: string
  }
  readonly CaseResult: {
    readonly id: string
    readonly set: string
    readonly verdict: 'right' | 'declined' | 'failed' | 'wrong'
    readonly reference?: readonly string[]
    readonly error?: string
    readonly turns: readonly {
      readonly question: string
      readonly answer: string
      readonly format?: 'text' | 'markdown'
      readonly runId?: string
      readonly verdict?: 'right' | 'declined' | 'failed' | 'wrong'
      readonly checks: readonly {
        readonly scorer: 'exact' | 'contains' | 'excludes' | 'number' | 'table' | 'citation' | 'refusal' | 'judge'
        readonly expected: string
        readonly passed: boolean
        readonly why?: string
      }[]
      readonly notes: readonly string[]
      readonly calls: number
      readonly costUsd: number
      readonly latencyMs: number
      readonly agents?: readonly string[]
      readonly detail?: readonly string[]
    }[]
  }
  readonly Chart: {
    readonly type: 'bar' | 'line' | 'pie'
    readonly title: string
    /** Column of the categories, times or numbers along the axis */
    readonly x: string
    /** Columns with the values */
    readonly series: readonly string[]
    readonly unit?: string
    readonly rows: readonly Readonly<Record<string, number | string | null>>[]
    readonly [more: string]: unknown
  }
  readonly Checks: {
    readonly figures: readonly {
      /** Offset in the answer, in characters from 0 */
      readonly start: number
      readonly end: number
      readonly text: string
      /** `found`: stated in a result, a passage, the conversation or the question; `derived`: follows from them */
      readonly status: 'found' | 'derived' | 'not_found'
      /** IDs of sources, as in `citations` */
      readonly sources?: readonly string[]
      readonly [more: string]: unknown
    }[]
    readonly [more: string]: unknown
  }
  readonly Collection: {
    readonly collectionId: string
    readonly name: string
    readonly documents: number
    /** Name of the owner, if it belongs to another user */
    readonly owner?: string
    /** Whether the caller owns it */
    readonly isOwn: boolean
    /** Owned by the installation and managed by admins */
    readonly ofInstallation: boolean
    /** `use`: ask it; `edit`: add and remove documents; `share`: all other changes */
    readonly may: readonly ('use' | 'edit' | 'share')[]
    /** Its grants, if the caller may share it */
    readonly grants?: readonly {
      readonly to: string
      /** Name of the group or user */
      readonly name?: string
      readonly level: 'reader' | 'editor'
    }[]
    /** ISO 8601 in UTC */
    readonly createdAt: string
  }
  readonly Comparison: {
    readonly request: readonly string[]
    readonly isSamePlan: boolean
    readonly isSameAnswer: boolean
    readonly jobs: readonly {
      readonly key: string
      readonly actor: string
      /** Task of the job, if it is not the whole question */
      readonly text?: string
      readonly isSame: boolean
      /** Fields that differ, if both runs have the job */
      readonly differs: readonly ('actor' | 'task' | 'status' | 'answer' | 'table' | 'data' | 'error')[]
      readonly a?: {
        readonly status: string
        readonly answer?: string
        readonly error?: string
        /** Plan, if the job is the planner */
        readonly plan?: readonly {
          readonly id: string
          readonly agent: string
          readonly dependsOn: readonly string[]
        }[]
      }
      readonly b?: {
        readonly status: string
        readonly answer?: string
        readonly error?: string
        /** Plan, if the job is the planner */
        readonly plan?: readonly {
          readonly id: string
          readonly agent: string
          readonly dependsOn: readonly string[]
        }[]
      }
    }[]
  }
  readonly Conversation: {
    readonly conversationId: string
    readonly title: string
    readonly turns: number
    /** ISO 8601 in UTC */
    readonly createdAt: string
    /** When it or one of its branches was last used */
    readonly updatedAt: string
    /** ID of the conversation or branch that was used last */
    readonly latestId: string
    readonly isPinned: boolean
    /** Created by a schedule or hook, and not marked as seen yet */
    readonly isNew: boolean
    /** ID of the conversation that this one branched from at branchTurn */
    readonly branchOf?: string
    readonly branchTurn?: number
  }
  readonly Document: {
    readonly documentId: string
    readonly name: string
    readonly type: 'pdf' | 'docx' | 'xlsx' | 'csv' | 'txt' | 'md' | 'html'
    readonly description: string
    /** Topics of the document */
    readonly topics: readonly string[]
    readonly bytes: number
    readonly pages?: number
    /** Date stated in the document */
    readonly date?: string
    /** Number of passages */
    readonly chunks: number
    /** Number of passages with embeddings, which semantic search finds */
    readonly embedded: number
    /** ISO 8601 in UTC */
    readonly addedAt: string
    /** Parts that could not be read */
    readonly notes: readonly string[]
  }
  readonly EvalCase: {
    readonly set: string
    readonly id: string
    readonly turns: readonly {
      readonly question: string
      readonly expect?: readonly {
        readonly [more: string]: unknown
      }[]
      readonly [more: string]: unknown
    }[]
    readonly [more: string]: unknown
  }
  readonly Evaluation: {
    readonly evaluationId: string
    readonly status: 'running' | 'done' | 'cancelled'
    readonly strategy?: string
    readonly model?: string
    /** ISO 8601 in UTC */
    readonly startedAt: string
    /** ISO 8601 in UTC */
    readonly endedAt?: string
    /** Number of its cases; `totals.cases` of them have a result */
    readonly asked: number
    readonly totals: {
      readonly cases: number
      readonly right: number
      readonly declined: number
      readonly wrong: number
      readonly failed: number
      /** Share of right cases, 0 to 1 */
      readonly score: number
      /** Number of model calls */
      readonly calls: number
      readonly costUsd: number
      /** p50 of the duration */
      readonly medianMs: number
      /** p95 of the duration; the maximum if there are fewer than 20 cases */
      readonly slowMs: number
    }
    readonly sets: readonly {
      readonly set: string
      readonly totals: {
        readonly cases: number
        readonly right: number
        readonly declined: number
        readonly wrong: number
        readonly failed: number
        /** Share of right cases, 0 to 1 */
        readonly score: number
        /** Number of model calls */
        readonly calls: number
        readonly costUsd: number
        /** p50 of the duration */
        readonly medianMs: number
        /** p95 of the duration; the maximum if there are fewer than 20 cases */
        readonly slowMs: number
      }
    }[]
  }
  readonly Execution: {
    readonly runId: string
    readonly key: string
    readonly actor: string
    readonly status: string
    readonly input?: unknown
    readonly output?: unknown
    readonly error?: string
    /** ISO 8601 in UTC */
    readonly startedAt: string
    /** ISO 8601 in UTC */
    readonly endedAt?: string
  }
  readonly Feedback: {
    readonly thumb: 'up' | 'down'
    readonly reason?: string
    readonly runId: string
    /** ISO 8601 in UTC */
    readonly givenAt: string
  }
  readonly Group: {
    readonly groupId: string
    readonly name: string
    readonly members: number
  }
  readonly LoggedEvent: {
    /** For Last-Event-ID */
    readonly id: string
    readonly data:
      | Schemas['RunEvent']
      | {
          readonly text: string
          /** Incremented when the answer starts over */
          readonly part: number
          /** Offset of the text in its part, in characters */
          readonly offset: number
          readonly type: 'live.text'
        }
  }
  readonly Mailbox: {
    /** Sender: `Name <address>` or only the address */
    readonly address: string
    /** `host` or `host:port` */
    readonly imap: string
    /** `host` or `host:port`; without it mails are read and drafted, but not sent */
    readonly smtp?: string
    readonly user: string
    /** ISO 8601 in UTC */
    readonly changedAt: string
  }
  readonly Message: {
    /** From 1; a question and its answer have the same number */
    readonly turn: number
    readonly role: 'user' | 'assistant' | 'system'
    readonly text: string
    readonly runId: string
    /** ISO 8601 in UTC */
    readonly at: string
    /** A follow-up question, rewritten so that it is complete without the previous turns */
    readonly understood?: string
  }
  readonly Notice: {
    readonly code:
      | 'assumption'
      | 'source_unavailable'
      | 'declined'
      | 'denied'
      | 'limit_reached'
      | 'offline'
      | 'no_source'
      | 'interrupted_call'
      | 'remembered'
      | 'remark'
    readonly params: Readonly<Record<string, string>>
    readonly severity: 'info' | 'warning'
    readonly text: string
    readonly [more: string]: unknown
  }
  readonly OpenAiChatCompletion: {
    readonly id: string
    /** Seconds since the epoch */
    readonly created: number
    /** As named in the request */
    readonly model: string
    readonly object: 'chat.completion'
    readonly choices: readonly {
      readonly index: 0
      readonly message: {
        readonly role: 'assistant'
        readonly content: string
        readonly [more: string]: unknown
      }
      readonly finish_reason: 'stop' | 'length'
      readonly [more: string]: unknown
    }[]
    readonly usage: {
      readonly prompt_tokens: number
      readonly completion_tokens: number
      readonly total_tokens: number
      readonly [more: string]: unknown
    }
    readonly [more: string]: unknown
  }
  readonly OpenAiChatCompletionChunk: {
    readonly id: string
    /** Seconds since the epoch */
    readonly created: number
    /** As named in the request */
    readonly model: string
    readonly object: 'chat.completion.chunk'
    readonly choices: readonly {
      readonly index: 0
      readonly delta: {
        readonly role?: 'assistant'
        readonly content?: string
        readonly [more: string]: unknown
      }
      readonly finish_reason: ('stop' | 'length') | null
      readonly [more: string]: unknown
    }[]
    readonly usage?: {
      readonly prompt_tokens: number
      readonly completion_tokens: number
      readonly total_tokens: number
      readonly [more: string]: unknown
    } | null
    readonly [more: string]: unknown
  }
  readonly OpenAiError: {
    readonly error: {
      /** One sentence that says what to do */
      readonly message: string
      readonly type: 'invalid_request_error' | 'server_error'
      readonly param: null
      /** As in docs/errors.md */
      readonly code: string
    }
  }
  readonly OpenAiModel: {
    readonly id: string
    readonly object: 'model'
    /** Seconds since the epoch */
    readonly created: number
    readonly owned_by: string
  }
  readonly Person: {
    readonly userId: string
    readonly username: string
    readonly displayName: string
    readonly role: 'viewer' | 'member' | 'admin'
    readonly isDisabled: boolean
    /** False for users who sign in with a provider, or have not set a password yet */
    readonly hasPassword: boolean
    /** ISO 8601 in UTC */
    readonly createdAt: string
  }
  readonly PersonAccess: {
    readonly userId: string
    readonly name: string
    readonly role: string
    /** Disabled: none of these permissions applies until the account is enabled */
    readonly isDisabled: boolean
    readonly groups: readonly {
      readonly groupId: string
      readonly name: string
    }[]
    /** All sources, including those without permission */
    readonly sources: readonly {
      readonly source: string
      /** Empty if nothing is permitted */
      readonly may: readonly ('use' | 'edit' | 'share')[]
    }[]
    /** Used instead of the installation’s mailbox */
    readonly hasOwnMailbox: boolean
    readonly collections: readonly {
      readonly collectionId: string
      readonly name: string
      readonly owner?: string
      /** Empty if nothing is permitted */
      readonly may: readonly ('use' | 'edit' | 'share')[]
    }[]
    /** Number of their own collections; their contents are private */
    readonly ownCollections: number
    readonly agents: readonly {
      readonly name: string
      readonly unavailable?: string
    }[]
    /** Teams shared by others */
    readonly teams: readonly {
      readonly name: string
    }[]
    readonly ownTeams: number
  }
  readonly Problem: {
    /** urn:tutti:error: and the code */
    readonly type: string
    readonly title: string
    readonly status: number
    /** One sentence that says what to do */
    readonly detail: string
    /** As in docs/errors.md */
    readonly code: string
    readonly requestId: string
    /** All problems of the request */
    readonly issues?: readonly string[]
  }
  readonly Request: {
    readonly question: string
    readonly context?: Readonly<Record<string, unknown>>
    readonly preferAgents: unknown
    readonly disableAgents: unknown
    readonly maxTurns?: number
    readonly maxRetries?: number
    readonly includeData?: boolean
    readonly trace?: boolean
    readonly systemPrompt?: string
    readonly strategy?: string
    readonly budget?: {
      readonly maxCostUsd?: number
      readonly maxTokens?: number
      readonly maxCalls?: number
      readonly maxTimeMs?: number
    }
    readonly models?: Readonly<Record<string, string>>
    readonly collections?: readonly string[]
    readonly conversationId?: string
    readonly memory?: boolean
    readonly confirmPlan?: boolean
    readonly locale?: string
    /** Collection of files sent to /attachments for this question */
    readonly documents?: string
  }
  readonly RequestInput: {
    readonly question: string
    readonly context?: Readonly<Record<string, unknown>>
    readonly preferAgents?: readonly (string | null)[] | null
    readonly disableAgents?: readonly (string | null)[] | null
    readonly maxTurns?: number
    readonly maxRetries?: number
    readonly includeData?: boolean
    readonly trace?: boolean
    readonly systemPrompt?: string
    readonly strategy?: string
    readonly budget?: {
      readonly maxCostUsd?: number
      readonly maxTokens?: number
      readonly maxCalls?: number
      readonly maxTimeMs?: number
    }
    readonly models?: Readonly<Record<string, string>>
    readonly collections?: readonly string[]
    readonly conversationId?: string
    readonly memory?: boolean
    readonly confirmPlan?: boolean
    readonly locale?: string
    /** Collection of files sent to /attachments for this question */
    readonly documents?: string
  }
  readonly Response: {
    readonly answer: string
    /** Strategy review: the answer again */
    readonly finalAnswer?: string
    /** Strategy review: how the answer was found */
    readonly finalReasoningTrace?: string
    /** Whether the question was answered; `failed`: the run failed */
    readonly status: 'answered' | 'partly' | 'not_answered' | 'failed'
    /** What the answer rests on; `model`: general knowledge */
    readonly basis: 'sources' | 'conversation' | 'model'
    /** Notes about the answer for the reader */
    readonly notices: readonly Schemas['Notice'][]
    /** Results of the checks; they do not change the text of the answer */
    readonly checks: Schemas['Checks']
    readonly data?: {
      readonly columns: readonly string[]
      readonly rows: readonly Readonly<Record<string, unknown>>[]
      readonly rowCount: number
      readonly truncated?: boolean
      readonly [more: string]: unknown
    }
    /** Charts of the answer, as data */
    readonly charts?: readonly Schemas['Chart'][]
    /** Files that tools stored, such as pictures */
    readonly files?: readonly Schemas['RunFile'][]
    /** Questions of agents, and the user’s replies */
    readonly replies?: readonly {
      readonly question: string
      readonly reply?: string
    }[]
    readonly citations: readonly {
      readonly n: number
      readonly agent: string
      readonly source: {
        readonly kind: string
        readonly name: string
        readonly [more: string]: unknown
      }
      readonly [more: string]: unknown
    }[]
    readonly agentResults: readonly {
      readonly agent: string
      readonly task: string
      readonly status: string
      readonly [more: string]: unknown
    }[]
    /** Calls that changed something, or may have; empty if nothing was changed */
    readonly actions: readonly {
      readonly tool: string
      readonly effect: string
      readonly error?: string
      readonly [more: string]: unknown
    }[]
    readonly planner?: {
      readonly chosenAgents: readonly string[]
      readonly rationale: string
      readonly [more: string]: unknown
    }
    readonly metadata: {
      readonly runId: string
      readonly status: 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'
      readonly strategy: string
      readonly conversationId?: string
      /** Format of the answer; `text` must be shown literally */
      readonly format: 'text' | 'markdown'
      readonly isAnswered: boolean
      readonly notes: readonly string[]
      readonly [more: string]: unknown
    }
    readonly error?: {
      readonly type: string
      readonly message: string
      readonly [more: string]: unknown
    }
    readonly trace?: readonly {
      readonly eventType: string
      readonly message: string
      /** ISO 8601 in UTC */
      readonly timestamp: string
      readonly [more: string]: unknown
    }[]
    readonly [more: string]: unknown
  }
  readonly RpcError: {
    readonly jsonrpc: '2.0'
    readonly id: string | number | null
    readonly error: {
      readonly code: number
      readonly message: string
      readonly [more: string]: unknown
    }
  }
  readonly Run: {
    readonly runId: string
    readonly status: 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'
    readonly strategy: string
    readonly question: string
    readonly parentId?: string
    /** ISO 8601 in UTC */
    readonly createdAt: string
    /** ISO 8601 in UTC */
    readonly updatedAt: string
    /** Only in lists, for finished runs: whether all parts of the question were answered */
    readonly outcome?: 'answered' | 'partly' | 'declined'
    /** Run and step that it was forked from. In lists, absent while it is running */
    readonly forkOf?: {
      readonly runId: string
      readonly key: string
    }
    /** Only in lists: first line of the answer, or the reason why there is none */
    readonly gist?: string
    /** Only in lists, absent while running: the agents that took part */
    readonly agents?: readonly string[]
    /** Only in lists, absent while running: duration without waiting for approval */
    readonly workMs?: number
    /** Only in lists, absent while running */
    readonly tokens?: number
    /** Only in lists, absent while running */
    readonly costUsd?: number
  }
  readonly RunCounts: {
    /** ISO 8601 in UTC */
    readonly from: string
    /** ISO 8601 in UTC */
    readonly until: string
    readonly stepMs: number
    /** Intervals with runs, earliest first */
    readonly items: readonly {
      /** Start of the interval, which is `stepMs` long */
      readonly from: string
      readonly runs: number
      readonly declined: number
      readonly failed: number
    }[]
    /** Whether earlier runs are left out */
    readonly isCut: boolean
  }
  readonly RunEvent: {
    readonly type: string
    readonly runId: string
    readonly seq: number
    /** ISO 8601 in UTC */
    readonly at: string
    readonly [more: string]: unknown
  }
  readonly RunFile: {
    /** For /runs/{runId}/files/{fileId} */
    readonly id: string
    readonly name: string
    readonly mediaType: string
    /** Size */
    readonly bytes: number
    readonly [more: string]: unknown
  }
  readonly RunParts: {
    readonly agents: readonly string[]
    readonly models: readonly string[]
  }
  readonly RunUsage: {
    readonly runId: string
    readonly question: string
    readonly strategy: string
    readonly status: 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'
    /** ISO 8601 in UTC */
    readonly createdAt: string
    /** Only in lists, for finished runs: whether all parts of the question were answered */
    readonly outcome?: 'answered' | 'partly' | 'declined'
    /** Whether all parts of the question were answered */
    readonly isAnswered: boolean
    /** Duration of the whole run, including the time spent waiting for approval */
    readonly latencyMs: number
    readonly used: {
      readonly calls: number
      readonly tokens: number
      readonly costUsd: number
    }
    readonly jobs: readonly {
      readonly calls: number
      readonly tokens: number
      readonly costUsd: number
      readonly actor: string
      readonly status: 'succeeded' | 'failed' | 'declined' | 'skipped'
      readonly latencyMs: number
    }[]
    /** Agents that started a job, whatever its result; values for filters */
    readonly agents: readonly string[]
    readonly models: readonly {
      readonly calls: number
      readonly tokens: number
      readonly costUsd: number
      readonly model: string
    }[]
  }
  readonly Schedule: {
    readonly scheduleId: string
    /** Five fields: minute, hour, day of month, month, day of week */
    readonly cron?: string
    /** Time zone of cron, such as Europe/Berlin; default UTC */
    readonly zone?: string
    /** Once, at this time */
    readonly at?: string
    /** Starts when a program calls it with the secret or a signature */
    readonly hook?: 'bearer' | 'signed'
    readonly request: {
      readonly question: string
      readonly [more: string]: unknown
    }
    readonly webhook?: string
    readonly isPaused: boolean
    /** ISO 8601 in UTC */
    readonly nextAt?: string
    /** ISO 8601 in UTC */
    readonly createdAt: string
  }
  readonly SetUpSource: {
    readonly kind: 'model' | 'database' | 'mailbox'
    readonly name: string
    /** Location, without secrets */
    readonly about: string
    readonly from: 'environment' | 'file' | 'page' | 'demo'
    /** False if the environment or the configuration file overrides it */
    readonly isUsed: boolean
    /** What was found, such as tables */
    readonly found?: string
    /** Why it cannot be used */
    readonly problem?: string
  }
  readonly Share: {
    readonly shareId: string
    /** Number of turns shown; later turns are not shown */
    readonly turns: number
    /** ISO 8601 in UTC */
    readonly createdAt: string
    /** ISO 8601 in UTC */
    readonly expiresAt?: string
  }
  readonly Skill: {
    readonly skillId: string
    readonly agent: string
    readonly task: string
    readonly steps: readonly {
      readonly tool: string
      readonly input: string
    }[]
    readonly outcome: string
    readonly author: string
    readonly sources: readonly string[]
    readonly runId: string
    /** ISO 8601 in UTC */
    readonly createdAt: string
    /** ISO 8601 in UTC */
    readonly usedAt: string
  }
  readonly StreamedEvent:
    | {
        /** For Last-Event-ID */
        readonly id: string
        readonly event: 'token'
        readonly data: {
          readonly text: string
          /** Incremented when the answer starts over */
          readonly part: number
          /** Offset of the text in its part, in characters */
          readonly offset: number
        }
      }
    | {
        /** For Last-Event-ID */
        readonly id: string
        readonly event: 'hitl_required'
        readonly data: {
          /** ID for POST /hitl/respond */
          readonly request_id: string
          readonly agent_id: string
          readonly agent_name: string
          readonly tool_names: readonly string[]
          readonly task_description: string
          readonly timeout_seconds: number
        }
      }
    | {
        /** For Last-Event-ID */
        readonly id: string
        readonly event: 'hitl_approved' | 'hitl_denied' | 'hitl_timeout' | 'hitl_expired'
        readonly data: {
          readonly request_id: string
          readonly agent_id?: string
        }
      }
    | {
        /** For Last-Event-ID */
        readonly id: string
        readonly event: 'done'
        readonly data: Schemas['Response']
      }
    | {
        /** For Last-Event-ID */
        readonly id: string
        readonly data: Schemas['RunEvent']
        /** The type of the entry */
        readonly event: string
      }
  readonly TeamVersion: {
    readonly name: string
    readonly version: number
    readonly team: {
      readonly name: string
      readonly purpose: string
      readonly keywords: readonly string[]
      readonly useCases: readonly string[]
      readonly strategy: 'graph' | 'pipeline' | 'supervisor'
      readonly supervisor?: string
      readonly agents: readonly {
        readonly name: string
        readonly purpose: string
        readonly tools: readonly string[]
        readonly task: string
        readonly after: readonly string[]
        readonly call?: {
          readonly tool: string
          readonly input: Readonly<Record<string, unknown>>
        }
      }[]
      readonly checks: readonly {
        readonly question: string
        readonly contains: readonly string[]
      }[]
      readonly budget?: {
        readonly maxCostUsd?: number
        readonly maxTokens?: number
        readonly maxCalls?: number
      }
    }
    readonly status: 'trial' | 'ready' | 'failed' | 'removed'
    /** Result of its checks */
    readonly remark?: string
    readonly isShared: boolean
    readonly isCurrent: boolean
    readonly isOwn: boolean
    /** ISO 8601 in UTC */
    readonly createdAt: string
  }
  readonly ToolServer: {
    readonly name: string
    /** Why it is not available */
    readonly problem?: string
    /** Effect of each tool in use, as Tutti classifies it */
    readonly effects: Readonly<Record<string, 'read' | 'write' | 'irreversible'>>
    readonly accepted: readonly {
      readonly name: string
      /** Hash of the other fields */
      readonly digest: string
      readonly description: string
      /** JSON Schema of the arguments; models read its descriptions, too */
      readonly inputSchema: Readonly<Record<string, unknown>>
      readonly readOnly: boolean
    }[]
    /** Changed since they were accepted: not used */
    readonly changed: readonly {
      readonly name: string
      /** Hash of the other fields */
      readonly digest: string
      readonly description: string
      /** JSON Schema of the arguments; models read its descriptions, too */
      readonly inputSchema: Readonly<Record<string, unknown>>
      readonly readOnly: boolean
    }[]
    /** The accepted versions of the changed tools, in the same order */
    readonly before: readonly {
      readonly name: string
      /** Hash of the other fields */
      readonly digest: string
      readonly description: string
      /** JSON Schema of the arguments; models read its descriptions, too */
      readonly inputSchema: Readonly<Record<string, unknown>>
      readonly readOnly: boolean
    }[]
    /** Added since the others were accepted: not used */
    readonly added: readonly {
      readonly name: string
      /** Hash of the other fields */
      readonly digest: string
      readonly description: string
      /** JSON Schema of the arguments; models read its descriptions, too */
      readonly inputSchema: Readonly<Record<string, unknown>>
      readonly readOnly: boolean
    }[]
    readonly gone: readonly string[]
    /** Tools that cannot be used, with the reason */
    readonly leftOut: readonly string[]
  }
  readonly Tried: {
    readonly ok: boolean
    /** The result of the test, or why it cannot be used */
    readonly message: string
    readonly latencyMs: number
    /** Databases: the protections between a query and forbidden operations */
    readonly protections?: {
      readonly standing: readonly string[]
      readonly weak: readonly string[]
      readonly advice: readonly string[]
    }
    /** Models: the abilities that the test found */
    readonly abilities?: {
      readonly streaming: boolean
      readonly tools: boolean
      readonly parallelTools: boolean
      readonly structuredOutput: boolean
    }
  }
  /** A chunk of the UI message stream of the AI SDK */
  readonly UIMessageEvent: {
    readonly data:
      | {
          readonly type: string
          readonly [more: string]: unknown
        }
      | '[DONE]'
  }
}

/** Parameters and response of each operation; `undefined` for a part that it does not have. */
export interface Operations {
  /** Whether runs can be read */
  readonly 'GET /health': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly status: 'ok' | 'unavailable'
      readonly version: string
      readonly model?: string | null
      readonly reason?: string
    }
  }
  /** Whether to send requests here: runs can be stored */
  readonly 'GET /ready': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly status: 'ok' | 'unavailable'
      readonly version: string
      readonly model?: string | null
      readonly reason?: string
    }
  }
  /** Connected sources and example questions */
  readonly 'GET /about': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['About']
  }
  /** Ask, and wait for the answer. Calls that need approval are skipped */
  readonly 'POST /query': {
    readonly path: undefined
    readonly query: undefined
    readonly body: Schemas['RequestInput']
    readonly answer: Schemas['Response']
  }
  /** Ask, and stream the run as server-sent events; to resume use GET /runs/{runId}/events */
  readonly 'POST /query/stream': {
    readonly path: undefined
    readonly query:
      | {
          readonly format?: 'tutti' | 'ui' | 'ag-ui'
        }
      | undefined
    readonly body:
      | Schemas['RequestInput']
      | {
          /** ID of the chat */
          readonly id: string
          readonly messages: readonly {
            readonly role: string
            readonly parts: readonly {
              readonly type: string
              readonly text?: string
              readonly [more: string]: unknown
            }[]
            readonly [more: string]: unknown
          }[]
          readonly trigger?: 'submit-message' | 'regenerate-message'
          readonly messageId?: string | null
          readonly [more: string]: unknown
        }
      | {
          readonly threadId: string
          readonly runId: string
          readonly messages: readonly {
            readonly role: string
            readonly content: unknown
            readonly [more: string]: unknown
          }[]
          /** Fields of a Tutti request, such as strategy */
          readonly forwardedProps?: Readonly<Record<string, unknown>> | null
          readonly [more: string]: unknown
        }
    readonly answer: string
  }
  /** The runs of the caller with their outcome, newest first */
  readonly 'GET /runs': {
    readonly path: undefined
    readonly query:
      | {
          readonly limit?: number
          readonly cursor?: string
          readonly status?: 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'
          readonly outcome?: 'answered' | 'partly' | 'declined'
          readonly strategy?: string
          readonly agent?: readonly string[]
          readonly model?: string
          readonly search?: string
          readonly from?: string
          readonly until?: string
          readonly nested?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Run'][]
      readonly nextCursor?: string
    }
  }
  /** Start a run without waiting for its answer */
  readonly 'POST /runs': {
    readonly path: undefined
    readonly query: undefined
    readonly body: Schemas['RequestInput']
    readonly answer: {
      readonly runId: string
      readonly conversationId?: string
    }
  }
  /** Agents and models that took part in runs of the caller, as values for filters */
  readonly 'GET /runs/parts': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['RunParts']
  }
  /** Number of runs of the caller over time, with those that failed or were declined; of the latest 1000 */
  readonly 'GET /runs/counts': {
    readonly path: undefined
    readonly query:
      | {
          readonly status?: 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'
          readonly outcome?: 'answered' | 'partly' | 'declined'
          readonly strategy?: string
          readonly agent?: readonly string[]
          readonly model?: string
          readonly search?: string
          readonly from?: string
          readonly until?: string
          readonly nested?: string
          readonly stretches?: number
          readonly offset?: number
        }
      | undefined
    readonly body: undefined
    readonly answer: Schemas['RunCounts']
  }
  /** Compare two runs */
  readonly 'GET /runs/compare': {
    readonly path: undefined
    readonly query: {
      readonly a: string
      readonly b: string
    }
    readonly body: undefined
    readonly answer: Schemas['Comparison']
  }
  /** A run with its request, jobs, open approvals and the result so far */
  readonly 'GET /runs/{runId}': {
    readonly path: {
      readonly runId: string
    }
    readonly query:
      | {
          readonly trace?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly run: {
        readonly runId: string
        readonly status: 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'
        readonly strategy: string
        readonly question: string
        readonly parentId?: string
        /** ISO 8601 in UTC */
        readonly createdAt: string
        /** ISO 8601 in UTC */
        readonly updatedAt: string
        /** Only in lists, for finished runs: whether all parts of the question were answered */
        readonly outcome?: 'answered' | 'partly' | 'declined'
        /** Run and step that it was forked from. In lists, absent while it is running */
        readonly forkOf?: {
          readonly runId: string
          readonly key: string
        }
        /** Only in lists: first line of the answer, or the reason why there is none */
        readonly gist?: string
        /** Only in lists, absent while running: the agents that took part */
        readonly agents?: readonly string[]
        /** Only in lists, absent while running: duration without waiting for approval */
        readonly workMs?: number
        /** Only in lists, absent while running */
        readonly tokens?: number
        /** Only in lists, absent while running */
        readonly costUsd?: number
        readonly [more: string]: unknown
      }
      readonly request: {
        readonly question: string
        readonly [more: string]: unknown
      }
      readonly jobs: readonly {
        readonly key: string
        readonly actor: string
        readonly status: string
        readonly [more: string]: unknown
      }[]
      readonly approvals: readonly {
        readonly approvalId: string
        readonly tool: string
        /** ISO 8601 in UTC */
        readonly expiresAt: string
        readonly [more: string]: unknown
      }[]
      readonly response: Schemas['Response']
      readonly [more: string]: unknown
    }
  }
  /** Delete a run that has ended, with all its data */
  readonly 'DELETE /runs/{runId}': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Events of a run as server-sent events, from the start or after Last-Event-ID; 204 after the last event */
  readonly 'GET /runs/{runId}/events': {
    readonly path: {
      readonly runId: string
    }
    readonly query:
      | {
          readonly after?: string
          readonly format?: 'tutti' | 'log'
        }
      | undefined
    readonly body: undefined
    readonly answer: string | undefined
  }
  /** The present plan */
  readonly 'GET /runs/{runId}/plan': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly tasks: readonly {
        readonly id: string
        readonly agent: string
        readonly text?: string
        readonly dependsOn: readonly string[]
        readonly entities?: Readonly<Record<string, unknown>>
        readonly tools?: readonly string[]
      }[]
      readonly [more: string]: unknown
    }
  }
  /** Change the plan of a running run; finished tasks are kept unless they change */
  readonly 'PUT /runs/{runId}/plan': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: {
      readonly tasks: readonly {
        readonly id: string
        readonly agent: string
        readonly text?: string
        readonly dependsOn?: readonly string[]
        readonly entities?: Readonly<Record<string, unknown>>
        readonly tools?: readonly string[]
      }[]
    }
    readonly answer: {
      readonly tasks: readonly {
        readonly id: string
        readonly agent: string
        readonly text?: string
        readonly dependsOn: readonly string[]
        readonly entities?: Readonly<Record<string, unknown>>
        readonly tools?: readonly string[]
      }[]
      readonly [more: string]: unknown
    }
  }
  /** Add an instruction to a running run; the model reads it in its next turn */
  readonly 'POST /runs/{runId}/messages': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: {
      readonly text: string
    }
    readonly answer: {
      readonly runId: string
    }
  }
  /** Stop a run; its results so far are kept */
  readonly 'POST /runs/{runId}/cancel': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly runId: string
    }
  }
  /** Fork a run: a new run that shares everything up to one job, and continues from there with the given changes. A changed question is planned anew */
  readonly 'POST /runs/{runId}/fork': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: {
      /** Key of the job */
      readonly from: string
      /** Turn of the job to repeat; earlier turns are kept */
      readonly turn?: number
      readonly question?: string
      readonly systemPrompt?: string
      readonly models?: Readonly<Record<string, string>>
      readonly context?: Readonly<Record<string, unknown>>
      readonly plan?: {
        readonly tasks: readonly {
          readonly id: string
          readonly agent: string
          readonly text?: string
          readonly dependsOn?: readonly string[]
          readonly entities?: Readonly<Record<string, unknown>>
          readonly tools?: readonly string[]
        }[]
      }
    }
    readonly answer: {
      readonly runId: string
    }
  }
  /** Retry a run: a new run, and turn of its conversation, that keeps results, repeats failed jobs and continues stopped ones. Repeats all jobs if none failed */
  readonly 'POST /runs/{runId}/retry': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly runId: string
    }
  }
  /** A file in `files` of the response of a run; pictures have their own type, others are downloads */
  readonly 'GET /runs/{runId}/files/{fileId}': {
    readonly path: {
      readonly runId: string
      readonly fileId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: string
  }
  /** Attach files to a question, which refers to their collection as `documents` */
  readonly 'POST /attachments': {
    readonly path: undefined
    readonly query:
      | {
          readonly to?: string
        }
      | undefined
    readonly body: FormData
    readonly answer: {
      readonly documents: string
      readonly items: readonly {
        readonly name: string
        readonly documentId?: string
        /** Why it cannot be read, and what to do */
        readonly error?: string
      }[]
    }
  }
  /** Remove an attached file before the question is asked */
  readonly 'DELETE /attachments/{documents}/{documentId}': {
    readonly path: {
      readonly documents: string
      readonly documentId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Rate an answer; replaces an earlier rating */
  readonly 'POST /runs/{runId}/feedback': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: {
      readonly thumb: 'up' | 'down'
      readonly reason?: string
    }
    readonly answer: Schemas['Feedback']
  }
  /** The caller’s rating of an answer, if any */
  readonly 'GET /runs/{runId}/feedback': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly feedback?: Schemas['Feedback']
    }
  }
  /** Pending and decided approvals, oldest first */
  readonly 'GET /approvals': {
    readonly path: undefined
    readonly query:
      | {
          readonly status?: 'pending' | 'approved' | 'denied' | 'timed_out' | 'expired'
          readonly runId?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Approval'][]
    }
  }
  /** Approvals that cover later calls */
  readonly 'GET /approvals/standing': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Approval'][]
    }
  }
  /** Revoke a standing approval */
  readonly 'DELETE /approvals/standing/{approvalId}': {
    readonly path: {
      readonly approvalId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** An approval */
  readonly 'GET /approvals/{approvalId}': {
    readonly path: {
      readonly approvalId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['Approval']
  }
  /** Approve, optionally for later calls, with edited input or with instructions; or deny. 409 if already decided or expired */
  readonly 'POST /approvals/{approvalId}/decide': {
    readonly path: {
      readonly approvalId: string
    }
    readonly query: undefined
    readonly body: {
      readonly decision: 'approved' | 'denied'
      readonly instructions?: string
      /** One of `scopes` of the approval */
      readonly scope?: 'once' | 'run' | 'conversation' | 'always'
      /** Input for the call, instead of the one that was shown */
      readonly payload?: unknown
    }
    readonly answer: Schemas['Approval']
  }
  /** Same, with the field names of the events hitl_required and hitl_approved */
  readonly 'POST /hitl/respond': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly request_id: string
      readonly decision: 'approved' | 'denied'
      readonly instructions?: string | null
    }
    readonly answer: {
      readonly request_id: string
      readonly status: 'approved' | 'denied'
    }
  }
  /** The conversations of the caller, latest first */
  readonly 'GET /conversations': {
    readonly path: undefined
    readonly query:
      | {
          readonly limit?: number
          readonly cursor?: string
          readonly search?: string
          readonly pinned?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Conversation'][]
      readonly nextCursor?: string
    }
  }
  /** A conversation with all messages */
  readonly 'GET /conversations/{conversationId}': {
    readonly path: {
      readonly conversationId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly conversationId: string
      readonly title: string
      readonly turns: number
      /** ISO 8601 in UTC */
      readonly createdAt: string
      /** When it or one of its branches was last used */
      readonly updatedAt: string
      /** ID of the conversation or branch that was used last */
      readonly latestId: string
      readonly isPinned: boolean
      /** Created by a schedule or hook, and not marked as seen yet */
      readonly isNew: boolean
      /** ID of the conversation that this one branched from at branchTurn */
      readonly branchOf?: string
      readonly branchTurn?: number
      readonly messages: readonly Schemas['Message'][]
      /** IDs of runs that are running or waiting for approval */
      readonly open: readonly string[]
      /** Runs that failed or were stopped, oldest first. They are not turns */
      readonly ended: readonly {
        readonly runId: string
        /** ISO 8601 in UTC */
        readonly at: string
      }[]
      /** Branches, made by editing or repeating a question */
      readonly branches: readonly Schemas['Conversation'][]
    }
  }
  /** Rename, pin or mark as seen */
  readonly 'PATCH /conversations/{conversationId}': {
    readonly path: {
      readonly conversationId: string
    }
    readonly query: undefined
    readonly body: {
      readonly title?: string
      readonly pinned?: boolean
      readonly new?: boolean
    }
    readonly answer: Schemas['Conversation']
  }
  /** Delete a conversation and its branches; the runs are kept */
  readonly 'DELETE /conversations/{conversationId}': {
    readonly path: {
      readonly conversationId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Export a conversation as Markdown: messages, tables, and sources with their database queries */
  readonly 'GET /conversations/{conversationId}/export': {
    readonly path: {
      readonly conversationId: string
    }
    readonly query:
      | {
          readonly language?: 'en' | 'de'
          readonly zone?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: string
  }
  /** Edit or repeat a question in a new branch; the existing turns are kept */
  readonly 'POST /conversations/{conversationId}/branches': {
    readonly path: {
      readonly conversationId: string
    }
    readonly query: undefined
    readonly body: {
      /** Default: the same question */
      readonly question?: string
      readonly context?: Readonly<Record<string, unknown>>
      readonly preferAgents?: readonly (string | null)[] | null
      readonly disableAgents?: readonly (string | null)[] | null
      readonly maxTurns?: number
      readonly maxRetries?: number
      readonly includeData?: boolean
      readonly trace?: boolean
      readonly systemPrompt?: string
      readonly strategy?: string
      readonly budget?: {
        readonly maxCostUsd?: number
        readonly maxTokens?: number
        readonly maxCalls?: number
        readonly maxTimeMs?: number
      }
      readonly models?: Readonly<Record<string, string>>
      readonly collections?: readonly string[]
      readonly memory?: boolean
      readonly confirmPlan?: boolean
      readonly locale?: string
      /** Collection of files sent to /attachments for this question */
      readonly documents?: string
      readonly turn: number
    }
    readonly answer: {
      readonly conversationId: string
      readonly runId: string
    }
  }
  /** Share the conversation so far: creates a link that works without signing in */
  readonly 'POST /conversations/{conversationId}/shares': {
    readonly path: {
      readonly conversationId: string
    }
    readonly query: undefined
    readonly body: {
      /** When the link expires; never if absent */
      readonly days?: number
    }
    readonly answer: {
      readonly shareId: string
      /** Number of turns shown; later turns are not shown */
      readonly turns: number
      /** ISO 8601 in UTC */
      readonly createdAt: string
      /** ISO 8601 in UTC */
      readonly expiresAt?: string
      /** Path of the link; returned only here */
      readonly path: string
    }
  }
  /** The links to a conversation */
  readonly 'GET /conversations/{conversationId}/shares': {
    readonly path: {
      readonly conversationId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Share'][]
    }
  }
  /** Withdraw a link, with immediate effect */
  readonly 'DELETE /conversations/{conversationId}/shares/{shareId}': {
    readonly path: {
      readonly conversationId: string
      readonly shareId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** A shared conversation: messages, replies, tables, charts and the titles of the sources */
  readonly 'GET /shared/{token}': {
    readonly path: {
      readonly token: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly title: string
      /** ISO 8601 in UTC */
      readonly sharedAt: string
      /** ISO 8601 in UTC */
      readonly expiresAt?: string
      readonly messages: readonly {
        readonly turn: number
        readonly role: 'user' | 'assistant' | 'system'
        readonly text: string
        /** Format of the text; `text` must be shown literally */
        readonly format: 'text' | 'markdown'
        /** ISO 8601 in UTC */
        readonly at: string
        /** Trust level of the least trusted source of the text; `outside`: strangers may have written it */
        readonly author: 'user' | 'own' | 'outside'
        readonly data?: {
          readonly columns: readonly string[]
          readonly rows: readonly Readonly<Record<string, unknown>>[]
          readonly rowCount: number
          readonly truncated?: boolean
        }
        readonly charts?: readonly {
          readonly type: 'bar' | 'line' | 'pie'
          readonly title: string
          /** Column of the categories, times or numbers along the axis */
          readonly x: string
          /** Columns with the values */
          readonly series: readonly string[]
          readonly unit?: string
          readonly rows: readonly Readonly<Record<string, number | string | null>>[]
        }[]
        readonly replies?: readonly {
          readonly question: string
          readonly reply?: string
        }[]
        readonly sources: readonly {
          /** Number of the citation mark [n] in the text; absent if the source is not cited */
          readonly n?: number
          /** `document`, `mail`, `web` and `mcp` may have been written by strangers */
          readonly kind: 'database' | 'api' | 'computation' | 'document' | 'mail' | 'web' | 'mcp'
          readonly title: string
        }[]
      }[]
    }
  }
  /** The evaluations of the caller, latest first */
  readonly 'GET /evaluations': {
    readonly path: undefined
    readonly query:
      | {
          readonly limit?: number
          readonly cursor?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Evaluation'][]
      readonly nextCursor?: string
    }
  }
  /** Start an evaluation of some sets, or of all; it runs in the background */
  readonly 'POST /evaluations': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly sets?: readonly string[]
      /** Overrides the strategy of a case */
      readonly strategy?: string
      /** `provider:model` */
      readonly model?: string
    }
    readonly answer: Schemas['Evaluation']
  }
  /** Compare two evaluations: changed cases first, worst on top */
  readonly 'GET /evaluations/compare': {
    readonly path: undefined
    readonly query: {
      readonly before: string
      readonly after: string
    }
    readonly body: undefined
    readonly answer: {
      readonly before: Schemas['Evaluation']
      readonly after: Schemas['Evaluation']
      readonly cases: readonly {
        readonly set: string
        readonly id: string
        readonly before?: Schemas['CaseResult']
        readonly after?: Schemas['CaseResult']
      }[]
    }
  }
  /** An evaluation with the results of its cases, wrong answers first; `tutti eval --compare` accepts it, too */
  readonly 'GET /evaluations/{evaluationId}': {
    readonly path: {
      readonly evaluationId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly evaluationId: string
      readonly status: 'running' | 'done' | 'cancelled'
      readonly strategy?: string
      readonly model?: string
      /** ISO 8601 in UTC */
      readonly startedAt: string
      /** ISO 8601 in UTC */
      readonly endedAt?: string
      /** Number of its cases; `totals.cases` of them have a result */
      readonly asked: number
      readonly totals: {
        readonly cases: number
        readonly right: number
        readonly declined: number
        readonly wrong: number
        readonly failed: number
        /** Share of right cases, 0 to 1 */
        readonly score: number
        /** Number of model calls */
        readonly calls: number
        readonly costUsd: number
        /** p50 of the duration */
        readonly medianMs: number
        /** p95 of the duration; the maximum if there are fewer than 20 cases */
        readonly slowMs: number
      }
      readonly sets: readonly {
        readonly set: string
        readonly totals: {
          readonly cases: number
          readonly right: number
          readonly declined: number
          readonly wrong: number
          readonly failed: number
          /** Share of right cases, 0 to 1 */
          readonly score: number
          /** Number of model calls */
          readonly calls: number
          readonly costUsd: number
          /** p50 of the duration */
          readonly medianMs: number
          /** p95 of the duration; the maximum if there are fewer than 20 cases */
          readonly slowMs: number
        }
      }[]
      readonly version: 1
      readonly files: readonly string[]
      readonly models: Readonly<Record<string, string>>
      readonly cases: readonly Schemas['CaseResult'][]
    }
  }
  /** Delete an evaluation; the runs of its cases are kept */
  readonly 'DELETE /evaluations/{evaluationId}': {
    readonly path: {
      readonly evaluationId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Cancel the remaining cases; results so far are kept */
  readonly 'POST /evaluations/{evaluationId}/cancel': {
    readonly path: {
      readonly evaluationId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['Evaluation']
  }
  /** The cases of the caller, by set */
  readonly 'GET /evaluations/cases': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['EvalCase'][]
    }
  }
  /** Add the cases of a file; replaces those with the same set and ID */
  readonly 'POST /evaluations/cases': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** One JSON object per line, see docs/evaluation.md */
      readonly cases: string
      /** Default set */
      readonly set?: string
    }
    readonly answer: {
      readonly kept: number
    }
  }
  /** Delete a set, or one case of it; earlier evaluations are kept */
  readonly 'DELETE /evaluations/cases': {
    readonly path: undefined
    readonly query: {
      readonly set: string
      readonly id?: string
    }
    readonly body: undefined
    readonly answer: undefined
  }
  /** Make a case from a run: its question, and the expected answer */
  readonly 'POST /runs/{runId}/case': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: {
      readonly set?: string
      readonly number?: readonly number[]
      readonly contains?: readonly string[]
      readonly excludes?: readonly string[]
      /** The expected content, which a model compares with the answer */
      readonly judge?: string
      readonly refusal?: true
    }
    readonly answer: Schemas['EvalCase']
  }
  /** The schedules and hooks of the caller */
  readonly 'GET /schedules': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Schedule'][]
    }
  }
  /** Create a schedule or hook; its secrets are returned only here */
  readonly 'POST /schedules': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** Five fields: minute, hour, day of month, month, day of week */
      readonly cron?: string
      /** Time zone of cron, such as Europe/Berlin; default UTC */
      readonly zone?: string
      /** Once, at this time */
      readonly at?: string
      /** Starts when a program calls it with the secret or a signature */
      readonly hook?: 'bearer' | 'signed'
      readonly request: Schemas['RequestInput']
      /** URL to which the answer is sent, signed */
      readonly webhook?: string
    }
    readonly answer: {
      readonly schedule: Schemas['Schedule']
      readonly secrets: {
        readonly hook?: string
        readonly webhook?: string
      }
    }
  }
  /** A schedule or hook with its latest firings */
  readonly 'GET /schedules/{scheduleId}': {
    readonly path: {
      readonly scheduleId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly scheduleId: string
      /** Five fields: minute, hour, day of month, month, day of week */
      readonly cron?: string
      /** Time zone of cron, such as Europe/Berlin; default UTC */
      readonly zone?: string
      /** Once, at this time */
      readonly at?: string
      /** Starts when a program calls it with the secret or a signature */
      readonly hook?: 'bearer' | 'signed'
      readonly request: {
        readonly question: string
        readonly [more: string]: unknown
      }
      readonly webhook?: string
      readonly isPaused: boolean
      /** ISO 8601 in UTC */
      readonly nextAt?: string
      /** ISO 8601 in UTC */
      readonly createdAt: string
      readonly times: readonly {
        readonly runId: string
        /** ISO 8601 in UTC */
        readonly dueAt: string
        readonly status: 'due' | 'running' | 'sending' | 'done' | 'unanswered' | 'refused' | 'undelivered'
        readonly note?: string
        /** Why the last delivery attempt failed; it is retried */
        readonly failure?: string
        /** Time of the next delivery attempt, after a failure */
        readonly nextTryAt?: string
      }[]
    }
  }
  /** Change, pause or resume it; firings missed while paused are not made up for */
  readonly 'PATCH /schedules/{scheduleId}': {
    readonly path: {
      readonly scheduleId: string
    }
    readonly query: undefined
    readonly body: {
      /** Five fields: minute, hour, day of month, month, day of week */
      readonly cron?: string
      /** Time zone of cron, such as Europe/Berlin; default UTC */
      readonly zone?: string
      /** Once, at this time */
      readonly at?: string
      readonly request?: Schemas['RequestInput']
      readonly paused?: boolean
    }
    readonly answer: Schemas['Schedule']
  }
  /** Delete it; its answers are kept */
  readonly 'DELETE /schedules/{scheduleId}': {
    readonly path: {
      readonly scheduleId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Start the run of a hook, with its secret as "Authorization: Bearer …" or a signature; once per Webhook-Id */
  readonly 'POST /hooks/{hookId}': {
    readonly path: {
      readonly hookId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly runId: string
    }
  }
  /** Add files; waits until their text is stored, or returns an error per file */
  readonly 'POST /upload': {
    readonly path: undefined
    readonly query: undefined
    readonly body: FormData
    readonly answer: {
      readonly items: readonly {
        readonly name: string
        readonly status: 'added' | 'unchanged' | 'failed'
        readonly document?: Schemas['Document']
        /** Why it failed, and what to do */
        readonly error?: string
      }[]
    }
  }
  /** The documents of the caller, newest first */
  readonly 'GET /documents': {
    readonly path: undefined
    readonly query:
      | {
          readonly limit?: number
          readonly cursor?: string
          readonly search?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Document'][]
      readonly nextCursor?: string
    }
  }
  /** A document */
  readonly 'GET /documents/{documentId}': {
    readonly path: {
      readonly documentId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly documentId: string
      readonly name: string
      readonly type: 'pdf' | 'docx' | 'xlsx' | 'csv' | 'txt' | 'md' | 'html'
      readonly description: string
      /** Topics of the document */
      readonly topics: readonly string[]
      readonly bytes: number
      readonly pages?: number
      /** Date stated in the document */
      readonly date?: string
      /** Number of passages */
      readonly chunks: number
      /** Number of passages with embeddings, which semantic search finds */
      readonly embedded: number
      /** ISO 8601 in UTC */
      readonly addedAt: string
      /** Parts that could not be read */
      readonly notes: readonly string[]
      /** In the caller’s own library, where it can be deleted; others are in collections */
      readonly isOwn: boolean
      /** Attached to questions; deleted with the last run that uses it */
      readonly isOfRun: boolean
      /** Whether its pages can be rendered from /documents/{documentId}/file */
      readonly hasFile: boolean
    }
  }
  /** Delete a document and everything derived from it */
  readonly 'DELETE /documents/{documentId}': {
    readonly path: {
      readonly documentId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** The page of a passage, or its section in formats without pages, and its position there */
  readonly 'GET /documents/{documentId}/passage': {
    readonly path: {
      readonly documentId: string
    }
    readonly query: {
      readonly start: number
      readonly end: number
    }
    readonly body: undefined
    readonly answer: {
      readonly documentId: string
      readonly name: string
      readonly page?: number
      readonly section?: string
      /** Start of the text, in characters of the document */
      readonly start: number
      readonly text: string
      /** Position in the text, in characters */
      readonly mark: {
        readonly start: number
        readonly end: number
      }
      /** Whether the page can be rendered from /documents/{documentId}/file */
      readonly hasFile: boolean
    }
  }
  /** Passages of a document, in order */
  readonly 'GET /documents/{documentId}/passages': {
    readonly path: {
      readonly documentId: string
    }
    readonly query:
      | {
          readonly search?: string
          readonly from?: number
          readonly limit?: number
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        /** Position in the document, from 0 */
        readonly ordinal: number
        readonly start: number
        readonly end: number
        readonly page?: number
        readonly section?: string
        readonly text: string
      }[]
      /** Number of matching passages */
      readonly total: number
      /** `from` of the next page */
      readonly next?: number
    }
  }
  /** Text of a document, at most 2000000 characters */
  readonly 'GET /documents/{documentId}/text': {
    readonly path: {
      readonly documentId: string
    }
    readonly query:
      | {
          readonly from?: number
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly text: string
      /** Whether the document has more text */
      readonly isCut: boolean
    }
  }
  /** The original PDF file, if it is stored */
  readonly 'GET /documents/{documentId}/file': {
    readonly path: {
      readonly documentId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: string
  }
  /** The collections that the caller may use, by name */
  readonly 'GET /collections': {
    readonly path: undefined
    readonly query:
      | {
          readonly limit?: number
          readonly cursor?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Collection'][]
      readonly nextCursor?: string
    }
  }
  /** Create a collection: an own one, or, for admins, one of the installation */
  readonly 'POST /collections': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly name: string
      /** For admins. Always true if no accounts exist */
      readonly ofInstallation?: boolean
    }
    readonly answer: Schemas['Collection']
  }
  /** A collection with its grants and permissions */
  readonly 'GET /collections/{collectionId}': {
    readonly path: {
      readonly collectionId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['Collection']
  }
  /** Rename a collection */
  readonly 'PATCH /collections/{collectionId}': {
    readonly path: {
      readonly collectionId: string
    }
    readonly query: undefined
    readonly body: {
      readonly name: string
    }
    readonly answer: Schemas['Collection']
  }
  /** Delete a collection and its documents */
  readonly 'DELETE /collections/{collectionId}': {
    readonly path: {
      readonly collectionId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Documents of a collection, newest first */
  readonly 'GET /collections/{collectionId}/documents': {
    readonly path: {
      readonly collectionId: string
    }
    readonly query:
      | {
          readonly limit?: number
          readonly cursor?: string
          readonly search?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Document'][]
      readonly nextCursor?: string
    }
  }
  /** Add files; waits until their text is stored, or returns an error per file */
  readonly 'POST /collections/{collectionId}/documents': {
    readonly path: {
      readonly collectionId: string
    }
    readonly query: undefined
    readonly body: FormData
    readonly answer: {
      readonly items: readonly {
        readonly name: string
        readonly status: 'added' | 'unchanged' | 'failed'
        readonly document?: Schemas['Document']
        /** Why it failed, and what to do */
        readonly error?: string
      }[]
    }
  }
  /** Remove a document and everything derived from it */
  readonly 'DELETE /collections/{collectionId}/documents/{documentId}': {
    readonly path: {
      readonly collectionId: string
      readonly documentId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Grant it to everyone, a group or a user; without a level, remove the grant */
  readonly 'PUT /collections/{collectionId}/grants': {
    readonly path: {
      readonly collectionId: string
    }
    readonly query: undefined
    readonly body: {
      /** `everyone`, `group:` or `user:` with an ID or name */
      readonly to: string
      /** `reader`: ask it; `editor`: also add and remove documents */
      readonly level?: 'reader' | 'editor'
    }
    readonly answer: undefined
  }
  /** All remembered values with their origin */
  readonly 'GET /memory': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly facts: Readonly<Record<string, string | readonly string[]>>
      readonly preferences: Readonly<Record<string, string | readonly string[]>>
      readonly entries: readonly {
        readonly field: 'userName' | 'companyName' | 'jobTitle' | 'recentProjects' | 'tone' | 'detailLevel' | 'language'
        readonly value: string | readonly string[]
        readonly source: {
          readonly by: 'run' | 'user'
          readonly runId?: string
          /** ISO 8601 in UTC */
          readonly at: string
        }
      }[]
    }
  }
  /** Delete the whole memory */
  readonly 'DELETE /memory': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly facts: Readonly<Record<string, string | readonly string[]>>
      readonly preferences: Readonly<Record<string, string | readonly string[]>>
      readonly entries: readonly {
        readonly field: 'userName' | 'companyName' | 'jobTitle' | 'recentProjects' | 'tone' | 'detailLevel' | 'language'
        readonly value: string | readonly string[]
        readonly source: {
          readonly by: 'run' | 'user'
          readonly runId?: string
          /** ISO 8601 in UTC */
          readonly at: string
        }
      }[]
    }
  }
  /** Set a field */
  readonly 'PUT /memory/{field}': {
    readonly path: {
      readonly field: 'userName' | 'companyName' | 'jobTitle' | 'recentProjects' | 'tone' | 'detailLevel' | 'language'
    }
    readonly query: undefined
    readonly body: {
      readonly value: string | readonly string[]
    }
    readonly answer: {
      readonly facts: Readonly<Record<string, string | readonly string[]>>
      readonly preferences: Readonly<Record<string, string | readonly string[]>>
      readonly entries: readonly {
        readonly field: 'userName' | 'companyName' | 'jobTitle' | 'recentProjects' | 'tone' | 'detailLevel' | 'language'
        readonly value: string | readonly string[]
        readonly source: {
          readonly by: 'run' | 'user'
          readonly runId?: string
          /** ISO 8601 in UTC */
          readonly at: string
        }
      }[]
    }
  }
  /** Delete a field with its history */
  readonly 'DELETE /memory/{field}': {
    readonly path: {
      readonly field: 'userName' | 'companyName' | 'jobTitle' | 'recentProjects' | 'tone' | 'detailLevel' | 'language'
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly facts: Readonly<Record<string, string | readonly string[]>>
      readonly preferences: Readonly<Record<string, string | readonly string[]>>
      readonly entries: readonly {
        readonly field: 'userName' | 'companyName' | 'jobTitle' | 'recentProjects' | 'tone' | 'detailLevel' | 'language'
        readonly value: string | readonly string[]
        readonly source: {
          readonly by: 'run' | 'user'
          readonly runId?: string
          /** ISO 8601 in UTC */
          readonly at: string
        }
      }[]
    }
  }
  /** Undo what a run remembered */
  readonly 'DELETE /memory/runs/{runId}': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly facts: Readonly<Record<string, string | readonly string[]>>
      readonly preferences: Readonly<Record<string, string | readonly string[]>>
      readonly entries: readonly {
        readonly field: 'userName' | 'companyName' | 'jobTitle' | 'recentProjects' | 'tone' | 'detailLevel' | 'language'
        readonly value: string | readonly string[]
        readonly source: {
          readonly by: 'run' | 'user'
          readonly runId?: string
          /** ISO 8601 in UTC */
          readonly at: string
        }
      }[]
    }
  }
  /** The caller’s own mailbox without its password, and the allowed servers */
  readonly 'GET /mailbox': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      /** Servers that an admin has allowed */
      readonly servers: readonly string[]
      readonly mailbox?: Schemas['Mailbox']
    }
  }
  /** Set the mailbox after a successful login; user and password are stored encrypted */
  readonly 'PUT /mailbox': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** Sender: `Name <address>` or only the address */
      readonly address: string
      /** `host` or `host:port` */
      readonly imap: string
      /** `host` or `host:port`; without it mails are read and drafted, but not sent */
      readonly smtp?: string
      readonly user: string
      readonly password: string
    }
    readonly answer: {
      /** Servers that an admin has allowed */
      readonly servers: readonly string[]
      readonly mailbox?: Schemas['Mailbox']
    }
  }
  /** Remove the mailbox with its password; the mails are not touched */
  readonly 'DELETE /mailbox': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** The agents */
  readonly 'GET /agents': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Agent'][]
    }
  }
  /** Recent results of each agent in runs of the caller, with its errors and its model */
  readonly 'GET /agents/lately': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['AgentLately'][]
    }
  }
  /** The databases */
  readonly 'GET /databases': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly name: string
      }[]
    }
  }
  /** Tables of a database with their columns */
  readonly 'GET /databases/{database}/tables': {
    readonly path: {
      readonly database: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly dialect: string
      readonly items: readonly {
        readonly name: string
        readonly kind: 'table' | 'view'
        readonly columns: readonly {
          readonly name: string
          readonly type: string
          readonly holds: 'number' | 'text' | 'date' | 'datetime' | 'time' | 'boolean' | 'json' | 'other'
          readonly nullable: boolean
          readonly primaryKey: boolean
        }[]
        readonly foreignKeys: readonly {
          readonly columns: readonly string[]
          readonly table: string
          readonly referencedColumns: readonly string[]
        }[]
        readonly approximateRows?: number
      }[]
    }
  }
  /** Rows of a table */
  readonly 'GET /databases/{database}/tables/{table}/rows': {
    readonly path: {
      readonly database: string
      readonly table: string
    }
    readonly query:
      | {
          readonly limit?: number
          readonly offset?: number
          readonly filter?: readonly string[]
          readonly sort?: string
          readonly direction?: 'up' | 'down'
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      /** The query that was run */
      readonly sql: string
      readonly columns: readonly string[]
      readonly rows: readonly (readonly unknown[])[]
      readonly hasMore: boolean
    }
  }
  /** Terms of the users, and verified questions with their queries */
  readonly 'GET /databases/{database}/terms': {
    readonly path: {
      readonly database: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly terms: {
        readonly tables: Readonly<
          Record<
            string,
            {
              readonly called: readonly string[]
              readonly where?: string
            }
          >
        >
        readonly columns: Readonly<
          Record<
            string,
            {
              readonly called: readonly string[]
              readonly values: Readonly<Record<string, readonly string[]>>
              readonly yes?: readonly string[]
              readonly no?: readonly string[]
            }
          >
        >
        readonly metrics: Readonly<
          Record<
            string,
            {
              readonly called: readonly string[]
              readonly of: string
              readonly value: string
              readonly where?: string
              readonly unit?: 'money'
            }
          >
        >
        readonly joins: readonly string[]
        readonly verified: readonly {
          readonly question: string
          readonly sql: string
        }[]
      }
      /** File of the terms */
      readonly path?: string
      /** Why the file is not used */
      readonly unused?: string
    }
  }
  /** Run a SQL query, read-only and through the same SQL guard as agents */
  readonly 'POST /databases/{database}/query': {
    readonly path: {
      readonly database: string
    }
    readonly query: undefined
    readonly body: {
      readonly sql: string
    }
    readonly answer: {
      /** The query that was run */
      readonly sql: string
      readonly columns: readonly string[]
      readonly rows: readonly (readonly unknown[])[]
      readonly hasMore: boolean
    }
  }
  /** Check a query against the SQL guard without running it */
  readonly 'POST /databases/{database}/check': {
    readonly path: {
      readonly database: string
    }
    readonly query: undefined
    readonly body: {
      readonly sql: string
    }
    readonly answer: {
      readonly allowed: boolean
      /** The rule of the SQL guard that refused it */
      readonly rule?: string
      readonly reason?: string
      /** The characters that caused the refusal, if known */
      readonly at?: {
        readonly from: number
        readonly to: number
      }
      /** A similar query that the SQL guard allows */
      readonly instead?: string
    }
  }
  /** Tutti's own tables, with the columns that admins may see */
  readonly 'GET /storage/tables': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly dialect: string
      readonly items: readonly {
        readonly name: string
        readonly kind: 'table' | 'view'
        readonly columns: readonly {
          readonly name: string
          readonly type: string
          readonly holds: 'number' | 'text' | 'date' | 'datetime' | 'time' | 'boolean' | 'json' | 'other'
          readonly nullable: boolean
          readonly primaryKey: boolean
        }[]
        readonly foreignKeys: readonly {
          readonly columns: readonly string[]
          readonly table: string
          readonly referencedColumns: readonly string[]
        }[]
        readonly approximateRows?: number
      }[]
    }
  }
  /** Rows of one of Tutti's own tables */
  readonly 'GET /storage/tables/{table}/rows': {
    readonly path: {
      readonly table: string
    }
    readonly query:
      | {
          readonly limit?: number
          readonly offset?: number
          readonly filter?: readonly string[]
          readonly sort?: string
          readonly direction?: 'up' | 'down'
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      /** The query that was run */
      readonly sql: string
      readonly columns: readonly string[]
      readonly rows: readonly (readonly unknown[])[]
      readonly hasMore: boolean
    }
  }
  /** All jobs of all users, latest start first; the audit log records who looked */
  readonly 'GET /executions/all': {
    readonly path: undefined
    readonly query:
      | {
          readonly runId?: string
          readonly actor?: string
          readonly status?: 'running' | 'succeeded' | 'failed' | 'skipped'
          readonly limit?: number
          readonly userId?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly runId: string
        readonly key: string
        readonly actor: string
        readonly status: string
        readonly input?: unknown
        readonly output?: unknown
        readonly error?: string
        /** ISO 8601 in UTC */
        readonly startedAt: string
        /** ISO 8601 in UTC */
        readonly endedAt?: string
        readonly userId: string
        readonly username?: string
      }[]
    }
  }
  /** The strategies and the caller’s teams, as models */
  readonly 'GET /v1/models': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly object: 'list'
      readonly data: readonly Schemas['OpenAiModel'][]
    }
  }
  /** A model */
  readonly 'GET /v1/models/{model}': {
    readonly path: {
      readonly model: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['OpenAiModel']
  }
  /** Ask with an OpenAI chat completion */
  readonly 'POST /v1/chat/completions': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** A strategy, a team, or "auto"; see /v1/models */
      readonly model: string
      readonly messages: readonly {
        readonly role: 'system' | 'developer' | 'user' | 'assistant'
        readonly content?:
          | (
              | string
              | readonly {
                  readonly type: 'text'
                  readonly text: string
                  readonly [more: string]: unknown
                }[]
            )
          | null
        readonly [more: string]: unknown
      }[]
      readonly stream?: boolean | null
      readonly stream_options?: {
        readonly include_usage?: boolean | null
        readonly [more: string]: unknown
      } | null
      readonly n?: 1 | null
      readonly logprobs?: false | null
      readonly top_logprobs?: 0 | null
      readonly modalities?: readonly 'text'[] | null
      /** Client tools are never called */
      readonly tool_choice?: ('auto' | 'none') | null
      /** Client tools are never called */
      readonly function_call?: ('auto' | 'none') | null
      readonly response_format?: {
        /** Answers are plain text */
        readonly type: 'text'
        readonly [more: string]: unknown
      } | null
      readonly [more: string]: unknown
    }
    readonly answer: Schemas['OpenAiChatCompletion'] | string
  }
  /** Model Context Protocol over streamable HTTP */
  readonly 'POST /mcp': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: string | undefined
  }
  /** Register and sign in. The first account is an admin’s */
  readonly 'POST /session/register': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly username: string
      readonly password: string
      readonly displayName?: string
    }
    readonly answer: {
      readonly person: Schemas['Person']
    }
  }
  /** Sign in with name and password */
  readonly 'POST /session': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly username: string
      readonly password: string
    }
    readonly answer: {
      readonly person: Schemas['Person']
    }
  }
  /** Sign out */
  readonly 'DELETE /session': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** The signed-in user, and the ways to sign in */
  readonly 'GET /session': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly caller?: {
        readonly userId: string
        readonly role: 'viewer' | 'member' | 'admin'
        readonly groups: readonly string[]
        readonly scopes: readonly ('read' | 'ask' | 'decide' | 'documents' | 'admin')[]
        readonly kind: 'person' | 'key' | 'demo'
      }
      readonly person?: Schemas['Person']
      readonly registration: string
      readonly singleSignOn: boolean
    }
  }
  /** The sessions of the caller */
  readonly 'GET /session/all': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly sessionId: string
        readonly fromWhere: string
        /** ISO 8601 in UTC */
        readonly startedAt: string
        /** ISO 8601 in UTC */
        readonly lastUsedAt: string
        readonly isThis: boolean
      }[]
    }
  }
  /** End a session */
  readonly 'DELETE /session/all/{sessionId}': {
    readonly path: {
      readonly sessionId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Change the password; all other sessions end */
  readonly 'PUT /session/password': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly before: string
      readonly after: string
    }
    readonly answer: undefined
  }
  /** Set a password with a token from an admin */
  readonly 'POST /session/reset': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly token: string
      readonly password: string
    }
    readonly answer: undefined
  }
  /** All accounts */
  readonly 'GET /people': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Person'][]
    }
  }
  /** Create an account; its owner sets a password with the token within a day */
  readonly 'POST /people': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly username: string
      readonly displayName?: string
      readonly role?: 'viewer' | 'member' | 'admin'
    }
    readonly answer: {
      /** Returned only here */
      readonly token: string
      readonly person: Schemas['Person']
    }
  }
  /** Change the role, disable or enable the account */
  readonly 'PATCH /people/{userId}': {
    readonly path: {
      readonly userId: string
    }
    readonly query: undefined
    readonly body: {
      readonly role?: 'viewer' | 'member' | 'admin'
      readonly isDisabled?: boolean
    }
    readonly answer: Schemas['Person']
  }
  /** Erase a user with all their data; repeat the request to resume an interrupted erasure */
  readonly 'DELETE /people/{userId}': {
    readonly path: {
      readonly userId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Create a token to set a new password, once, within a day */
  readonly 'POST /people/{userId}/reset': {
    readonly path: {
      readonly userId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      /** Returned only here */
      readonly token: string
    }
  }
  /** Changes made by admins, latest first */
  readonly 'GET /audit': {
    readonly path: undefined
    readonly query:
      | {
          readonly limit?: number
          readonly cursor?: string
          readonly changedBy?: string
          readonly action?:
            | 'add person'
            | 'reset password'
            | 'set role'
            | 'disable person'
            | 'enable person'
            | 'export person'
            | 'erase person'
            | 'create group'
            | 'remove group'
            | 'add to group'
            | 'remove from group'
            | 'give source'
            | 'take source'
            | 'create collection'
            | 'rename collection'
            | 'remove collection'
            | 'give collection'
            | 'take collection'
            | 'set limit'
            | 'set mailbox'
            | 'erase mailbox'
            | 'read executions'
            | 'read stored table'
            | 'read access'
            | 'accept tools'
            | 'connect source'
            | 'disconnect source'
          readonly target?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly id: number
        /** ISO 8601 in UTC */
        readonly at: string
        readonly changedBy: string
        readonly action: string
        readonly target: string
        readonly detail: Readonly<Record<string, unknown>>
      }[]
      readonly nextCursor?: string
    }
  }
  /** Permissions of a user; the audit log records who looked */
  readonly 'GET /people/{userId}/access': {
    readonly path: {
      readonly userId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['PersonAccess']
  }
  /** Export all data of a user as an archive (.tar.gz) */
  readonly 'GET /people/{userId}/export': {
    readonly path: {
      readonly userId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: string
  }
  /** Erase one’s own account with all data; requires the password or, without one, a sign-in within the last five minutes */
  readonly 'POST /session/erase': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** Required if the user has one */
      readonly password?: string
    }
    readonly answer: undefined
  }
  /** Export one’s own data as an archive; requires the password or, without one, a sign-in within the last five minutes */
  readonly 'POST /session/export': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** Required if the user has one */
      readonly password?: string
    }
    readonly answer: string
  }
  /** Retention periods */
  readonly 'GET /retention': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly kept: readonly {
        readonly kind:
          | 'runs'
          | 'conversations'
          | 'uploads'
          | 'sessions'
          | 'resets'
          | 'skills'
          | 'memory'
          | 'usage'
          | 'audit'
        /** Absent if kept for ever */
        readonly days?: number
        /** The configuration field that sets it; absent for fixed periods */
        readonly setting?: string
      }[]
    }
  }
  /** All groups */
  readonly 'GET /groups': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Group'][]
    }
  }
  /** Create a group */
  readonly 'POST /groups': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly name: string
    }
    readonly answer: Schemas['Group']
  }
  /** The groups of the caller */
  readonly 'GET /groups/mine': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Group'][]
    }
  }
  /** Delete a group and its grants */
  readonly 'DELETE /groups/{groupId}': {
    readonly path: {
      readonly groupId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** IDs of the members */
  readonly 'GET /groups/{groupId}/members': {
    readonly path: {
      readonly groupId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly string[]
    }
  }
  /** Add a user to a group; both by ID or name */
  readonly 'PUT /groups/{groupId}/members/{userId}': {
    readonly path: {
      readonly groupId: string
      readonly userId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Remove a user from a group; both by ID or name */
  readonly 'DELETE /groups/{groupId}/members/{userId}': {
    readonly path: {
      readonly groupId: string
      readonly userId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Sources and their grants */
  readonly 'GET /grants': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly source: string
        readonly grants: readonly {
          readonly to: string
          readonly level: 'reader' | 'editor'
        }[]
      }[]
    }
  }
  /** Grant a source to everyone, a group or a user; without a level, remove the grant */
  readonly 'PUT /grants': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** Such as `database:shop` */
      readonly source: string
      /** `everyone`, `group:` or `user:` with an ID or name */
      readonly to: string
      readonly level?: 'reader' | 'editor'
    }
    readonly answer: undefined
  }
  /** Preview who gains and who loses by these grants; nothing is changed */
  readonly 'POST /grants/preview': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly changes: readonly {
        /** Such as `database:shop` */
        readonly source: string
        /** `everyone`, `group:` or `user:` with an ID or name */
        readonly to: string
        readonly level?: 'reader' | 'editor'
      }[]
    }
    readonly answer: {
      readonly items: readonly {
        readonly source: string
        readonly userId: string
        readonly name: string
        readonly role: 'viewer' | 'member' | 'admin'
        readonly gains: readonly ('use' | 'edit' | 'share')[]
        readonly loses: readonly ('use' | 'edit' | 'share')[]
      }[]
    }
  }
  /** The latest first */
  readonly 'GET /keys': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['ApiKey'][]
    }
  }
  /** Create a key; it is returned only here */
  readonly 'POST /keys': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly name?: string
      /** `read`: view; `ask`: ask questions, and follow and change the runs; `decide`: approvals; `documents`: add and delete documents; `admin`: everything */
      readonly scopes: readonly ('read' | 'ask' | 'decide' | 'documents' | 'admin')[]
      /** ISO 8601 in UTC */
      readonly expiresAt?: string
    }
    readonly answer: {
      readonly key: string
      readonly record: Schemas['ApiKey']
    }
  }
  /** Revoke a key */
  readonly 'DELETE /keys/{keyId}': {
    readonly path: {
      readonly keyId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** The limits of the caller, and how much is used or reserved */
  readonly 'GET /limits': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly to: string
        readonly measure: 'cost' | 'tokens' | 'runs'
        readonly period: 'day' | 'month'
        /** Cost in millionths of a US dollar */
        readonly most: number
        readonly used: number
        /** ISO 8601 in UTC */
        readonly endsAt: string
      }[]
    }
  }
  /** Set a limit; without a number, remove it */
  readonly 'PUT /limits': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** `everyone`, `group:` or `user:` with an ID or name */
      readonly to: string
      readonly measure: 'cost' | 'tokens' | 'runs'
      readonly period: 'day' | 'month'
      /** Cost in millionths of a US dollar */
      readonly most?: number
    }
    readonly answer: undefined
  }
  /** All limits that were set */
  readonly 'GET /limits/all': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly to: string
        readonly measure: 'cost' | 'tokens' | 'runs'
        readonly period: 'day' | 'month'
        /** Cost in millionths of a US dollar */
        readonly most: number
      }[]
    }
  }
  /** Skills available to the agents of the caller, latest use first */
  readonly 'GET /skills': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Skill'][]
    }
  }
  /** Delete a skill */
  readonly 'DELETE /skills/{skillId}': {
    readonly path: {
      readonly skillId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** The teams that the caller can use, and own ones that are not in use */
  readonly 'GET /teams': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['TeamVersion'][]
    }
  }
  /** Design a team for a goal: a run, whose plan waits for approval */
  readonly 'POST /teams': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly goal: string
      /** Default: chosen by the architect */
      readonly name?: string
    }
    readonly answer: {
      readonly runId: string
    }
  }
  /** All versions of a team */
  readonly 'GET /teams/{team}': {
    readonly path: {
      readonly team: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['TeamVersion'][]
    }
  }
  /** Take an own team out of use */
  readonly 'DELETE /teams/{team}': {
    readonly path: {
      readonly team: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Use another version of an own team, such as the previous one */
  readonly 'POST /teams/{team}/use': {
    readonly path: {
      readonly team: string
    }
    readonly query: undefined
    readonly body: {
      readonly version: number
    }
    readonly answer: Schemas['TeamVersion']
  }
  /** Ask a team a question; default: the first of its checks */
  readonly 'POST /teams/{team}/runs': {
    readonly path: {
      readonly team: string
    }
    readonly query: undefined
    readonly body: {
      readonly question?: string
    }
    readonly answer: {
      readonly runId: string
    }
  }
  /** Validate a team without saving it: its flaws by place, and the tools that its members can have */
  readonly 'POST /teams/check': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** In the format of `TeamVersion` */
      readonly team: {
        readonly [more: string]: unknown
      }
    }
    readonly answer: {
      readonly issues: readonly {
        readonly path: readonly (string | number)[]
        readonly message: string
      }[]
      /** What this installation lacks for the team */
      readonly flaws: readonly string[]
      readonly tools: readonly {
        readonly name: string
        readonly description: string
        readonly effect: 'read' | 'write' | 'irreversible'
      }[]
    }
  }
  /** Submit a new version of a team for approval and trial: a run; if its checks pass, the version is used */
  readonly 'POST /teams/{team}/versions': {
    readonly path: {
      readonly team: string
    }
    readonly query: undefined
    readonly body: {
      /** In the format of `TeamVersion` */
      readonly team: {
        readonly [more: string]: unknown
      }
    }
    readonly answer: {
      readonly runId: string
    }
  }
  /** The MCP servers with the tools they offer now */
  readonly 'GET /servers': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['ToolServer'][]
    }
  }
  /** Accept the changed and added tools; 409 if they are not the ones that were seen */
  readonly 'POST /servers/{name}/accept': {
    readonly path: {
      readonly name: string
    }
    readonly query: undefined
    readonly body: {
      /** The changed and added tools with the digests that were shown */
      readonly seen: readonly {
        readonly name: string
        readonly digest: string
      }[]
      /** Reason; kept in the audit log */
      readonly reason: string
    }
    readonly answer: Schemas['ToolServer']
  }
  /** The connections, and where each is configured */
  readonly 'GET /setup': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      /** Why nothing can be connected from here */
      readonly closed?: string
      /** When the present connections were opened */
      readonly since: string
      readonly items: readonly Schemas['SetUpSource'][]
    }
  }
  /** Test a model, a database or a mailbox without storing it */
  readonly 'POST /setup/try': {
    readonly path: undefined
    readonly query: undefined
    readonly body:
      | {
          /** Base URL of a server that speaks as OpenAI’s, such as http://127.0.0.1:11434/v1 */
          readonly address: string
          /** The first one that the server lists when absent */
          readonly model?: string
          readonly key?: string
          readonly kind: 'model'
        }
      | {
          readonly name: string
          /** sqlite:/path/to/file.db, postgres://… or mysql://… */
          readonly address: string
          /** PostgreSQL: the schemas to read, with commas between them; `public` when absent */
          readonly schema?: string
          readonly kind: 'database'
        }
      | {
          /** IMAP: `host` or `host:port` */
          readonly server: string
          /** `host` or `host:port`; without it mails are read and drafted, not sent */
          readonly smtp?: string
          readonly user: string
          readonly password: string
          /** What mails are sent from: `Name <address>` or the address alone */
          readonly from: string
          readonly kind: 'mailbox'
        }
    readonly answer: Schemas['Tried']
  }
  /** Connect this model after a successful test; the server reopens all sources */
  readonly 'PUT /setup/model': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** Base URL of a server that speaks as OpenAI’s, such as http://127.0.0.1:11434/v1 */
      readonly address: string
      /** The first one that the server lists when absent */
      readonly model?: string
      readonly key?: string
    }
    readonly answer: Schemas['Tried']
  }
  /** Connect this database after a successful test; the server reopens all sources */
  readonly 'PUT /setup/database': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly name: string
      /** sqlite:/path/to/file.db, postgres://… or mysql://… */
      readonly address: string
      /** PostgreSQL: the schemas to read, with commas between them; `public` when absent */
      readonly schema?: string
    }
    readonly answer: Schemas['Tried']
  }
  /** Connect this mailbox after a successful test; the server reopens all sources */
  readonly 'PUT /setup/mailbox': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** IMAP: `host` or `host:port` */
      readonly server: string
      /** `host` or `host:port`; without it mails are read and drafted, not sent */
      readonly smtp?: string
      readonly user: string
      readonly password: string
      /** What mails are sent from: `Name <address>` or the address alone */
      readonly from: string
    }
    readonly answer: Schemas['Tried']
  }
  /** Remove a connection that was made on the page; the server reopens all sources */
  readonly 'DELETE /setup/{kind}/{source}': {
    readonly path: {
      readonly kind: 'model' | 'database' | 'mailbox'
      readonly source: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Usage of all users, by user, day and model */
  readonly 'GET /usage/all': {
    readonly path: undefined
    readonly query:
      | {
          readonly from?: string
          readonly until?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly userId: string
        readonly username?: string
        readonly day: string
        /** provider:model, or "none" for runs without a model */
        readonly model: string
        /** Number of questions */
        readonly runs: number
        readonly calls: number
        readonly inputTokens: number
        readonly outputTokens: number
        readonly costUsd: number
      }[]
    }
  }
  /** What the caller's runs since a time came to and used, by agent and model; the latest 500 */
  readonly 'GET /runs/usage': {
    readonly path: undefined
    readonly query: {
      readonly from: string
      readonly limit?: number
    }
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['RunUsage'][]
      readonly isCut: boolean
    }
  }
}
