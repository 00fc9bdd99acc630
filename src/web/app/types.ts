import type { Operations, Schemas } from '../../client/api-types.ts'

/** What an endpoint answers, such as `GET /runs`. */
export type Answer<Endpoint extends keyof Operations> = Operations[Endpoint]['answer']

export type RunSummary = Schemas['Run']

export type Approval = Schemas['Approval']

export type ConversationSummary = Schemas['Conversation']

export type ConversationMessage = Schemas['Message']
