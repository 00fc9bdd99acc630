import { direct } from './direct/next.ts'
import { graph } from './graph/next.ts'
import { pipeline } from './pipeline/next.ts'
import { review } from './review/next.ts'
import { supervisor } from './supervisor/next.ts'

/** The strategies of this package, by name. */
export const STRATEGIES = { direct, pipeline, graph, supervisor, review } as const
