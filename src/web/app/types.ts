/** What the server tells, as far as the app uses it. Times are ISO 8601 in UTC. */
export interface RunSummary {
  readonly runId: string
  readonly question: string
  readonly strategy: string
  readonly status: 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'
  readonly createdAt: string
  readonly updatedAt: string
}

export interface Approval {
  readonly approvalId: string
  readonly runId: string
  readonly tool: string
  readonly payload: unknown
  readonly reason: string
  readonly status: string
  readonly provenance?: { readonly trust: string; readonly sources: readonly string[] }
  readonly requestedAt: string
  readonly expiresAt: string
  readonly decidedBy?: string
  readonly decidedAt?: string
  readonly instructions?: string
}

export interface ConversationSummary {
  readonly conversationId: string
  readonly title: string
  readonly turns: number
  readonly updatedAt: string
}

export interface ConversationMessage {
  readonly turn: number
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly runId: string
  readonly at: string
}
