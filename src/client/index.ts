export { ApiError, type Connection } from './api.ts'
export type { Operations, Schemas } from './api-types.ts'
export { createClient, type Client } from './client.ts'
export { applyEvent, isOver, type LiveText, type RunEvent, type RunState } from './run.ts'
