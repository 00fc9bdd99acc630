import { direct } from './direct/direct.ts'
import { graph } from './graph/graph.ts'
import { pipeline } from './pipeline/pipeline.ts'
import { review } from './review/review.ts'
import { supervisor } from './supervisor/supervisor.ts'

/** Those of this package, by their names. */
export const STRATEGIES = { direct, pipeline, graph, supervisor, review } as const
