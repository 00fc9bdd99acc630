// Made from the OpenAPI document of the server by `npm run client`.

/** What the API tells, by the names of its OpenAPI document. */
export interface Schemas {
  readonly About: {
    /** Absent: answers are made by rules */
    readonly model?: string
    /** Those that are set up, for anybody */
    readonly models: readonly string[]
    readonly sources: readonly {
      readonly kind: 'database' | 'documents' | 'api' | 'mcp' | 'mail'
      readonly name: string
      /** How much there is, or whose it is */
      readonly about?: string
      /** How many tables, files, operations or tools there are */
      readonly count?: number
    }[]
    /** Questions that what is connected can answer */
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
    /** Why it cannot work as things are set up */
    readonly unavailable?: string
  }
  readonly AgentLately: {
    readonly name: string
    /** What it asks; absent where answers are made by rules */
    readonly model?: string
    /** Of its latest 20 tasks in runs of the caller */
    readonly done: number
    readonly failed: number
    /** What it found not to be its own, and what a person denied or stopped */
    readonly declined: number
    /** When the latest of them began; absent where the caller never asked it */
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
    /** `read`: see; `ask`: ask, follow and change what comes of it; `decide`: approvals; `documents`: add and remove them; `admin`: everything */
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
    /** The job that waits */
    readonly key: string
    /** The same for all calls that one reply of the model requested, within a run */
    readonly step?: string
    readonly tool: string
    /** Exactly what would be done */
    readonly payload: unknown
    readonly reason: string
    /** Where what it is made from came from */
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
    /** Where the call goes, where more than this call can be approved */
    readonly destination?: string
    /** What can be approved, the default first; `once` when absent */
    readonly scopes?: readonly ('once' | 'run' | 'conversation' | 'always')[]
    /** What was approved; `once` when absent */
    readonly scope?: 'once' | 'run' | 'conversation' | 'always'
    readonly conversationId?: string
    /** What was done instead, where a person edited it */
    readonly editedPayload?: unknown
    /** ISO 8601 in UTC */
    readonly revokedAt?: string
    readonly revokedBy?: string
  }
  readonly CaseResult: {
    readonly id: string
    readonly set: string
    readonly verdict: 'right' | 'declined' | 'wrong' | 'failed'
    readonly reference?: readonly string[]
    readonly error?: string
    readonly turns: readonly {
      readonly question: string
      readonly answer: string
      readonly format?: 'text' | 'markdown'
      readonly runId?: string
      readonly verdict?: 'right' | 'declined' | 'wrong' | 'failed'
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
    readonly type: 'bar' | 'line' | 'area' | 'pie' | 'scatter'
    readonly title: string
    /** Column of the categories, times or numbers along the axis */
    readonly x: string
    /** Columns of numbers */
    readonly series: readonly string[]
    readonly unit?: string
    readonly rows: readonly Readonly<Record<string, number | string | null>>[]
    readonly [more: string]: unknown
  }
  readonly Checks: {
    readonly figures: readonly {
      /** Characters of the answer, from 0 */
      readonly start: number
      readonly end: number
      readonly text: string
      /** `found`: in a result, a passage, the conversation or the question; `derived`: follows from them */
      readonly status: 'found' | 'derived' | 'not_found'
      /** Ids of sources, as in `citations` */
      readonly sources?: readonly string[]
      readonly [more: string]: unknown
    }[]
    readonly [more: string]: unknown
  }
  readonly Collection: {
    readonly collectionId: string
    readonly name: string
    readonly documents: number
    /** Name of whose it is, where it is another person’s own */
    readonly owner?: string
    /** Of the caller */
    readonly isOwn: boolean
    /** Looked after by all admins */
    readonly ofInstallation: boolean
    /** `use`: ask it; `edit`: add and remove documents; `share`: all else */
    readonly may: readonly ('use' | 'edit' | 'share')[]
    /** Whom it is given to, where the caller may say so */
    readonly grants?: readonly {
      readonly to: string
      /** Of the group or person */
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
      /** What was asked of it, where that is not the whole question */
      readonly text?: string
      readonly isSame: boolean
      /** In what two that were both done are not the same */
      readonly differs: readonly ('actor' | 'task' | 'status' | 'answer' | 'table' | 'data' | 'error')[]
      readonly a?: {
        readonly status: string
        readonly answer?: string
        readonly error?: string
        /** Of whoever made the plan */
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
        /** Of whoever made the plan */
        readonly plan?: readonly {
          readonly id: string
          readonly agent: string
          readonly dependsOn: readonly string[]
        }[]
      }
    }[]
    /** Key of the first job that is not the same in both */
    readonly firstDifference?: string
  }
  readonly Conversation: {
    readonly conversationId: string
    readonly title: string
    readonly turns: number
    /** ISO 8601 in UTC */
    readonly createdAt: string
    /** When it was last worked in, or a branch of it */
    readonly updatedAt: string
    /** Where that was: its own id, or that of a branch */
    readonly latestId: string
    readonly isPinned: boolean
    readonly isArchived: boolean
    /** It came by itself, as of a schedule, and nobody has said yet that they have seen it */
    readonly isNew: boolean
    /** The conversation that it shares everything before branchTurn with */
    readonly branchOf?: string
    readonly branchTurn?: number
  }
  readonly Document: {
    readonly documentId: string
    readonly name: string
    readonly type:
      | 'pdf'
      | 'docx'
      | 'xlsx'
      | 'pptx'
      | 'odt'
      | 'ods'
      | 'odp'
      | 'epub'
      | 'eml'
      | 'csv'
      | 'txt'
      | 'md'
      | 'html'
    readonly description: string
    /** What it speaks of */
    readonly topics: readonly string[]
    readonly bytes: number
    readonly pages?: number
    /** Day that the document says it is from */
    readonly date?: string
    /** Passages that it was cut into */
    readonly chunks: number
    /** Of them, those that are found by meaning, too */
    readonly embedded: number
    /** ISO 8601 in UTC */
    readonly addedAt: string
    /** What could not be read */
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
    /** Cases that it has; `totals.cases` of them were put so far */
    readonly asked: number
    readonly totals: {
      readonly cases: number
      readonly right: number
      readonly declined: number
      readonly wrong: number
      readonly failed: number
      /** Right of all, 0 to 1 */
      readonly score: number
      /** Calls of models */
      readonly calls: number
      readonly costUsd: number
      /** Half of the cases took less */
      readonly medianMs: number
      /** 19 of 20 did; of fewer cases, what the slowest took */
      readonly slowMs: number
      /** What the fastest took */
      readonly fastMs: number
    }
    readonly sets: readonly {
      readonly set: string
      readonly totals: {
        readonly cases: number
        readonly right: number
        readonly declined: number
        readonly wrong: number
        readonly failed: number
        /** Right of all, 0 to 1 */
        readonly score: number
        /** Calls of models */
        readonly calls: number
        readonly costUsd: number
        /** Half of the cases took less */
        readonly medianMs: number
        /** 19 of 20 did; of fewer cases, what the slowest took */
        readonly slowMs: number
        /** What the fastest took */
        readonly fastMs: number
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
    /** What the right answer says */
    readonly correction?: string
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
          /** Grows when the answer starts over */
          readonly part: number
          /** Of the text in its part, in characters */
          readonly offset: number
          readonly type: 'live.text'
        }
  }
  readonly Mailbox: {
    /** What mails are sent from: `Name <address>` or the address alone */
    readonly address: string
    /** `host` or `host:port` */
    readonly imap: string
    /** `host` or `host:port`; without it mails are read and drafted, not sent */
    readonly smtp?: string
    readonly user: string
    /** ISO 8601 in UTC */
    readonly changedAt: string
  }
  readonly Message: {
    /** A question and its answer have the same, from 1 */
    readonly turn: number
    readonly role: 'user' | 'assistant' | 'system'
    readonly text: string
    readonly runId: string
    /** ISO 8601 in UTC */
    readonly at: string
    /** A question as it stood alone, where it went on from the one before */
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
    /** As it was named */
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
    /** As it was named */
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
  readonly OpenAiResponse: {
    readonly id: string
    readonly object: 'response'
    /** Seconds since the epoch */
    readonly created_at: number
    readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
    readonly model: string
    readonly output: readonly {
      readonly id: string
      readonly type: 'message'
      readonly [more: string]: unknown
    }[]
    readonly output_text: string
    readonly error: {
      readonly code: string
      readonly message: string
      readonly [more: string]: unknown
    } | null
    readonly conversation: {
      readonly id: string
    } | null
    readonly usage?: {
      readonly input_tokens: number
      readonly output_tokens: number
      readonly total_tokens: number
      readonly [more: string]: unknown
    }
    readonly [more: string]: unknown
  }
  readonly Person: {
    readonly userId: string
    readonly username: string
    readonly displayName: string
    readonly email?: string
    readonly role: 'viewer' | 'member' | 'admin'
    readonly isDisabled: boolean
    /** Whoever has none signs in with a provider, or has chosen none yet */
    readonly hasPassword: boolean
    readonly hasSecondFactor: boolean
    /** ISO 8601 in UTC */
    readonly createdAt: string
  }
  readonly PersonAccess: {
    readonly userId: string
    readonly name: string
    readonly role: string
    /** Shut out: nothing of this holds until they are let in again */
    readonly isDisabled: boolean
    readonly groups: readonly {
      readonly groupId: string
      readonly name: string
    }[]
    /** All, also those that they may not use */
    readonly sources: readonly {
      readonly source: string
      /** Empty: nothing */
      readonly may: readonly ('use' | 'edit' | 'share')[]
      readonly why: readonly {
        /** It is theirs; it is the installation’s, and they are an admin; it was given */
        readonly by: 'own' | 'admin' | 'grant'
        readonly to?: string
        /** Of the group or person */
        readonly name?: string
        readonly level?: 'reader' | 'editor'
      }[]
    }[]
    /** It is used in place of the installation’s */
    readonly hasOwnMailbox: boolean
    readonly collections: readonly {
      readonly collectionId: string
      readonly name: string
      readonly owner?: string
      /** Empty: nothing */
      readonly may: readonly ('use' | 'edit' | 'share')[]
      readonly why: readonly {
        /** It is theirs; it is the installation’s, and they are an admin; it was given */
        readonly by: 'own' | 'admin' | 'grant'
        readonly to?: string
        /** Of the group or person */
        readonly name?: string
        readonly level?: 'reader' | 'editor'
      }[]
    }[]
    /** Nothing more is told of these */
    readonly ownCollections: number
    readonly agents: readonly {
      readonly name: string
      readonly unavailable?: string
    }[]
    /** That others share */
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
    /** All that is wrong with the request */
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
    /** Files that were sent to /attachments for this question */
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
    /** Files that were sent to /attachments for this question */
    readonly documents?: string
  }
  readonly Response: {
    readonly answer: string
    /** Of the strategy review: the answer once more */
    readonly finalAnswer?: string
    /** Of the strategy review: how it came to the answer */
    readonly finalReasoningTrace?: string
    /** Whether the question was answered; `failed`: the run failed */
    readonly status: 'answered' | 'partly' | 'not_answered' | 'failed'
    /** What the answer rests on; `model`: general knowledge */
    readonly basis: 'sources' | 'conversation' | 'model'
    /** What a reader should know beside the answer */
    readonly notices: readonly Schemas['Notice'][]
    /** What was verified about the answer; its text is not changed */
    readonly checks: Schemas['Checks']
    readonly data?: {
      readonly columns: readonly string[]
      readonly rows: readonly Readonly<Record<string, unknown>>[]
      readonly rowCount: number
      readonly truncated?: boolean
      readonly [more: string]: unknown
    }
    /** Charts that belong to the answer, as data */
    readonly charts?: readonly Schemas['Chart'][]
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
      /** How the answer is to be read: `text` is shown to the letter */
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
    /** In lists, of one that is finished: whether its parts are answered */
    readonly outcome?: 'answered' | 'partly' | 'declined'
    /** From which step of which run it was forked; in lists unless it is at work */
    readonly forkOf?: {
      readonly runId: string
      readonly key: string
    }
    /** In lists: the first line of the answer, or why there is none */
    readonly gist?: string
    /** In lists, unless it is at work: who takes part */
    readonly agents?: readonly string[]
    /** In lists, unless it is at work: without what it waited for people */
    readonly workMs?: number
    /** In lists, unless it is at work: for people to decide */
    readonly waitedMs?: number
    /** In lists, unless it is at work */
    readonly tokens?: number
    /** In lists, unless it is at work */
    readonly costUsd?: number
  }
  readonly RunCounts: {
    /** ISO 8601 in UTC */
    readonly from: string
    /** ISO 8601 in UTC */
    readonly until: string
    readonly stepMs: number
    /** Stretches in which there were runs, the first first */
    readonly items: readonly {
      /** It goes on for `stepMs` */
      readonly from: string
      readonly runs: number
      readonly declined: number
      readonly failed: number
    }[]
    /** Whether earlier ones are not counted */
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
    /** In lists, of one that is finished: whether its parts are answered */
    readonly outcome?: 'answered' | 'partly' | 'declined'
    /** Every part of it */
    readonly isAnswered: boolean
    /** Of the whole run, the time that it waited for a person among it */
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
    /** Who began a job, whatever became of it: by whom it is found */
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
    /** Minute, hour, day of the month, month, day of the week */
    readonly cron?: string
    /** Of the cron line, such as Europe/Berlin; UTC when absent */
    readonly zone?: string
    /** Once, then */
    readonly at?: string
    /** Whenever a program calls, with the secret or a signature made with it */
    readonly hook?: 'bearer' | 'signed'
    readonly request: {
      readonly question: string
      readonly [more: string]: unknown
    }
    readonly mail?: string
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
    /** Where it is, without what is secret */
    readonly about: string
    readonly from: 'environment' | 'file' | 'page' | 'demo'
    /** False for what the environment or the configuration file wins over */
    readonly isUsed: boolean
    /** Of a model: whether it has answered, when it was connected on the page or since everything was opened */
    readonly isTried?: boolean
    /** What there is, such as its tables */
    readonly found?: string
    /** Why it cannot be asked */
    readonly problem?: string
  }
  readonly Share: {
    readonly shareId: string
    /** So many turns are shown; what was said later is not */
    readonly turns: number
    readonly withQueries: boolean
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
    readonly status: 'candidate' | 'trusted' | 'quarantined'
    /** What a person said of it, which wins */
    readonly verdict?: 'candidate' | 'trusted' | 'quarantined'
    readonly isShared: boolean
    readonly isOwn: boolean
    readonly helped: number
    readonly hurt: number
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
          /** Grows when the answer starts over */
          readonly part: number
          /** Of the text in its part, in characters */
          readonly offset: number
        }
      }
    | {
        /** For Last-Event-ID */
        readonly id: string
        readonly event: 'hitl_required'
        readonly data: {
          /** To be named in POST /hitl/respond */
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
    /** What came of its checks */
    readonly remark?: string
    readonly isShared: boolean
    readonly isCurrent: boolean
    readonly isOwn: boolean
    /** ISO 8601 in UTC */
    readonly createdAt: string
  }
  readonly ToolServer: {
    readonly name: string
    /** Why it does not answer */
    readonly problem?: string
    /** What a call of each tool in use may do, as Tutti takes it */
    readonly effects: Readonly<Record<string, 'read' | 'write' | 'irreversible'>>
    readonly accepted: readonly {
      readonly name: string
      /** Of all of these */
      readonly digest: string
      readonly description: string
      /** JSON Schema of the arguments, whose words models read, too */
      readonly inputSchema: Readonly<Record<string, unknown>>
      readonly readOnly: boolean
      /** Why it was accepted as it is, where somebody was asked */
      readonly because?: {
        readonly reason: string
        /** Id of who accepted it */
        readonly by: string
        /** ISO 8601 in UTC */
        readonly at: string
      }
    }[]
    /** Not the same any more as when they were accepted: not used */
    readonly changed: readonly {
      readonly name: string
      /** Of all of these */
      readonly digest: string
      readonly description: string
      /** JSON Schema of the arguments, whose words models read, too */
      readonly inputSchema: Readonly<Record<string, unknown>>
      readonly readOnly: boolean
    }[]
    /** What the changed ones were when they were accepted, in the same order */
    readonly before: readonly {
      readonly name: string
      /** Of all of these */
      readonly digest: string
      readonly description: string
      /** JSON Schema of the arguments, whose words models read, too */
      readonly inputSchema: Readonly<Record<string, unknown>>
      readonly readOnly: boolean
    }[]
    /** Not there when the others were accepted: not used */
    readonly added: readonly {
      readonly name: string
      /** Of all of these */
      readonly digest: string
      readonly description: string
      /** JSON Schema of the arguments, whose words models read, too */
      readonly inputSchema: Readonly<Record<string, unknown>>
      readonly readOnly: boolean
    }[]
    readonly gone: readonly string[]
    /** What cannot be used at all, and why */
    readonly leftOut: readonly string[]
  }
  readonly Tried: {
    readonly ok: boolean
    /** What was found, or why it cannot be used */
    readonly message: string
    readonly latencyMs: number
    /** Of a database: what stands between a query and what it must not do */
    readonly walls?: {
      readonly standing: readonly string[]
      readonly weak: readonly string[]
      readonly advice: readonly string[]
    }
    /** Of a model: what it was seen to do */
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
  readonly Upload: {
    readonly uploadId: string
    readonly name: string
    /** Of the whole file */
    readonly bytes: number
    /** Of them, those that are kept: where to go on */
    readonly received: number
    /** As it was given */
    readonly fingerprint?: string
    /** When it goes unless something more comes */
    readonly expiresAt: string
  }
}

/** What each operation takes and answers; `undefined` is what it does not have. */
export interface Operations {
  /** Whether runs can be read */
  readonly 'GET /healthz': {
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
  /** What is connected, and what to ask of it */
  readonly 'GET /about': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['About']
  }
  /** Ask, and wait for the answer. Nobody can be asked meanwhile: what needs approval is skipped */
  readonly 'POST /query': {
    readonly path: undefined
    readonly query: undefined
    readonly body: Schemas['RequestInput']
    readonly answer: Schemas['Response']
  }
  /** Ask, and see what happens as server-sent events; come back by GET /runs/{runId}/events */
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
          /** Of the chat */
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
          /** Fields of a request, such as strategy */
          readonly forwardedProps?: Readonly<Record<string, unknown>> | null
          readonly [more: string]: unknown
        }
    readonly answer: string
  }
  /** What a conversation is being answered, from its beginning; 204 when nothing is under way */
  readonly 'GET /query/stream/{conversationId}/stream': {
    readonly path: {
      readonly conversationId: string
    }
    readonly query:
      | {
          readonly format?: 'ui'
        }
      | undefined
    readonly body: undefined
    readonly answer: string | undefined
  }
  /** The runs of the caller, newest first, each with what it came to */
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
  /** Ask, and look at the run later */
  readonly 'POST /runs': {
    readonly path: undefined
    readonly query: undefined
    readonly body: Schemas['RequestInput']
    readonly answer: {
      readonly runId: string
      readonly conversationId?: string
    }
  }
  /** Which agents and models take part in runs of the caller: what they can be looked for by */
  readonly 'GET /runs/parts': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['RunParts']
  }
  /** How many runs the caller began when, and how many of them failed or were declined; of the latest 1000 */
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
  /** Where two runs part */
  readonly 'GET /runs/compare': {
    readonly path: undefined
    readonly query: {
      readonly a: string
      readonly b: string
    }
    readonly body: undefined
    readonly answer: Schemas['Comparison']
  }
  /** A run with its request, jobs, open approvals and what it has come to so far */
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
        /** In lists, of one that is finished: whether its parts are answered */
        readonly outcome?: 'answered' | 'partly' | 'declined'
        /** From which step of which run it was forked; in lists unless it is at work */
        readonly forkOf?: {
          readonly runId: string
          readonly key: string
        }
        /** In lists: the first line of the answer, or why there is none */
        readonly gist?: string
        /** In lists, unless it is at work: who takes part */
        readonly agents?: readonly string[]
        /** In lists, unless it is at work: without what it waited for people */
        readonly workMs?: number
        /** In lists, unless it is at work: for people to decide */
        readonly waitedMs?: number
        /** In lists, unless it is at work */
        readonly tokens?: number
        /** In lists, unless it is at work */
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
        /** Approvals whose call was made and went well, whatever became of the job */
        readonly done: readonly string[]
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
  /** Erase a run that is over, with all that it kept */
  readonly 'DELETE /runs/{runId}': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** What happens in a run as server-sent events, from the start or after Last-Event-ID; 204 when there is no more */
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
  /** The plan as it stands */
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
  /** Another plan for a run that is under way: what is done stays, what is changed is done anew */
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
  /** Add to the request of a run that is under way; the model reads it with its next turn */
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
  /** Stop a run; what it found stays */
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
  /** A new run that shares everything up to one job, and goes on from there with what is changed; another question is planned anew */
  readonly 'POST /runs/{runId}/fork': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: {
      /** Key of the job */
      readonly from: string
      /** Turn of the job to take again; turns before it are kept */
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
  /** A new run that does again what failed, or goes on with what was stopped, and keeps what was done before it; all of it where nothing failed */
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
  /** Files for one question, which names their collection as `documents` */
  readonly 'POST /attachments': {
    readonly path: undefined
    readonly query:
      | {
          readonly to?: string
        }
      | undefined
    readonly body: {
      /** Ids of `/uploads` that are whole; they are gone then */
      readonly uploads: readonly string[]
    } | null
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
  /** Take a file back before the question is asked */
  readonly 'DELETE /attachments/{documents}/{documentId}': {
    readonly path: {
      readonly documents: string
      readonly documentId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Say whether an answer was right; what is said later takes its place */
  readonly 'POST /runs/{runId}/feedback': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: {
      readonly thumb: 'up' | 'down'
      readonly reason?: string
      /** What the right answer says */
      readonly correction?: string
    }
    readonly answer: Schemas['Feedback']
  }
  /** What the caller said of an answer, if anything */
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
  /** What everybody said, the latest first, each with what can be made of it */
  readonly 'GET /feedback': {
    readonly path: undefined
    readonly query:
      | {
          readonly limit?: number
          readonly cursor?: string
          readonly thumb?: 'up' | 'down'
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly thumb: 'up' | 'down'
        readonly reason?: string
        /** What the right answer says */
        readonly correction?: string
        readonly runId: string
        /** ISO 8601 in UTC */
        readonly givenAt: string
        readonly owner: string
        readonly question?: string
        /** Of a wrong answer: a case for `tutti eval` */
        readonly case?: {
          readonly id?: string
          readonly question?: string
          readonly [more: string]: unknown
        }
        /** Of a right one: a question and the query that answers it */
        readonly pair?: {
          readonly question: string
          readonly database: string
          readonly sql: string
        }
      }[]
      readonly nextCursor?: string
    }
  }
  /** The run as a case for `tutti eval`: what the correction says is what a right answer says */
  readonly 'GET /runs/{runId}/case': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly id?: string
      readonly question?: string
      readonly [more: string]: unknown
    }
  }
  /** Make a test of a run: its question, and what a right answer holds */
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
      /** What a right answer says, for a model to judge by */
      readonly judge?: string
      readonly refusal?: true
    }
    readonly answer: Schemas['EvalCase']
  }
  /** Keep the question with the query that answered it in the terms of its database, for whoever may change them */
  readonly 'POST /runs/{runId}/verified': {
    readonly path: {
      readonly runId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly question: string
      readonly database: string
      readonly sql: string
      readonly file: string
    }
  }
  /** What waits, or did, oldest first */
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
  /** Revoke one of them */
  readonly 'DELETE /approvals/standing/{approvalId}': {
    readonly path: {
      readonly approvalId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** One of them */
  readonly 'GET /approvals/{approvalId}': {
    readonly path: {
      readonly approvalId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['Approval']
  }
  /** Approve, perhaps for more calls, edited or with instructions, or deny; 409 when it was decided before or its time is up */
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
      /** The input to make the call with, in place of the one that was shown */
      readonly payload?: unknown
    }
    readonly answer: Schemas['Approval']
  }
  /** The same in the words of the events hitl_required and hitl_approved */
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
  /** The conversations of the caller, the latest first */
  readonly 'GET /conversations': {
    readonly path: undefined
    readonly query:
      | {
          readonly limit?: number
          readonly cursor?: string
          readonly search?: string
          readonly pinned?: string
          readonly archived?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Conversation'][]
      readonly nextCursor?: string
    }
  }
  /** One with all that was said */
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
      /** When it was last worked in, or a branch of it */
      readonly updatedAt: string
      /** Where that was: its own id, or that of a branch */
      readonly latestId: string
      readonly isPinned: boolean
      readonly isArchived: boolean
      /** It came by itself, as of a schedule, and nobody has said yet that they have seen it */
      readonly isNew: boolean
      /** The conversation that it shares everything before branchTurn with */
      readonly branchOf?: string
      readonly branchTurn?: number
      readonly messages: readonly Schemas['Message'][]
      /** Runs that are under way, or wait for somebody */
      readonly open: readonly string[]
      /** Runs that failed or were stopped, which are no turns; the oldest first */
      readonly ended: readonly {
        readonly runId: string
        /** ISO 8601 in UTC */
        readonly at: string
      }[]
      /** Where a question was put otherwise, or anew */
      readonly branches: readonly Schemas['Conversation'][]
    }
  }
  /** Rename, pin, put away, or mark as seen */
  readonly 'PATCH /conversations/{conversationId}': {
    readonly path: {
      readonly conversationId: string
    }
    readonly query: undefined
    readonly body: {
      readonly title?: string
      readonly pinned?: boolean
      readonly archived?: boolean
      readonly new?: boolean
    }
    readonly answer: Schemas['Conversation']
  }
  /** Erase it with its branches; its runs stay */
  readonly 'DELETE /conversations/{conversationId}': {
    readonly path: {
      readonly conversationId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** The conversation as a file: texts, tables and sources with what was asked of databases */
  readonly 'GET /conversations/{conversationId}/export': {
    readonly path: {
      readonly conversationId: string
    }
    readonly query:
      | {
          readonly format?: 'md' | 'json'
          readonly language?: 'en' | 'de'
          readonly zone?: string
        }
      | undefined
    readonly body: undefined
    readonly answer:
      | {
          readonly conversationId: string
          readonly title: string
          readonly turns: number
          /** ISO 8601 in UTC */
          readonly createdAt: string
          /** When it was last worked in, or a branch of it */
          readonly updatedAt: string
          /** Where that was: its own id, or that of a branch */
          readonly latestId: string
          readonly isPinned: boolean
          readonly isArchived: boolean
          /** It came by itself, as of a schedule, and nobody has said yet that they have seen it */
          readonly isNew: boolean
          /** The conversation that it shares everything before branchTurn with */
          readonly branchOf?: string
          readonly branchTurn?: number
          readonly messages: readonly {
            /** A question and its answer have the same, from 1 */
            readonly turn: number
            readonly role: 'user' | 'assistant' | 'system'
            readonly text: string
            readonly runId: string
            /** ISO 8601 in UTC */
            readonly at: string
            /** A question as it stood alone, where it went on from the one before */
            readonly understood?: string
            readonly format: 'text' | 'markdown'
            readonly data?: {
              readonly columns: readonly string[]
              readonly rows: readonly Readonly<Record<string, unknown>>[]
              readonly rowCount: number
              readonly truncated?: boolean
              readonly [more: string]: unknown
            }
            readonly sources: readonly {
              readonly n?: number
              readonly kind: string
              readonly title: string
              readonly page?: number
              readonly query?: string
            }[]
          }[]
          /** Runs that are under way, or wait for somebody */
          readonly open: readonly string[]
          /** Runs that failed or were stopped, which are no turns; the oldest first */
          readonly ended: readonly {
            readonly runId: string
            /** ISO 8601 in UTC */
            readonly at: string
          }[]
          /** Where a question was put otherwise, or anew */
          readonly branches: readonly Schemas['Conversation'][]
        }
      | string
  }
  /** Ask a question of it otherwise, or the same anew: a branch, beside which the old one stays */
  readonly 'POST /conversations/{conversationId}/branches': {
    readonly path: {
      readonly conversationId: string
    }
    readonly query: undefined
    readonly body: {
      /** The same as before when absent */
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
      /** Files that were sent to /attachments for this question */
      readonly documents?: string
      readonly turn: number
    }
    readonly answer: {
      readonly conversationId: string
      readonly runId: string
    }
  }
  /** Make a link under which anybody reads what was said so far, without signing in */
  readonly 'POST /conversations/{conversationId}/shares': {
    readonly path: {
      readonly conversationId: string
    }
    readonly query: undefined
    readonly body: {
      /** After which it is good for nothing; for ever when absent */
      readonly days?: number
      /** Show what was asked of databases, too */
      readonly withQueries?: boolean
    }
    readonly answer: {
      readonly shareId: string
      /** So many turns are shown; what was said later is not */
      readonly turns: number
      readonly withQueries: boolean
      /** ISO 8601 in UTC */
      readonly createdAt: string
      /** ISO 8601 in UTC */
      readonly expiresAt?: string
      /** Of the link; is shown this once */
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
  /** Withdraw a link: it leads nowhere from then on */
  readonly 'DELETE /conversations/{conversationId}/shares/{shareId}': {
    readonly path: {
      readonly conversationId: string
      readonly shareId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** A conversation that was shared: its texts, tables and the titles of its sources */
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
        /** How the text is to be read: `text` is shown to the letter */
        readonly format: 'text' | 'markdown'
        /** ISO 8601 in UTC */
        readonly at: string
        /** Of the least trusted place that the text was made from; `outside` where strangers may have written it */
        readonly author: 'user' | 'own' | 'outside'
        readonly data?: {
          readonly columns: readonly string[]
          readonly rows: readonly Readonly<Record<string, unknown>>[]
          readonly rowCount: number
          readonly truncated?: boolean
        }
        readonly sources: readonly {
          /** Of the marks [n] in the text; absent for what has none */
          readonly n?: number
          /** `document`, `mail`, `web` and `mcp` may have been written by strangers */
          readonly kind: 'database' | 'api' | 'computation' | 'document' | 'mail' | 'web' | 'mcp'
          readonly title: string
          /** What was asked of a database, where that is shared */
          readonly query?: string
        }[]
      }[]
    }
  }
  /** The evaluations of the caller, the latest first */
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
  /** Put the cases of some sets, or of all; they are worked on while you do something else */
  readonly 'POST /evaluations': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly sets?: readonly string[]
      /** Wins over that of a case */
      readonly strategy?: string
      /** `provider:model` */
      readonly model?: string
    }
    readonly answer: Schemas['Evaluation']
  }
  /** Two evaluations side by side: what came to something else first, the worst of it before all */
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
      readonly changes: readonly {
        readonly set: string
        readonly id: string
        readonly before?: 'right' | 'declined' | 'failed' | 'wrong'
        readonly after?: 'right' | 'declined' | 'failed' | 'wrong'
      }[]
      readonly cases: readonly {
        readonly set: string
        readonly id: string
        readonly before?: Schemas['CaseResult']
        readonly after?: Schemas['CaseResult']
      }[]
    }
  }
  /** One with what came of each case, wrong answers first; `tutti eval --compare` reads it, too */
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
      /** Cases that it has; `totals.cases` of them were put so far */
      readonly asked: number
      readonly totals: {
        readonly cases: number
        readonly right: number
        readonly declined: number
        readonly wrong: number
        readonly failed: number
        /** Right of all, 0 to 1 */
        readonly score: number
        /** Calls of models */
        readonly calls: number
        readonly costUsd: number
        /** Half of the cases took less */
        readonly medianMs: number
        /** 19 of 20 did; of fewer cases, what the slowest took */
        readonly slowMs: number
        /** What the fastest took */
        readonly fastMs: number
      }
      readonly sets: readonly {
        readonly set: string
        readonly totals: {
          readonly cases: number
          readonly right: number
          readonly declined: number
          readonly wrong: number
          readonly failed: number
          /** Right of all, 0 to 1 */
          readonly score: number
          /** Calls of models */
          readonly calls: number
          readonly costUsd: number
          /** Half of the cases took less */
          readonly medianMs: number
          /** 19 of 20 did; of fewer cases, what the slowest took */
          readonly slowMs: number
          /** What the fastest took */
          readonly fastMs: number
        }
      }[]
      readonly version: 1
      readonly files: readonly string[]
      readonly models: Readonly<Record<string, string>>
      readonly cases: readonly Schemas['CaseResult'][]
    }
  }
  /** Erase it; the runs of its cases stay */
  readonly 'DELETE /evaluations/{evaluationId}': {
    readonly path: {
      readonly evaluationId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Put no further case; what came of the others stays */
  readonly 'POST /evaluations/{evaluationId}/cancel': {
    readonly path: {
      readonly evaluationId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['Evaluation']
  }
  /** The cases of the caller, set by set */
  readonly 'GET /evaluations/cases': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['EvalCase'][]
    }
  }
  /** Keep the cases of a file; one of the same set and id takes the place of the earlier */
  readonly 'POST /evaluations/cases': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** One JSON object a line, as docs/evaluation.md says */
      readonly cases: string
      /** For those that name none */
      readonly set?: string
      /** Put those that name sources of their own to what is connected here */
      readonly withoutSources?: boolean
    }
    readonly answer: {
      readonly kept: number
    }
  }
  /** Erase a set, or one case of it; evaluations that were made of it stay */
  readonly 'DELETE /evaluations/cases': {
    readonly path: undefined
    readonly query: {
      readonly set: string
      readonly id?: string
    }
    readonly body: undefined
    readonly answer: undefined
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
  /** Have a question asked by itself; its secrets are shown this once */
  readonly 'POST /schedules': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** Minute, hour, day of the month, month, day of the week */
      readonly cron?: string
      /** Of the cron line, such as Europe/Berlin; UTC when absent */
      readonly zone?: string
      /** Once, then */
      readonly at?: string
      /** Whenever a program calls, with the secret or a signature made with it */
      readonly hook?: 'bearer' | 'signed'
      readonly request: Schemas['RequestInput']
      /** The answer is mailed there, after an approval as always */
      readonly mail?: string
      /** The answer is sent there, signed */
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
  /** One, with the latest times that it came due */
  readonly 'GET /schedules/{scheduleId}': {
    readonly path: {
      readonly scheduleId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly scheduleId: string
      /** Minute, hour, day of the month, month, day of the week */
      readonly cron?: string
      /** Of the cron line, such as Europe/Berlin; UTC when absent */
      readonly zone?: string
      /** Once, then */
      readonly at?: string
      /** Whenever a program calls, with the secret or a signature made with it */
      readonly hook?: 'bearer' | 'signed'
      readonly request: {
        readonly question: string
        readonly [more: string]: unknown
      }
      readonly mail?: string
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
        /** Why the last try to send the answer was in vain; another one is due */
        readonly failure?: string
        /** Where a try was in vain: when the next one is due */
        readonly nextTryAt?: string
      }[]
    }
  }
  /** Change it, pause it or let it go on; what it misses meanwhile is not made up for */
  readonly 'PATCH /schedules/{scheduleId}': {
    readonly path: {
      readonly scheduleId: string
    }
    readonly query: undefined
    readonly body: {
      /** Minute, hour, day of the month, month, day of the week */
      readonly cron?: string
      /** Of the cron line, such as Europe/Berlin; UTC when absent */
      readonly zone?: string
      /** Once, then */
      readonly at?: string
      readonly request?: Schemas['RequestInput']
      readonly paused?: boolean
      /** null: the answer is mailed no more */
      readonly mail?: string | null
    }
    readonly answer: Schemas['Schedule']
  }
  /** Erase it; its answers stay */
  readonly 'DELETE /schedules/{scheduleId}': {
    readonly path: {
      readonly scheduleId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Ask it now, too */
  readonly 'POST /schedules/{scheduleId}/run': {
    readonly path: {
      readonly scheduleId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly runId: string
    }
  }
  /** Start the run of a hook, with its secret as "Authorization: Bearer …" or signed with it; once for each Webhook-Id */
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
  /** What of tus is spoken */
  readonly 'OPTIONS /uploads': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Begin to send a file in pieces (tus 1.0). Headers: `Upload-Length`, and `Upload-Metadata` with filename, and perhaps fingerprint and collection */
  readonly 'POST /uploads': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['Upload']
  }
  /** Files that the caller has begun to send */
  readonly 'GET /uploads': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Upload'][]
    }
  }
  /** How far it is; HEAD tells it, too */
  readonly 'GET /uploads/{uploadId}': {
    readonly path: {
      readonly uploadId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['Upload']
  }
  /** Send what comes next; the header `Upload-Offset` says from where */
  readonly 'PATCH /uploads/{uploadId}': {
    readonly path: {
      readonly uploadId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Give it up */
  readonly 'DELETE /uploads/{uploadId}': {
    readonly path: {
      readonly uploadId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Add files; each is there with its text when this answers, or it says why not */
  readonly 'POST /upload': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** Ids of `/uploads` that are whole; they are gone then */
      readonly uploads: readonly string[]
    } | null
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
  /** Passages of all that the caller may read which answer a question, the best first */
  readonly 'GET /documents/search': {
    readonly path: undefined
    readonly query: {
      readonly q: string
      readonly topic?: string
      readonly types?: readonly (
        | 'pdf'
        | 'docx'
        | 'xlsx'
        | 'pptx'
        | 'odt'
        | 'ods'
        | 'odp'
        | 'epub'
        | 'eml'
        | 'csv'
        | 'txt'
        | 'md'
        | 'html'
      )[]
      readonly from?: string
      readonly to?: string
      readonly section?: string
      readonly limit?: number
    }
    readonly body: undefined
    readonly answer: {
      readonly method: 'lexical' | 'hybrid'
      readonly notes: readonly string[]
      readonly items: readonly {
        readonly documentId: string
        readonly name: string
        readonly text: string
        readonly start: number
        readonly end: number
        readonly page?: number
        readonly section?: string
        /** Where it lies, with the name of whose that is where it is another person’s; absent for one’s own */
        readonly collection?: {
          readonly collectionId: string
          readonly name: string
          readonly owner?: string
        }
      }[]
    }
  }
  /** What is known of a document */
  readonly 'GET /documents/{documentId}': {
    readonly path: {
      readonly documentId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly documentId: string
      readonly name: string
      readonly type:
        | 'pdf'
        | 'docx'
        | 'xlsx'
        | 'pptx'
        | 'odt'
        | 'ods'
        | 'odp'
        | 'epub'
        | 'eml'
        | 'csv'
        | 'txt'
        | 'md'
        | 'html'
      readonly description: string
      /** What it speaks of */
      readonly topics: readonly string[]
      readonly bytes: number
      readonly pages?: number
      /** Day that the document says it is from */
      readonly date?: string
      /** Passages that it was cut into */
      readonly chunks: number
      /** Of them, those that are found by meaning, too */
      readonly embedded: number
      /** ISO 8601 in UTC */
      readonly addedAt: string
      /** What could not be read */
      readonly notes: readonly string[]
      /** Of the caller’s own library, and removed there; others lie in collections */
      readonly isOwn: boolean
      /** Sent for single questions; it goes with the last run that names it */
      readonly isOfRun: boolean
      /** Whether its pages can be drawn from /documents/{documentId}/file */
      readonly hasFile: boolean
    }
  }
  /** Remove it with all that was made of it */
  readonly 'DELETE /documents/{documentId}': {
    readonly path: {
      readonly documentId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Read a file of this machine again, as it is now */
  readonly 'POST /documents/{documentId}/read': {
    readonly path: {
      readonly documentId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['Document']
  }
  /** The page, or in formats without pages the section, that a passage stands on, and where on it */
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
      /** Of the text, in characters of the document */
      readonly start: number
      readonly text: string
      /** In characters of the text */
      readonly mark: {
        readonly start: number
        readonly end: number
      }
      /** Whether the page can be drawn from /documents/{documentId}/file */
      readonly hasFile: boolean
    }
  }
  /** What it was cut into, in its order */
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
        /** Its place in the document, from 0 */
        readonly ordinal: number
        readonly start: number
        readonly end: number
        readonly page?: number
        readonly section?: string
        readonly text: string
      }[]
      /** Of all that match */
      readonly total: number
      /** Where the next ones begin */
      readonly next?: number
    }
  }
  /** All of its text, in its order, piece by piece */
  readonly 'GET /documents/{documentId}/text': {
    readonly path: {
      readonly documentId: string
    }
    readonly query:
      | {
          readonly from?: number
          readonly limit?: number
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly start: number
      readonly text: string
      /** Where the next piece begins */
      readonly next?: number
    }
  }
  /** The PDF file itself, where it is kept */
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
  /** Make a collection: one of one’s own, or for admins one of the installation */
  readonly 'POST /collections': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly name: string
      /** For admins; what there is without accounts is always so */
      readonly ofInstallation?: boolean
    }
    readonly answer: Schemas['Collection']
  }
  /** What is known of a collection */
  readonly 'GET /collections/{collectionId}': {
    readonly path: {
      readonly collectionId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['Collection']
  }
  /** Give it another name */
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
  /** Remove it, with its documents */
  readonly 'DELETE /collections/{collectionId}': {
    readonly path: {
      readonly collectionId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Its documents, newest first */
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
  /** Add files to it; each is there with its text when this answers, or it says why not */
  readonly 'POST /collections/{collectionId}/documents': {
    readonly path: {
      readonly collectionId: string
    }
    readonly query: undefined
    readonly body: {
      /** Ids of `/uploads` that are whole; they are gone then */
      readonly uploads: readonly string[]
    } | null
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
  /** Take a document out of it, with all that was made of it */
  readonly 'DELETE /collections/{collectionId}/documents/{documentId}': {
    readonly path: {
      readonly collectionId: string
      readonly documentId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Whom it is given to */
  readonly 'GET /collections/{collectionId}/grants': {
    readonly path: {
      readonly collectionId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly to: string
        /** Of the group or person */
        readonly name?: string
        readonly level: 'reader' | 'editor'
      }[]
    }
  }
  /** Give it to everyone, a group or a person; without a level, take it away */
  readonly 'PUT /collections/{collectionId}/grants': {
    readonly path: {
      readonly collectionId: string
    }
    readonly query: undefined
    readonly body: {
      /** `everyone`, `group:` or `user:` with an id or name */
      readonly to: string
      /** `reader`: ask it; `editor`: add and remove documents as well */
      readonly level?: 'reader' | 'editor'
    }
    readonly answer: undefined
  }
  /** People’s own collections that others have, by name, and who has them; of their documents nothing */
  readonly 'GET /collections/given': {
    readonly path: undefined
    readonly query:
      | {
          readonly limit?: number
          readonly cursor?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly collectionId: string
        readonly name: string
        /** Name of whose it is, or their id */
        readonly owner: string
        readonly ownerId: string
        readonly grants: readonly {
          readonly to: string
          /** Of the group or person */
          readonly name?: string
          readonly level: 'reader' | 'editor'
        }[]
      }[]
      readonly nextCursor?: string
    }
  }
  /** Withdraw what somebody gave of their own: from all who have it, or from those that `to` names */
  readonly 'DELETE /collections/given/{collectionId}': {
    readonly path: {
      readonly collectionId: string
    }
    readonly query:
      | {
          readonly to?: string
        }
      | undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** All that is remembered, and where it is from */
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
  /** Erase all of it */
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
  /** What was changed, oldest first */
  readonly 'GET /memory/history': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly field: 'userName' | 'companyName' | 'jobTitle' | 'recentProjects' | 'tone' | 'detailLevel' | 'language'
        readonly before?: string | readonly string[]
        readonly after: string | readonly string[]
        readonly source: {
          readonly by: 'run' | 'user'
          readonly runId?: string
          /** ISO 8601 in UTC */
          readonly at: string
        }
      }[]
    }
  }
  /** Write one field */
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
  /** Erase one field with its history */
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
  /** Take back what one run remembered */
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
  /** The caller’s own mailbox without its password, and where one may be */
  readonly 'GET /mailbox': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      /** Those that an admin lets people name */
      readonly servers: readonly string[]
      readonly mailbox?: Schemas['Mailbox']
    }
  }
  /** Use this mailbox from now on, once its servers let the caller in; user and password are kept sealed */
  readonly 'PUT /mailbox': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** What mails are sent from: `Name <address>` or the address alone */
      readonly address: string
      /** `host` or `host:port` */
      readonly imap: string
      /** `host` or `host:port`; without it mails are read and drafted, not sent */
      readonly smtp?: string
      readonly user: string
      readonly password: string
    }
    readonly answer: {
      /** Those that an admin lets people name */
      readonly servers: readonly string[]
      readonly mailbox?: Schemas['Mailbox']
    }
  }
  /** Erase it with its password; the mails stay where they are */
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
  /** How each agent did of late in the runs of the caller, with its errors and its model */
  readonly 'GET /agents/lately': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['AgentLately'][]
    }
  }
  /** How the work can be organised; `auto` takes the one that the question needs */
  readonly 'GET /strategies': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly name: string
      }[]
    }
  }
  /** What can be asked */
  readonly 'GET /sources': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly databases: readonly {
        readonly name: string
      }[]
      readonly apis: readonly {
        readonly name: string
      }[]
      readonly mcp: readonly {
        readonly name: string
        readonly tools: number
        readonly problem?: string
      }[]
      /** Of the caller */
      readonly documents: number
      readonly hasMail: boolean
    }
  }
  /** How this installation is set up, without its secrets */
  readonly 'GET /settings': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      /** Where runs are kept, in words */
      readonly storage: string
      /** Absent: answers are made by rules */
      readonly model?: string
      /** Actors with a model of their own */
      readonly actors: Readonly<Record<string, string>>
      readonly providers: readonly {
        readonly name: string
        readonly kind: string
        readonly [more: string]: unknown
      }[]
      /** What a request leaves open */
      readonly defaults: {
        readonly [more: string]: unknown
      }
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
  /** The tables of one with their columns */
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
  /** What its users mean by their words, and questions whose queries somebody has verified */
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
      /** The file that they are from */
      readonly path?: string
      /** Why a file that was found is not used */
      readonly unused?: string
    }
  }
  /** Ask it in SQL, read-only and through the same gate as every agent */
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
  /** Whether a query would pass the gate; nothing is run */
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
      /** The rule of the gate that it ran into */
      readonly rule?: string
      readonly reason?: string
      /** The characters it is refused for, where that is known */
      readonly at?: {
        readonly from: number
        readonly to: number
      }
      /** A query near it that the gate allows */
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
  /** Every job of every run of the caller, the latest start first */
  readonly 'GET /executions': {
    readonly path: undefined
    readonly query:
      | {
          readonly runId?: string
          readonly actor?: string
          readonly status?: 'running' | 'succeeded' | 'failed' | 'skipped'
          readonly limit?: number
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Execution'][]
    }
  }
  /** Every job of everybody, the latest start first; the audit tells who looked */
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
  /** One of them */
  readonly 'GET /v1/models/{model}': {
    readonly path: {
      readonly model: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['OpenAiModel']
  }
  /** Ask as of OpenAI’s chat completions */
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
                  readonly type: 'text' | 'input_text' | 'output_text'
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
      /** None of the client’s tools is ever called */
      readonly tool_choice?: ('auto' | 'none') | null
      /** None of the client’s tools is ever called */
      readonly function_call?: ('auto' | 'none') | null
      readonly response_format?: {
        /** Answers are written in words */
        readonly type: 'text'
        readonly [more: string]: unknown
      } | null
      readonly [more: string]: unknown
    }
    readonly answer: Schemas['OpenAiChatCompletion'] | string
  }
  /** Ask as of OpenAI’s responses */
  readonly 'POST /v1/responses': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** A strategy, a team, or "auto"; see /v1/models */
      readonly model: string
      readonly input:
        | string
        | readonly (
            | {
                readonly type?: 'message'
                readonly role: 'system' | 'developer' | 'user' | 'assistant'
                readonly content?:
                  | (
                      | string
                      | readonly {
                          readonly type: 'text' | 'input_text' | 'output_text'
                          readonly text: string
                          readonly [more: string]: unknown
                        }[]
                    )
                  | null
                readonly [more: string]: unknown
              }
            | {
                readonly type: 'item_reference'
                readonly id: string
                readonly [more: string]: unknown
              }
          )[]
      readonly instructions?: string | null
      readonly previous_response_id?: string | null
      readonly conversation?:
        | (
            | string
            | {
                readonly id: string
                readonly [more: string]: unknown
              }
          )
        | null
      readonly stream?: boolean | null
      readonly background?: boolean | null
      /** `false`: the response cannot be fetched, cancelled or gone on from */
      readonly store?: boolean | null
      readonly top_logprobs?: 0 | null
      /** Prompts of OpenAI are not known here; send the words */
      readonly prompt?: null
      /** None of the client’s tools is ever called */
      readonly tool_choice?: ('auto' | 'none') | null
      readonly text?: {
        readonly format?: {
          /** Answers are written in words */
          readonly type: 'text'
          readonly [more: string]: unknown
        } | null
        readonly [more: string]: unknown
      } | null
      readonly [more: string]: unknown
    }
    readonly answer: Schemas['OpenAiResponse'] | string
  }
  /** A response, as far as it has come */
  readonly 'GET /v1/responses/{id}': {
    readonly path: {
      readonly id: string
    }
    readonly query:
      | {
          readonly stream?: 'false'
        }
      | undefined
    readonly body: undefined
    readonly answer: Schemas['OpenAiResponse']
  }
  /** Cancel its run */
  readonly 'POST /v1/responses/{id}/cancel': {
    readonly path: {
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['OpenAiResponse']
  }
  /** Model Context Protocol over streamable HTTP */
  readonly 'GET /mcp': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: string
  }
  /** Model Context Protocol over streamable HTTP */
  readonly 'POST /mcp': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: string | undefined
  }
  /** Model Context Protocol over streamable HTTP */
  readonly 'DELETE /mcp': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Make an account, and sign in. The first one is that of an admin */
  readonly 'POST /session/register': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly username: string
      readonly password: string
      readonly displayName?: string
      readonly email?: string
      readonly invitation?: string
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
      /** Of the authenticator app, where there is a second factor */
      readonly code?: string
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
  /** Who is signed in, and how others get in */
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
  /** Where one is signed in */
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
  /** End one of them */
  readonly 'DELETE /session/all/{sessionId}': {
    readonly path: {
      readonly sessionId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Choose another password; all other sessions end */
  readonly 'PUT /session/password': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly before: string
      readonly after: string
      /** Of the authenticator app, where there is a second factor */
      readonly code?: string
    }
    readonly answer: undefined
  }
  /** Choose a password with a token that an admin gave out */
  readonly 'POST /session/reset': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly token: string
      readonly password: string
    }
    readonly answer: undefined
  }
  /** A secret for an authenticator app; it counts once it was confirmed */
  readonly 'POST /session/second-factor': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly password: string
    }
    readonly answer: {
      readonly secret: string
      readonly uri: string
    }
  }
  /** Do without it */
  readonly 'DELETE /session/second-factor': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly password: string
      /** Of the authenticator app, where there is a second factor */
      readonly code?: string
    }
    readonly answer: undefined
  }
  /** Confirm it by a first code */
  readonly 'POST /session/second-factor/confirm': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** Of the authenticator app, where there is a second factor */
      readonly code: string
    }
    readonly answer: undefined
  }
  /** Who has an account */
  readonly 'GET /people': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Person'][]
    }
  }
  /** Make an account; its person chooses a password with the token, within a day */
  readonly 'POST /people': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly username: string
      readonly displayName?: string
      readonly email?: string
      readonly role?: 'viewer' | 'member' | 'admin'
    }
    readonly answer: {
      /** Is shown this once */
      readonly token: string
      readonly person: Schemas['Person']
    }
  }
  /** Invitations that nobody has used yet, the latest first */
  readonly 'GET /people/invitations': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        /** Leads to no token */
        readonly invitationId: string
        readonly role: 'viewer' | 'member' | 'admin'
        /** Id of the admin, or `command line` */
        readonly madeBy?: string
        /** ISO 8601 in UTC */
        readonly madeAt: string
        /** ISO 8601 in UTC */
        readonly expiresAt: string
      }[]
    }
  }
  /** Invite one person, for a week */
  readonly 'POST /people/invitations': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly role?: 'viewer' | 'member' | 'admin'
    }
    readonly answer: {
      /** Is shown this once */
      readonly token: string
      /** Leads to no token */
      readonly invitationId: string
    }
  }
  /** Withdraw an invitation: its link is good for nothing any more */
  readonly 'DELETE /people/invitations/{invitationId}': {
    readonly path: {
      readonly invitationId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Set a role; shut somebody out at once, or let them in again; take a second factor away */
  readonly 'PATCH /people/{userId}': {
    readonly path: {
      readonly userId: string
    }
    readonly query: undefined
    readonly body: {
      readonly role?: 'viewer' | 'member' | 'admin'
      readonly isDisabled?: boolean
      readonly hasSecondFactor?: false
    }
    readonly answer: Schemas['Person']
  }
  /** Erase somebody with everything that is theirs; asked again, it goes on where it was cut off */
  readonly 'DELETE /people/{userId}': {
    readonly path: {
      readonly userId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** A token with which somebody chooses a new password, once, within a day */
  readonly 'POST /people/{userId}/reset': {
    readonly path: {
      readonly userId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      /** Is shown this once */
      readonly token: string
    }
  }
  /** What admins have changed, the latest first */
  readonly 'GET /audit': {
    readonly path: undefined
    readonly query:
      | {
          readonly limit?: number
          readonly cursor?: string
          readonly changedBy?: string
          readonly action?:
            | 'add person'
            | 'invite'
            | 'withdraw invitation'
            | 'reset password'
            | 'take second factor'
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
            | 'keep verified question'
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
  /** What somebody may use, and why; the audit tells who looked */
  readonly 'GET /people/{userId}/access': {
    readonly path: {
      readonly userId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Schemas['PersonAccess']
  }
  /** All that is kept of somebody, as an archive (.tar.gz) */
  readonly 'GET /people/{userId}/export': {
    readonly path: {
      readonly userId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: string
  }
  /** Erase oneself with everything; asks for the password again, or where there is none, to have signed in within five minutes */
  readonly 'POST /session/erase': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** Of whoever has one */
      readonly password?: string
      /** Of the authenticator app, where there is a second factor */
      readonly code?: string
    }
    readonly answer: undefined
  }
  /** All that is kept of oneself, as an archive; asks for the password again, or where there is none, to have signed in within five minutes */
  readonly 'POST /session/export': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** Of whoever has one */
      readonly password?: string
      /** Of the authenticator app, where there is a second factor */
      readonly code?: string
    }
    readonly answer: string
  }
  /** What is kept how long, and what went for its age */
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
          | 'invitations'
          | 'resets'
          | 'unfinished'
          | 'repeats'
          | 'skills'
          | 'memory'
          | 'usage'
          | 'audit'
        /** Absent: for ever */
        readonly days?: number
        /** Field of the configuration that says so; absent where none does */
        readonly setting?: string
      }[]
      /** The last sweep and those of 90 days that deleted something, the latest first */
      readonly swept: readonly {
        readonly runs: number
        readonly conversations: number
        readonly uploads: number
        /** Old enough, and stay: they are under way, or wait for a person */
        readonly waiting: number
        /** ISO 8601 in UTC */
        readonly at: string
      }[]
      /** Absent where nothing is deleted by age, and before the first sweep */
      readonly nextAt?: string
    }
  }
  /** How much a sweep would delete now, by the days that are named; nothing is deleted */
  readonly 'GET /retention/due': {
    readonly path: undefined
    readonly query:
      | {
          readonly runDays?: number
          readonly conversationDays?: number
          readonly uploadDays?: number
        }
      | undefined
    readonly body: undefined
    readonly answer: {
      readonly runs: number
      readonly conversations: number
      readonly uploads: number
      /** Old enough, and stay: they are under way, or wait for a person */
      readonly waiting: number
      /** Runs are counted up to about 1000 */
      readonly isCut: boolean
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
  /** Make a group */
  readonly 'POST /groups': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly name: string
    }
    readonly answer: Schemas['Group']
  }
  /** The groups that the caller is in */
  readonly 'GET /groups/mine': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Group'][]
    }
  }
  /** Remove it, with what it was given */
  readonly 'DELETE /groups/{groupId}': {
    readonly path: {
      readonly groupId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Ids of its members */
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
  /** Put somebody into it; both by id or name */
  readonly 'PUT /groups/{groupId}/members/{userId}': {
    readonly path: {
      readonly groupId: string
      readonly userId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Take somebody out of it; both by id or name */
  readonly 'DELETE /groups/{groupId}/members/{userId}': {
    readonly path: {
      readonly groupId: string
      readonly userId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** What can be given, and what is given to whom */
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
  /** Give a source to everyone, a group or a person; without a level, take it away */
  readonly 'PUT /grants': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** Such as `database:shop` */
      readonly source: string
      /** `everyone`, `group:` or `user:` with an id or name */
      readonly to: string
      readonly level?: 'reader' | 'editor'
    }
    readonly answer: undefined
  }
  /** Who gains and who loses if sources and collections were given so, or taken away; nothing is changed */
  readonly 'POST /grants/preview': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly changes: readonly {
        /** Such as `database:shop` */
        readonly source: string
        /** `everyone`, `group:` or `user:` with an id or name */
        readonly to: string
        readonly level?: 'reader' | 'editor'
      }[]
    }
    readonly answer: {
      readonly items: readonly {
        readonly source: string
        /** Of a collection where a group is removed */
        readonly called?: string
        readonly userId: string
        readonly name: string
        readonly role: 'viewer' | 'member' | 'admin'
        readonly gains: readonly ('use' | 'edit' | 'share')[]
        readonly loses: readonly ('use' | 'edit' | 'share')[]
      }[]
    }
  }
  /** Who loses what if a group were removed; nothing is changed */
  readonly 'GET /groups/{groupId}/removal': {
    readonly path: {
      readonly groupId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly source: string
        /** Of a collection where a group is removed */
        readonly called?: string
        readonly userId: string
        readonly name: string
        readonly role: 'viewer' | 'member' | 'admin'
        readonly gains: readonly ('use' | 'edit' | 'share')[]
        readonly loses: readonly ('use' | 'edit' | 'share')[]
      }[]
      /** Limits of its own, which go with it */
      readonly limits: number
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
  /** Make a key, which is shown this once */
  readonly 'POST /keys': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly name?: string
      /** `read`: see; `ask`: ask, follow and change what comes of it; `decide`: approvals; `documents`: add and remove them; `admin`: everything */
      readonly scopes: readonly ('read' | 'ask' | 'decide' | 'documents' | 'admin')[]
      /** ISO 8601 in UTC */
      readonly expiresAt?: string
    }
    readonly answer: {
      readonly key: string
      readonly record: Schemas['ApiKey']
    }
  }
  /** Make it good for nothing */
  readonly 'DELETE /keys/{keyId}': {
    readonly path: {
      readonly keyId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** The limits that hold for whoever asks, and how much of them is used or reserved */
  readonly 'GET /limits': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly {
        readonly to: string
        readonly measure: 'cost' | 'tokens' | 'runs' | 'storage'
        readonly period: 'day' | 'month' | 'ever'
        /** Cost in millionths of a US dollar, storage in bytes */
        readonly most: number
        readonly used: number
        /** ISO 8601 in UTC */
        readonly endsAt?: string
      }[]
    }
  }
  /** Set a limit; without a number, there is none any more */
  readonly 'PUT /limits': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** `everyone`, `group:` or `user:` with an id or name */
      readonly to: string
      readonly measure: 'cost' | 'tokens' | 'runs' | 'storage'
      readonly period: 'day' | 'month' | 'ever'
      /** Cost in millionths of a US dollar, storage in bytes */
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
        readonly measure: 'cost' | 'tokens' | 'runs' | 'storage'
        readonly period: 'day' | 'month' | 'ever'
        /** Cost in millionths of a US dollar, storage in bytes */
        readonly most: number
      }[]
    }
  }
  /** Those that the agents of the caller are given, the latest used first */
  readonly 'GET /skills': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['Skill'][]
    }
  }
  /** Say whether it is used; null lets runs decide again */
  readonly 'PATCH /skills/{skillId}': {
    readonly path: {
      readonly skillId: string
    }
    readonly query: undefined
    readonly body: {
      readonly verdict: ('candidate' | 'trusted' | 'quarantined') | null
    }
    readonly answer: Schemas['Skill']
  }
  /** Erase it */
  readonly 'DELETE /skills/{skillId}': {
    readonly path: {
      readonly skillId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** The teams that the caller can use, and own ones that are not used */
  readonly 'GET /teams': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['TeamVersion'][]
    }
  }
  /** Have a team designed for a goal: a run, in which its plan waits for approval */
  readonly 'POST /teams': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      readonly goal: string
      /** The architect finds one when absent */
      readonly name?: string
    }
    readonly answer: {
      readonly runId: string
    }
  }
  /** All versions of one */
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
  /** Take one of one’s own out of use */
  readonly 'DELETE /teams/{team}': {
    readonly path: {
      readonly team: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** Call one of one’s own otherwise, in all of its versions */
  readonly 'PATCH /teams/{team}': {
    readonly path: {
      readonly team: string
    }
    readonly query: undefined
    readonly body: {
      readonly name: string
    }
    readonly answer: Schemas['TeamVersion']
  }
  /** Use a version of one’s own from now on, such as the one before */
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
  /** Put a question to one team; the first of its checks when absent */
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
  /** What is wrong with a team, place by place, and which tools its members can have; nothing is saved */
  readonly 'POST /teams/check': {
    readonly path: undefined
    readonly query: undefined
    readonly body: {
      /** As `TeamVersion` has it */
      readonly team: {
        readonly [more: string]: unknown
      }
    }
    readonly answer: {
      readonly issues: readonly {
        readonly path: readonly (string | number)[]
        readonly message: string
      }[]
      /** What this installation lacks for it, in sentences */
      readonly flaws: readonly string[]
      readonly tools: readonly {
        readonly name: string
        readonly description: string
        readonly effect: 'read' | 'write' | 'irreversible'
      }[]
    }
  }
  /** Have a new version of a team approved and tried: a run; once its checks have passed, it is in use */
  readonly 'POST /teams/{team}/versions': {
    readonly path: {
      readonly team: string
    }
    readonly query: undefined
    readonly body: {
      /** As `TeamVersion` has it */
      readonly team: {
        readonly [more: string]: unknown
      }
    }
    readonly answer: {
      readonly runId: string
    }
  }
  /** The MCP servers, each asked for what it offers now */
  readonly 'GET /servers': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly items: readonly Schemas['ToolServer'][]
    }
  }
  /** Use what it offers now, with all that is changed and added; 409 where that is not what was seen */
  readonly 'POST /servers/{name}/accept': {
    readonly path: {
      readonly name: string
    }
    readonly query: undefined
    readonly body: {
      /** What is changed and added, with the digests that were shown */
      readonly seen: readonly {
        readonly name: string
        readonly digest: string
      }[]
      /** Why; it is kept in the audit log, and shown with the tools */
      readonly reason: string
    }
    readonly answer: Schemas['ToolServer']
  }
  /** What is connected, and where that is said */
  readonly 'GET /setup': {
    readonly path: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      /** Why nothing can be connected from here */
      readonly closed?: string
      /** When everything was opened as it is connected */
      readonly since: string
      readonly items: readonly Schemas['SetUpSource'][]
      /** Documents of the caller that are the demo’s, as they came */
      readonly demoDocuments: readonly {
        readonly documentId: string
        readonly name: string
      }[]
      /** How many the caller has, the demo’s among them */
      readonly documents: number
    }
  }
  /** Try a model, a database or a mailbox, and keep nothing */
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
  /** Use this model from now on, once it works: the server opens everything again */
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
  /** Use this database from now on, once it works: the server opens everything again */
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
  /** Use this mailbox from now on, once it works: the server opens everything again */
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
  /** Forget what was connected on the page; the server opens everything again */
  readonly 'DELETE /setup/{kind}/{source}': {
    readonly path: {
      readonly kind: 'model' | 'database' | 'mailbox'
      readonly source: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  /** What whoever asks has used, by day and model, the latest first */
  readonly 'GET /usage': {
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
        readonly day: string
        /** provider:model, or "none" for runs that no model answered in */
        readonly model: string
        /** Questions that it was used for */
        readonly runs: number
        readonly calls: number
        readonly inputTokens: number
        readonly outputTokens: number
        readonly costUsd: number
      }[]
    }
  }
  /** What everybody has used, by person, day and model */
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
        readonly day: string
        /** provider:model, or "none" for runs that no model answered in */
        readonly model: string
        /** Questions that it was used for */
        readonly runs: number
        readonly calls: number
        readonly inputTokens: number
        readonly outputTokens: number
        readonly costUsd: number
        readonly userId: string
        readonly username?: string
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
