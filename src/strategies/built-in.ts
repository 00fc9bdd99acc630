import { graph } from './graph/graph.ts'
import { pipeline } from './pipeline/pipeline.ts'
import { review } from './review/review.ts'
import { supervisor } from './supervisor/supervisor.ts'

/** Those of this package, by their names. */
export const STRATEGIES = { pipeline, graph, supervisor, review } as const
