/** The kit for tests of agents and strategies: `tutti/testing`. */
export { ManualClock, settled } from './manual-clock.ts'
export type { Reply, WireUsage } from './model-replies.ts'
export { startModelServer, type ModelRequest, type ModelServer, type Rule } from './model-server.ts'
export { simulate, type Simulated } from './simulate.ts'
