export { ApiError, type Connection } from './api.ts'
export type { Operations, Schemas } from './api-types.ts'
export { createClient, type Client } from './client.ts'
