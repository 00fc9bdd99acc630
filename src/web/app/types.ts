import type { Schemas } from '../../client/api-types.ts'
/** What the server tells, as far as the app uses it. Times are ISO 8601 in UTC. */
export type RunSummary = Schemas['Run']

export type Approval = Schemas['Approval']

export type ConversationSummary = Schemas['Conversation']
